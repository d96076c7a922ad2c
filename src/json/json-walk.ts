import { maxJsonDepth } from "../shared/find-unsafe-value.js";
import { formatPath } from "../shared/text/format-path.js";
import { PatchError, type PatchErrorReason } from "./patch-error.js";

/** How much a patch may still bring into its document. */
export interface ByteBudget {
  bytesLeft: number;
}

/** Where a walk through a value stands: keys and indexes from the root of the document down to here. */
export interface JsonWalk {
  readonly trail: (string | number)[];
  readonly budget: ByteBudget;
}

/** Begins a walk at `trail`; without a budget it may bring in any amount. */
export function createWalk(
  trail: readonly string[] = [],
  budget: ByteBudget = { bytesLeft: Number.POSITIVE_INFINITY },
): JsonWalk {
  return { trail: [...trail], budget };
}

/** A refusal of what the walk stands on. */
export function createPatchError(walk: JsonWalk, reason: PatchErrorReason, message: string): PatchError {
  return new PatchError(reason, message, formatPath(walk.trail) || undefined);
}

/** @throws PatchError when the object or array here would nest deeper than any body may. */
export function assertDepth(walk: JsonWalk): void {
  if (walk.trail.length >= maxJsonDepth)
    throw createPatchError(walk, "invalid", `The value is nested over ${maxJsonDepth} levels.`);
}

/**
 * Steps down to a member of an object.
 *
 * @throws PatchError for the key `__proto__`.
 */
export function enterMember(walk: JsonWalk, key: string): void {
  walk.trail.push(key);
  if (key === "__proto__") throw createPatchError(walk, "forbiddenKey", "The key is not allowed.");
}

/** @throws PatchError once more is brought in than the budget holds. */
export function countBytes(walk: JsonWalk, bytes: number): void {
  walk.budget.bytesLeft -= bytes;
  if (walk.budget.bytesLeft < 0) throw createPatchError(walk, "tooLarge", "The patch adds more than is allowed.");
}
