import { parseUuid } from "../shared/text.js";
import type { Protocol } from "./protocol.js";

/** The path segment of a tenant id. */
const tenantSegment = ":tenantId";

/** Returns the first of these roots that contains a path; undefined for none. */
export function findRoot(roots: readonly string[], path: string): string | undefined {
  return roots.find((root) => isBelow(path, root));
}

function isBelow(path: string, root: string): boolean {
  if (!root.startsWith(`/${tenantSegment}`)) return startsWith(path, root);
  const end = path.indexOf("/", 1);
  const isTenant = end > 0 && parseUuid(path.slice(1, end)) !== undefined;
  return isTenant && startsWith(path.slice(end), root.slice(tenantSegment.length + 1));
}

function startsWith(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === "/");
}

/** @throws TypeError when two protocols have the same name or overlapping paths, or one lacks the public URL. */
export function assertProtocols(protocols: readonly Protocol[], publicUrl?: string): void {
  for (const [place, { name, needsPublicUrl = false, path }] of protocols.entries()) {
    if (needsPublicUrl && publicUrl === undefined)
      throw new TypeError(`protocols[${place}] needs the option publicUrl: the URL at which people reach ${name}.`);
    const roots = [path].flat();
    if (roots.length === 0 || !roots.every((root) => rootShape.test(root)))
      throw new TypeError(`protocols[${place}].path must be a path such as /api/scim.`);
    const other = protocols.slice(0, place).find((one) => one.name === name || overlaps([one.path].flat(), roots));
    if (other !== undefined) throw new TypeError(`protocols has ${other.name} and ${name}, which exclude each other.`);
  }
}

const rootShape = /^(?:\/:tenantId(?=\/))?(?:\/[\w.-]+)+$/;

function overlaps(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => startsWith(one, other) || startsWith(other, one)));
}
