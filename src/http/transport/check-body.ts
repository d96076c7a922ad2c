import { fieldError, generalError } from "../../errors/identity-error.js";
import { hasManyItems } from "../../shared/async/in-steps.js";
import { findUnsafeInSteps, findUnsafeValue, maxJsonDepth, type UnsafeValue } from "../../shared/find-unsafe-value.js";
import { type BulkPath, maxItems, maxValues, SizeLimits } from "../../shared/size-limits.js";
import { formatPath } from "../../shared/text/format-path.js";

/**
 * Refuses what no later hop should have to think of: too deep nesting, lists and maps that hold too much, `__proto__`, texts that some
 * storage cannot keep. `bulk` names the lists that only the limit in bytes bounds.
 * @throws IdentityError 400 (docs/reference/wire.md#bodies, docs/reference/wire.md#text-and-encodings, docs/reference/wire.md#sizes, docs/reference/patch.md#hostile-documents).
 */
export function checkBody(value: unknown, bulk?: readonly BulkPath[]): void {
  refuse(findUnsafeValue(value, new SizeLimits(bulk)));
}

/** The same; a promise where the body is very long, which is looked through in steps between which others have their turn. */
export function checkAnyBody(value: unknown, bulk?: readonly BulkPath[]): Promise<void> | undefined {
  if (value === undefined) return undefined;
  // Without bulk lists, no more is looked at than the limits let through.
  if (bulk !== undefined && hasManyItems(value)) return findUnsafeInSteps(value, new SizeLimits(bulk)).then(refuse);
  checkBody(value, bulk);
  return undefined;
}

const sizeLimits = `a list or map at most ${maxItems} items, a body at most ${maxValues} values`;

function refuse(unsafe: UnsafeValue | undefined): void {
  if (unsafe === undefined) return;
  if (unsafe.kind === "tooDeep") throw generalError("invalidJSON", `The body nests deeper than ${maxJsonDepth} levels.`);
  const path = formatPath(unsafe.path);
  if (unsafe.kind !== "tooMany") throw fieldError("invalid", path);
  if (path === "") throw generalError("tooMany", `The body holds too many items: ${sizeLimits}.`);
  throw fieldError("tooMany", path, `The [${path}] property holds too many items: ${sizeLimits}.`);
}
