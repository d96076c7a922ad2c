import { fieldError, generalError } from "../errors/identity-error.js";
import { findUnsafeInSteps, findUnsafeValue, maxJsonDepth, type UnsafeValue } from "../values/find-unsafe-value.js";
import { formatPath } from "../values/format-path.js";
import { isVeryLong } from "../values/in-steps.js";

/**
 * Refuses what no later hop should have to think of: too deep nesting, `__proto__`, texts that some storage cannot keep.
 * @throws IdentityError 400 (decisions.md, Bad JSON, Text and Hostile documents).
 */
export function checkBody(value: unknown): void {
  refuse(findUnsafeValue(value));
}

/** The same; a promise where the body is very long, which is looked through in steps between which others have their turn. */
export function checkAnyBody(value: unknown): Promise<void> | undefined {
  if (isVeryLong(value)) return findUnsafeInSteps(value).then(refuse);
  if (value !== undefined) checkBody(value);
  return undefined;
}

function refuse(unsafe: UnsafeValue | undefined): void {
  if (unsafe === undefined) return;
  if (unsafe.kind === "tooDeep") throw generalError("invalidJSON", `The body nests deeper than ${maxJsonDepth} levels.`);
  throw fieldError("invalid", formatPath(unsafe.path));
}
