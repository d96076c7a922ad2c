import { fieldError, generalError } from "../../errors/identity-error.js";
import { isObjectOrList } from "../../shared/objects.js";

/**
 * The JSON text of a value that a caller in process gives; undefined where JSON has none. Numbers that JSON writes as `null` would remove
 * what they are to set.
 * @throws IdentityError 400 `[invalid]<path>` for NaN, an infinite number and an invalid Date; 400 `[invalidJSON]` for what JSON cannot hold,
 * such as a cycle.
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

/** A copy of a value that a caller in process gives, as JSON carries it. @throws as {@link toInputText}. */
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
