import type { PartError } from "../../kit/record-form/index.js";

const join = (errors: readonly PartError[]): string | undefined => errors.map(({ message }) => message).join(" ") || undefined;

/** Returns the errors of a part that has its own field. */
export function errorAt(errors: readonly PartError[], path: string): string | undefined {
  return join(errors.filter((error) => error.path === path));
}

/** Returns the errors of a list or group as a whole, and of its entries as a whole. */
export function ownError(errors: readonly PartError[]): string | undefined {
  return join(errors.filter(({ path }) => !path.includes(".")));
}
