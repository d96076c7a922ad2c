import type { FormFieldType } from "../resources/form-fields/schema.js";

/** Makes the value of a text that somebody entered; undefined where it is none of the type. */
export type ConvertText = (text: string) => unknown;

/** What text is for each type of fields (docs/reference/forms.md#form-fields). Texts of all types but `string` come trimmed. */
export const convertText: Readonly<Record<FormFieldType, ConvertText>> = {
  bool: toFlag,
  consent: toFlag,
  date: (text) => (isDate(text) ? text : undefined),
  email: (text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined),
  number: toNumber,
  phoneNumber: (text) => (/^\+?[\d ()./-]{3,40}$/.test(text) && /\d.*\d.*\d/.test(text) ? text : undefined),
  string: (text) => text,
};

function toFlag(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false" ? lower === "true" : undefined;
}

function toNumber(text: string): number | undefined {
  const isNumber = /^[+-]?\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
  return isNumber ? Number(text) : undefined;
}

const dateShape = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

// The engine takes the 31st of February for a day in March.
function isDate(text: string): boolean {
  const [, day = ""] = dateShape.exec(text) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(Date.parse(text)) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
