import { fieldError } from "../errors/identity-error.js";
import { lazySchema, parseWith } from "../http/schema/parse-with.js";
import type { OperationResult } from "../http/transport/write-response.js";
import { toCanonicalJson } from "../json/canonical-json.js";
import type { OperationCall } from "../operations/operation.js";
import type { DescribedField, DescribeFormResponse } from "../resources/forms/schema.js";
import { loadForm } from "./load-form.js";
import { createMessageFinder, type FindMessage, isLocale, messageKeysOf } from "./messages.js";
import { choicesOf, type RequestedField } from "./read-entry.js";

const describeFormRequest = lazySchema(() => import("../resources/forms/schema.js"), "describeFormRequest");

/**
 * What a front end shows for a form: steps, fields and options with their texts, and the keys of all texts that it needs.
 * @throws IdentityError 404 when there is no such form; 400 `[couldNotConvert]locale`.
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

// The text of a key without a message is the key itself (docs/reference/forms.md#messages).
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
