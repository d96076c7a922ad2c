/** The instant for never: the largest exact integer. */
export const never: number = Number.MAX_SAFE_INTEGER;

/** The value of the reference for never: 2^63 - 1. */
export const neverText = "9223372036854775807";

/** Whether a path of a body is an expiry, in which every value beyond {@link never} means never. */
export function isEndPath(path: readonly PropertyKey[]): boolean {
  return path.at(-1) === "expiry" && !path.includes("data");
}

/** Replaces {@link never} in the JSON of records and errors by the value of the reference. */
export function showNever(json: string): string {
  return json.replaceAll(`"expiry":${never}`, `"expiry":${neverText}`);
}
