/** The instant that stands for never: the largest that a number holds exactly. */
export const never: number = Number.MAX_SAFE_INTEGER;

/** What the reference says for it: 2^63 - 1. */
export const neverText = "9223372036854775807";

/** Whether the member at a path of a body is an end, where all that is beyond {@link never} means that. */
export function isEndPath(path: readonly PropertyKey[]): boolean {
  return path.at(-1) === "expiry" && !path.includes("data");
}

/** The JSON text of records and refusals in which the end of what never ends reads as in the reference. */
export function showNever(json: string): string {
  return json.replaceAll(`"expiry":${never}`, `"expiry":${neverText}`);
}
