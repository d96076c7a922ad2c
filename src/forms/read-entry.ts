import type { Consent } from "../resources/consents/schema.js";
import type { FormField } from "../resources/form-fields/schema.js";
import { type ConvertText, convertText } from "./convert-text.js";

/** A field that a form asks for, and the consent that it is about where it is about one. */
export interface RequestedField {
  readonly field: FormField;
  readonly consent?: Pick<Consent, "multipleValuesAllowed" | "values"> | undefined;
}

/** What was entered into a field: nothing, something that cannot be its value, or its value. */
export type Entry =
  | { readonly kind: "absent" | "invalid"; readonly texts: readonly string[] }
  | { readonly kind: "given"; readonly texts: readonly string[]; readonly value: unknown };

/** What the values of a field are. */
interface ValueShape {
  readonly convert: ConvertText;
  /** The only values that there are; none: any. */
  readonly options: readonly unknown[];
  readonly isList: boolean;
  readonly takesSeveral: boolean;
}

/** Reads what was entered: texts, as forms send them, or JSON values; lists where several can be chosen. */
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

/** Whether a field is one box to tick: left alone it says no. */
export function isBox({ control, type }: FormField): boolean {
  return type === "consent" || (type === "bool" && control === "checkbox");
}

/** The texts that can be chosen from; none where anything can be entered. */
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

// Undefined: nothing that a field could hold.
function toText(value: unknown, isExact: boolean): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return isExact ? value : value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
