import { type ErrorEntry, IdentityError } from "../../errors/identity-error.js";
import { isObject } from "../../shared/objects.js";

/** The errors of a validation, from a lambda's `result.errors` (docs/reference/lambdas.md#validation-lambdas). */
export interface ValidationErrors {
  readonly fieldErrors: Readonly<Record<string, readonly ErrorEntry[]>>;
  readonly generalErrors: readonly ErrorEntry[];
}

/** The initial errors of a validation. */
export const noValidationErrors: ValidationErrors = Object.freeze({
  fieldErrors: Object.freeze({}),
  generalErrors: Object.freeze([]),
});

const maxEntries = 1_000;
const maxTextLength = 10_000;

/**
 * Whether a value has the shape of validation errors: lists of entries with a code and a message, of a length that can be shown.
 */
export function isValidationErrors(value: unknown): value is ValidationErrors {
  if (!isObject(value) || !isObject(value.fieldErrors)) return false;
  const lists: readonly unknown[] = [value.generalErrors, ...Object.values(value.fieldErrors)];
  return lists.every(isEntries) && lists.flat().length <= maxEntries;
}

function isEntries(value: unknown): value is readonly ErrorEntry[] {
  return Array.isArray(value) && value.every((entry) => isObject(entry) && isText(entry.code) && isText(entry.message));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.length <= maxTextLength;
}

/** The refusal, 400 with exactly these errors; undefined when there are none. */
export function toValidationError({ fieldErrors, generalErrors }: ValidationErrors): IdentityError | undefined {
  const filled = Object.entries(fieldErrors).filter(([, entries]) => entries.length > 0);
  if (filled.length === 0 && generalErrors.length === 0) return undefined;
  const shown = filled.map(([path, entries]) => [path, entries.map(toEntry)] as const);
  return new IdentityError(400, { fieldErrors: Object.fromEntries(shown), generalErrors: generalErrors.map(toEntry) });
}

function toEntry({ code, data, message }: ErrorEntry): ErrorEntry {
  return data === undefined ? { code, message } : { code, data, message };
}
