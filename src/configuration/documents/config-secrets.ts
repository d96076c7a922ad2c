import { isObject, memberOf, pathsAt, valueAt, withMember } from "../../shared/objects.js";
import type { Members, ResolveSecret } from "./document.js";

/** The reference to a secret that keeps its stored value. */
export const unchangedSecret = "kept";

/** The placeholder of a secret in a document. */
export interface SecretReference {
  readonly $secret: string;
}

/** Whether a value is the placeholder of a secret. */
export function isSecretReference(value: unknown): value is SecretReference {
  return isObject(value) && typeof value.$secret === "string" && Object.keys(value).length === 1;
}

/** Reports a missing secret: its path, and the reason. */
export type ReportFault = (path: string, message: string) => void;

interface SecretSources {
  readonly current: Members | undefined;
  readonly resolve: ResolveSecret;
  readonly tell: ReportFault;
}

/** A record with secrets in place of their references; unchanged ones come from `current`. */
export async function resolveSecrets(
  record: Members,
  paths: readonly string[],
  { current, resolve, tell }: SecretSources,
): Promise<Members> {
  const open = async (value: unknown, kept: unknown, path: string): Promise<unknown> => {
    if (isSecretReference(value)) return openReference(value.$secret, kept, path);
    if (!isObject(value)) return value;
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value))
      members.push([name, await open(member, isObject(kept) ? memberOf(kept, name) : undefined, `${path}.${name}`)]);
    return Object.fromEntries(members);
  };
  const openReference = async (reference: string, kept: unknown, path: string): Promise<unknown> => {
    const value = reference === unchangedSecret ? kept : await ask(resolve, reference);
    if (value === undefined)
      tell(
        path,
        reference === unchangedSecret
          ? "The stored record has no secret at this path; give its value or a reference."
          : `There is no secret ${reference}.`,
      );
    return value;
  };
  let opened = record;
  for (const path of paths.flatMap((pattern) => pathsAt(record, pattern))) {
    const value = valueAt(record, path);
    if (value === undefined) continue;
    opened = withMember(opened, path.split("."), await open(value, current && valueAt(current, path), path));
  }
  return opened;
}

async function ask(resolve: ResolveSecret, reference: string): Promise<string | undefined> {
  try {
    return await resolve(reference);
  } catch {
    return undefined;
  }
}

/** A record with references in place of its secrets. */
export function hideSecrets(record: Members, paths: readonly string[]): Members {
  const hide = (value: unknown): unknown =>
    isObject(value) && !isSecretReference(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hide(member)]))
      : { $secret: unchangedSecret };
  const known = paths.flatMap((pattern) => pathsAt(record, pattern));
  return known.reduce((hidden, path) => {
    const value = valueAt(hidden, path);
    return value === undefined ? hidden : withMember(hidden, path.split("."), hide(value));
  }, record);
}

/** Resolves `env:NAME` from the environment. */
export const resolveFromEnvironment: ResolveSecret = (reference) =>
  reference.startsWith("env:") ? memberOf(process.env, reference.slice("env:".length)) : undefined;
