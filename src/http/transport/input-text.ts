import { fieldError, generalError } from "../../errors/identity-error.js";
import { isObjectOrList } from "../../shared/objects.js";

/**
 * The JSON text of a value from a caller in process; undefined for values that JSON omits. Refuses numbers that JSON writes as
 * `null`: they would remove the member that they are to set.
 * @throws IdentityError 400 `[invalid]<path>` for NaN, an infinite number and an invalid Date; 400 `[invalidJSON]` for values
 * that JSON cannot represent, such as a cycle.
 */
export function toInputText(value: unknown, path: string = ""): string | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    throw generalError("invalidJSON", "The input is no JSON: it holds a cycle, a BigInt, or nests too deep.");
  }
  if (text?.includes("null")) refuseLost(value, path);
  return text;
}

/** A copy of a value from a caller in process, after a round trip through JSON. @throws as {@link toInputText}. */
export function copyInput(value: unknown, path: string = ""): unknown {
  const text = toInputText(value, path);
  return text === undefined ? undefined : JSON.parse(text);
}

function refuseLost(value: unknown, path: string): void {
  const isLost = typeof value === "number" ? !Number.isFinite(value) : value instanceof Date && Number.isNaN(value.getTime());
  if (isLost) throw fieldError("invalid", path, "It must be a number or an instant, not NaN, infinite or an invalid Date.");
  if (!isObjectOrList(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path === "" ? name : `.${name}`;
    refuseLost(member, `${path}${step}`);
  }
}
