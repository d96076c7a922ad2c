import type { OperationCall } from "../../operations/operation.js";
import type { Lambda } from "../../records/lambdas/schema.js";
import { keyOfReference, readVersions, type VersionReference } from "./read-version.js";

/** What lambdas come to by the versions that they name. */
export interface FollowedReferences {
  /** Every reference on the way, each once. */
  readonly all: readonly VersionReference[];
  /** Those that lead to nothing. */
  readonly missing: readonly VersionReference[];
}

/** What a lambda names itself: its modules, and the version of its rollout. */
export function referencesOfLambda({ id, modules = [], rollout }: Lambda): readonly VersionReference[] {
  return rollout === undefined ? modules : [...modules, { lambdaId: id, version: rollout.version }];
}

/**
 * Follows references through the versions that they name by number, which never change. The newest version of a lambda holds its own
 * references, so the way ends there.
 */
export async function followReferences(call: OperationCall, named: readonly VersionReference[]): Promise<FollowedReferences> {
  const all = new Map<string, VersionReference>();
  const missing: VersionReference[] = [];
  let next = named;
  while (next.length > 0) {
    const fresh = new Map(next.map((reference) => [keyOfReference(reference), reference] as const));
    for (const key of all.keys()) fresh.delete(key);
    const found = await readVersions(call, [...fresh.values()]);
    for (const [key, reference] of fresh) {
      all.set(key, reference);
      if (!found.has(key)) missing.push(reference);
    }
    next = [...fresh].flatMap(([key, { version }]) => (version === undefined ? [] : (found.get(key)?.modules ?? [])));
  }
  return { all: [...all.values()], missing };
}

/** Why a version cannot be named: what it needs is gone. */
export function missingMessage(path: string): string {
  return `The [${path}] property is not valid. That version requires a module, or a version of a module, that is gone.`;
}
