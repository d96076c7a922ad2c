import type { ThemeMessages } from "../resources/forms/schema.js";
import { choicesOf, type RequestedField } from "./read-entry.js";
import { emptyFieldError } from "./validate-fields.js";

/** The text for a key, or undefined where there is none. */
export type FindMessage = (key: string) => string | undefined;

const localeShape = /^([A-Za-z]{2,3})((?:[_-][A-Za-z\d]{2,8})*)$/;

/** Whether a text names a locale: `de`, `de_CH` or `de-CH`. */
export function isLocale(text: string): boolean {
  return localeShape.test(text);
}

/** Finds texts for a locale; what a locale lacks is looked for in what is left of it without its last part, and then by default. */
export function createMessageFinder(
  { defaultMessages, localizedMessages }: ThemeMessages,
  locale: string | undefined,
): FindMessage {
  const parts = (locale ?? "").split(/[_-]/);
  const names = parts.map((_part, index) =>
    parts
      .slice(0, parts.length - index)
      .join("_")
      .toLowerCase(),
  );
  const known = new Map(Object.entries(localizedMessages).map(([name, bundle]) => [name.toLowerCase(), bundle]));
  const chain = [...names.map((name) => known.get(name)), defaultMessages].filter((bundle) => bundle !== undefined);
  return (key) => chain.find((bundle) => Object.hasOwn(bundle, key))?.[key];
}

/** The keys of all texts that a field needs: its name, its options and the refusals that it can meet. */
export function messageKeysOf(asked: RequestedField): readonly string[] {
  const { confirm, key, required, type, validator } = asked.field;
  const choices = choicesOf(asked);
  const canBeInvalid = type !== "string" || choices.length > 0 || validator.enabled;
  return [
    key,
    ...choices,
    ...(confirm ? [`confirm.${key}`] : []),
    ...(required ? [`[${emptyFieldError(asked.field)}]${key}`] : []),
    ...(canBeInvalid ? [`[invalid]${key}`] : []),
    ...(confirm ? [`[doNotMatch]${key}`] : []),
  ];
}
