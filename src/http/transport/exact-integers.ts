import { fieldError } from "../../errors/identity-error.js";
import { isEndPath } from "../../shared/never.js";
import { isObject } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";

/** The digits of the least integer that JSON.parse may round. */
const minDigits = 16;

/**
 * Refuses a body with an integer beyond 2^53, which would be stored as another number.
 * @throws IdentityError 400 `[invalid]<path>`.
 */
export function assertExactIntegers(text: string, value: unknown): void {
  if (!hasLongInteger(text)) return;
  const path = findInexact(value);
  if (path !== undefined)
    throw fieldError("invalid", formatPath(path), `The [${formatPath(path)}] property is beyond 2^53. Send it as a text.`);
}

// A run of sixteen digits covers one of each sixteen positions.
function hasLongInteger(text: string): boolean {
  for (let at = minDigits - 1; at < text.length; at += minDigits) if (isDigit(text, at) && isLongInteger(text, at)) return true;
  return false;
}

function isLongInteger(text: string, at: number): boolean {
  let start = at;
  while (isDigit(text, start - 1) && at - start < minDigits) start--;
  let end = at + 1;
  while (isDigit(text, end) && end - start <= minDigits) end++;
  if (end - start < minDigits) return false;
  // Most long runs are texts, decimals, and instants in microseconds.
  return isInexact(Number(text.slice(start, end))) && !/["\w.]/.test(text.charAt(start - 1));
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The path of the first integer that JSON.parse may have rounded. Without recursion: nothing bounds the depth yet. */
function findInexact(value: unknown): readonly PropertyKey[] | undefined {
  const open: Place[] = [{ value }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: current } = place;
    if (typeof current === "number" && isInexact(current) && !isEndPath(pathOf(place))) return pathOf(place);
    const parent = place;
    if (Array.isArray(current)) for (const [key, item] of current.entries()) open.push({ value: item, key, parent });
    else if (isObject(current)) for (const [key, item] of Object.entries(current)) open.push({ value: item, key, parent });
  }
  return undefined;
}

function isInexact(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

interface Place {
  readonly value: unknown;
  readonly key?: PropertyKey;
  readonly parent?: Place | undefined;
}

function pathOf(place: Place): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
