import type { Consent } from "../../records/consents/schema.js";
import type { FormField, FormFieldType } from "../../records/form-fields/schema.js";
import { isDate } from "../../shared/text.js";

/** A field of a form, with its consent if it has one. */
export interface RequestedField {
  readonly field: FormField;
  readonly consent?: Pick<Consent, "multipleValuesAllowed" | "values"> | undefined;
}

/** The input for a field: absent, invalid, or a value. */
export type Entry =
  | { readonly kind: "absent" | "invalid"; readonly texts: readonly string[] }
  | { readonly kind: "given"; readonly texts: readonly string[]; readonly value: unknown };

interface ValueShape {
  readonly convert: ConvertText;
  /** The only accepted values; empty: any. */
  readonly options: readonly unknown[];
  readonly isList: boolean;
  readonly takesSeveral: boolean;
}

/** Reads the input for a field: texts, as forms send them, or JSON values; lists for multiple choices. */
export function readEntry({ field, consent }: RequestedField, entered: unknown): Entry {
  const said = [entered].flat().map((value) => toText(value, field.type === "string"));
  const texts = said.filter((text) => text !== undefined && text.trim() !== "") as readonly string[];
  const { convert, options, isList, takesSeveral } = shapeOf({ field, consent });
  const values = [...new Set(texts.map(convert))].filter((value) => !(value === false && isBox(field)));
  const isWrong = (value: unknown): boolean => value === undefined || (options.length > 0 && !options.includes(value));
  if (said.includes(undefined) || values.some(isWrong) || (values.length > 1 && !takesSeveral)) return { kind: "invalid", texts };
  if (values.length === 0) return { kind: "absent", texts };
  return { kind: "given", texts, value: isList ? values : values[0] };
}

/** Whether a field is a single checkbox: unticked, its value is false. */
export function isBox({ control, type }: FormField): boolean {
  return type === "consent" || (type === "bool" && control === "checkbox");
}

/** Returns the texts to choose from; empty for free input. */
export function choicesOf({ field, consent }: RequestedField): readonly string[] {
  if (consent !== undefined) return consent.values;
  const { control, options } = field;
  return control === "checkbox" || control === "radio" || control === "select" ? options : [];
}

const lists: ReadonlySet<string> = new Set(["registration.preferredLanguages", "registration.roles", "user.preferredLanguages"]);

function shapeOf(asked: RequestedField): ValueShape {
  const { field, consent } = asked;
  const choices = choicesOf(asked);
  if (consent !== undefined && choices.length > 0)
    return { convert: convertText.string, options: choices, isList: true, takesSeveral: consent.multipleValuesAllowed };
  const convert = convertText[field.type];
  const isList = lists.has(field.key) || (field.control === "checkbox" && field.type !== "bool");
  return { convert, options: choices.map(convert), isList, takesSeveral: isList };
}

// Undefined for a value that no field can have.
function toText(value: unknown, isExact: boolean): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return isExact ? value : value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** Converts a text to a value; undefined for a text of another type. */
type ConvertText = (text: string) => unknown;

/** Converts texts by type of field (docs/reference/forms.md#form-fields). Texts of all types but `string` are trimmed before. */
const convertText: Readonly<Record<FormFieldType, ConvertText>> = {
  bool: toFlag,
  consent: toFlag,
  date: (text) => (isMoment(text) ? text : undefined),
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

function isMoment(text: string): boolean {
  const [, day = ""] = dateShape.exec(text) ?? [];
  return isDate(day) && !Number.isNaN(Date.parse(text));
}
