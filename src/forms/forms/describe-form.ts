import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import type { DescribedField, DescribeFormResponse, ThemeMessages } from "../../records/forms/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { loadForm } from "./load-form.js";
import { choicesOf, type RequestedField } from "./read-entry.js";
import { emptyFieldError } from "./validate-fields.js";

const describeFormRequest = lazySchema("forms", "describeFormRequest");

/**
 * Describes a form for a front end: steps, fields and options with their texts, and the keys of all required texts.
 * @throws IdentityError 404 for an unknown form; 400 `[couldNotConvert]locale`.
 */
export async function describeForm(call: OperationCall): Promise<OperationResult> {
  call.service.availability.assertLicensed("form");
  const { locale } = call.params;
  if (locale !== undefined && !isLocale(locale)) throw fieldError("couldNotConvert", "locale");
  const findMessage = createMessageFinder(await parseWith(describeFormRequest, call.body), locale);
  const { form, steps } = await loadForm(call);
  const { data, id, name, type } = form;
  const keys = [...new Set(steps.flatMap((step) => step.fields.flatMap(messageKeysOf)))];
  const messages = keys.flatMap((key) => {
    const text = findMessage(key);
    return text === undefined ? [] : [[key, text]];
  });
  const described = {
    form: { data, id, name, type },
    messageKeys: keys,
    messages: Object.fromEntries(messages),
    steps: steps.map(({ fields, type }, index) => ({
      fields: fields.map((asked) => describeField(asked, findMessage)),
      step: index + 1,
      type,
    })),
  } satisfies DescribeFormResponse;
  return { status: 200, json: toCanonicalJson(described) };
}

// A key without a message is its own text (docs/reference/forms.md#messages).
function describeField(asked: RequestedField, findMessage: FindMessage): DescribedField {
  const { insertInstant: _made, lastUpdateInstant: _changed, confirm, name: _name, options: _options, ...field } = asked.field;
  const textOf = (key: string): string => findMessage(key) ?? key;
  const again = `confirm.${field.key}`;
  return {
    ...field,
    label: textOf(field.key),
    options: choicesOf(asked).map((value) => ({ text: textOf(value), value })),
    ...(confirm && { confirm: { key: again, label: textOf(again) } }),
  };
}

/** Returns the text for a key; undefined for none. */
type FindMessage = (key: string) => string | undefined;

const localeShape = /^([A-Za-z]{2,3})((?:[_-][A-Za-z\d]{2,8})*)$/;

/** Whether a text names a locale: `de`, `de_CH` or `de-CH`. */
function isLocale(text: string): boolean {
  return localeShape.test(text);
}

/** Finds texts for a locale, then for the locale without its last part, and so on, then by default. */
function createMessageFinder({ defaultMessages, localizedMessages }: ThemeMessages, locale: string | undefined): FindMessage {
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

/** Returns the keys of all texts for a field: its name, its options and its possible errors. */
function messageKeysOf(asked: RequestedField): readonly string[] {
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
