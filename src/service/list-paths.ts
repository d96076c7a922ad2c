import type { Route } from "../http/route/define-route.js";

/**
 * Returns the paths of a service as patterns for routers: `/api/*` stands for every path below `/api`. `roots` are the paths of
 * its protocols, each with the paths below it; a leading `/:tenantId` stands for any UUID.
 */
export function listPaths(routes: readonly Route<unknown>[], roots: readonly string[]): readonly string[] {
  const own = new Set(routes.map(({ path }) => `/${path.split("/", 2)[1]}/*`));
  const isCovered = (root: string): boolean => [...own].some((pattern) => root.startsWith(pattern.slice(0, -1)));
  const exact = roots.filter((root) => !isCovered(root));
  return Object.freeze([...new Set([...own, ...exact.flatMap((root) => [root, `${root}/*`])])]);
}
