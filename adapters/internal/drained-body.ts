import { isObject } from "./objects.js";

/** Reads a header that describes the body; null or undefined for a missing one. */
export type ReadHeader = (name: "content-encoding" | "content-length" | "content-type") => string | null | undefined;

// The shortest bodies with a member: `{"":0}`, and any form text.
const minLengths: readonly (readonly [type: RegExp, length: number])[] = [
  [/^\s*application\/(?:[\w.+-]*\+)?json\b/i, 6],
  [/^\s*application\/x-www-form-urlencoded\b/i, 1],
];

/**
 * Whether the host's body parser left an empty object for a body with content: the call would then run with all its defaults.
 * Compressed bodies and bodies without a length stay undecided.
 */
export function isDrainedBody(parsed: unknown, readHeader: ReadHeader): boolean {
  const isEmpty = isObject(parsed) && Object.keys(parsed).length === 0;
  if (!isEmpty || parsed instanceof Uint8Array || readHeader("content-encoding")) return false;
  const type = readHeader("content-type") ?? "";
  const [, minLength = Number.POSITIVE_INFINITY] = minLengths.find(([shape]) => shape.test(type)) ?? [];
  return Number(readHeader("content-length") ?? 0) >= minLength;
}
