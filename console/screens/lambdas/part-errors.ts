import type { PartError } from "../../kit/record-form/index.js";

const join = (errors: readonly PartError[]): string | undefined => errors.map(({ message }) => message).join(" ") || undefined;

/** What is wrong with a part that has a field of its own. */
export function errorAt(errors: readonly PartError[], path: string): string | undefined {
  return join(errors.filter((error) => error.path === path));
}

/** What is wrong with a list or group as a whole, or with an entry as a whole. */
export function ownError(errors: readonly PartError[]): string | undefined {
  return join(errors.filter(({ path }) => !path.includes(".")));
}
