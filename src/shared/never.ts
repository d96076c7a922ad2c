/** The instant that stands for never: the largest that a number holds exactly. */
export const never: number = Number.MAX_SAFE_INTEGER;

/** What the reference says for it: 2^63 - 1. */
export const neverText = "9223372036854775807";

/** The JSON text of records and refusals in which the end of what never ends reads as in the reference. */
export function showNever(json: string): string {
  return json.replaceAll(`"expiry":${never}`, `"expiry":${neverText}`);
}
