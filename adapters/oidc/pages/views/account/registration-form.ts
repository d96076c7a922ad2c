import type { FormErrors } from "../../html/fields.js";
import { boxField, type InputType, optionField, textField } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import type { PageCall } from "../../server/page-call.js";
import { newPasswordFields } from "./change-password.js";

/** A field of a registration, from `forms.describe`. */
export interface RegistrationField {
  /** The path of the value, such as `user.email`, and the name of the input. */
  readonly key: string;
  readonly type: string;
  readonly control?: string | undefined;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  readonly isConfirmed: boolean;
  readonly options: readonly string[];
}

/** A step of a registration. */
export interface RegistrationStep {
  readonly type: "collectData" | "verifyEmail" | "verifyPhoneNumber";
  readonly fields: readonly RegistrationField[];
}

/** The steps of a registration: of a form, or one with an address and a password. */
export interface RegistrationForm {
  readonly formId?: string | undefined;
  readonly steps: readonly RegistrationStep[];
}

const plain = { isConfirmed: false, isRequired: true, options: [] } as const;

const basicForm: RegistrationForm = {
  steps: [
    {
      type: "collectData",
      fields: [
        { ...plain, key: "user.email", type: "email" },
        { ...plain, key: "user.password", type: "string", control: "password", isConfirmed: true },
      ],
    },
  ],
};

/** The registration form of an application; undefined where users cannot register. */
export async function findRegistrationForm({ host, place }: PageCall): Promise<RegistrationForm | undefined> {
  const { enabled = false, formId, type } = place.application?.registrationConfiguration ?? {};
  if (!enabled) return undefined;
  if (type !== "advanced" || formId === undefined) return basicForm;
  const { steps } = await host.api.forms.describe({ formId });
  return {
    formId,
    steps: steps.map(({ fields, type: kind }) => ({
      type: kind,
      fields: fields.map(({ confirm, control, description, key, options, required: isRequired, type: of }) => ({
        ...{ key, type: of, control, description, isRequired },
        isConfirmed: confirm !== undefined,
        options: options.map(({ value }) => value),
      })),
    })),
  };
}

/** Autofill tokens of the HTML standard, by field key. */
const autocompletes: Readonly<Record<string, string>> = {
  "registration.username": "username",
  "user.birthDate": "bday",
  "user.email": "email",
  "user.firstName": "given-name",
  "user.fullName": "name",
  "user.imageUrl": "photo",
  "user.lastName": "family-name",
  "user.middleName": "additional-name",
  "user.mobilePhone": "tel",
  "user.phoneNumber": "tel",
  "user.preferredLanguages": "language",
  "user.username": "username",
};

const inputTypes: Readonly<Record<string, InputType>> = { date: "date", email: "email", number: "number", phoneNumber: "tel" };

/** The inputs of a step, with earlier values. */
export function showFields(call: PageCall, fields: readonly RegistrationField[], errors: FormErrors): Html {
  return html`${fields.map((field) => showField(call, field, errors))}`;
}

function showField(call: PageCall, field: RegistrationField, errors: FormErrors): Html {
  const context = call.fields(errors);
  const { isRequired, key: name, options } = field;
  const label = labelOf(call, field);
  const { form } = call.parts;
  if (name === "user.password") return newPasswordFields(call, errors, name);
  if (field.control === "password") return textField(context, { name, label, type: "password", autocomplete: "off", isRequired });
  if (isBox(field))
    return boxField(context, { name, label, isChecked: form.has(name), isRequired: isRequired && field.type === "consent" });
  if (options.length > 0) {
    const texts = options.map((value) => ({ value, text: call.language.find(value) ?? value }));
    return optionField(context, { name, label, options: texts, kind: choiceKind(field), chosen: form.all(name), isRequired });
  }
  return html`${showText(call, field, errors)}`;
}

function showText(call: PageCall, field: RegistrationField, errors: FormErrors): readonly Html[] {
  const context = call.fields(errors);
  const label = labelOf(call, field);
  const { control, isConfirmed, isRequired, key: name, type } = field;
  const shared = { type: inputTypes[type], isLong: control === "textarea", isRequired };
  const again = `confirm.${name}`;
  const first = textField(context, { ...shared, name, label, autocomplete: autocompletes[name], value: call.draft(name) });
  if (!isConfirmed) return [first];
  const text = call.language.find(again) ?? call.language.text("confirm-field", { field: label });
  return [first, textField(context, { ...shared, name: again, label: text, autocomplete: "off", value: call.draft(again) })];
}

function isBox({ control, options, type }: RegistrationField): boolean {
  return (type === "consent" && options.length === 0) || (type === "bool" && control === "checkbox");
}

function choiceKind({ control, type }: RegistrationField): "radio" | "checkbox" | "select" {
  if (type === "consent") return "checkbox";
  return control === "radio" || control === "checkbox" ? control : "select";
}

function labelOf({ language }: PageCall, { description, key }: RegistrationField): string {
  return language.find(key) ?? description ?? key;
}

/** The input of a step, by field key. */
export function readSubmission(fields: readonly RegistrationField[], form: FormFields): Readonly<Record<string, unknown>> {
  const names = fields.flatMap(({ isConfirmed, key }) =>
    isConfirmed || key === "user.password" ? [key, `confirm.${key}`] : [key],
  );
  return Object.fromEntries(
    names.map((name) => {
      const values = form.all(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}
