import { isObject } from "./objects.js";

/** The headers that say how long a body was; null where there is none. */
export type ReadHeader = (name: "content-encoding" | "content-length" | "content-type") => string | null | undefined;

// The shortest bodies with a member: `{"":0}`, and any text of a form.
const minLengths: readonly (readonly [type: RegExp, length: number])[] = [
  [/^\s*application\/(?:[\w.+-]*\+)?json\b/i, 6],
  [/^\s*application\/x-www-form-urlencoded\b/i, 1],
];

/**
 * Whether a body parser of the host left an empty object of a body that held more: it would have a call do everything that the call does by
 * default. A compressed body and one without a length say nothing of it.
 */
export function isDrainedBody(parsed: unknown, readHeader: ReadHeader): boolean {
  const isEmpty = isObject(parsed) && Object.keys(parsed).length === 0;
  if (!isEmpty || parsed instanceof Uint8Array || readHeader("content-encoding")) return false;
  const type = readHeader("content-type") ?? "";
  const [, minLength = Number.POSITIVE_INFINITY] = minLengths.find(([shape]) => shape.test(type)) ?? [];
  return Number(readHeader("content-length") ?? 0) >= minLength;
}
