import type { OperationCall } from "../../operations/operation.js";
import type { Lambda } from "../../records/lambdas/schema.js";
import { keyOfReference, readVersions, type VersionReference } from "./read-version.js";

/** The direct and indirect references of lambdas. */
export interface FollowedReferences {
  /** Every reference on the way, each once. */
  readonly all: readonly VersionReference[];
  readonly missing: readonly VersionReference[];
}

/** The direct references of a lambda: its modules, and the version of its rollout. */
export function referencesOfLambda({ id, modules = [], rollout }: Lambda): readonly VersionReference[] {
  return rollout === undefined ? modules : [...modules, { lambdaId: id, version: rollout.version }];
}

/**
 * Follows references through numbered versions, which never change. Ends at newest versions, which store their own references.
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

/** The message about a version with missing modules. */
export function missingMessage(path: string): string {
  return `The [${path}] property is not valid. That version requires a module, or a version of a module, that is gone.`;
}
