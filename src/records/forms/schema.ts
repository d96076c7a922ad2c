import {
  data,
  id,
  integer,
  list,
  localeMap,
  map,
  name,
  object,
  option,
  type Schema,
  sparseList,
  text,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { FormFieldControl, FormFieldFields, FormFieldType } from "../form-fields/schema.js";

const types = ["registration", "adminRegistration", "adminUser", "selfServiceUser"] as const;
const stepTypes = ["collectData", "verifyEmail", "verifyPhoneNumber"] as const;

/** The purpose of a form (docs/reference/forms.md#forms). */
export type FormType = (typeof types)[number];

/** One step of a form: fields to fill in, or a verification without fields. */
export interface FormStep {
  /** The ids of form fields, in display order. */
  readonly fields: readonly string[];
  /** The purpose of the step. Default `collectData`; the other types have no fields. */
  readonly type: (typeof stepTypes)[number];
}

/** Writable fields of a form (docs/reference/forms.md#forms). */
export interface FormDefinition {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The steps in their order: 1 to 100, with at most 100 fields each. */
  readonly steps: readonly FormStep[];
  /** On POST only. Default `registration`. */
  readonly type: FormType;
}

/** A form on the wire. */
export interface Form extends BaseRecord, FormDefinition {}

/** The body of POST and PUT. */
export interface FormRequest {
  /** The fields of the form; `name` and at least one step are required. */
  readonly form: Partial<Omit<FormDefinition, "steps">> &
    Pick<FormDefinition, "name"> & { readonly steps: readonly Partial<FormStep>[] };
}

export interface ParsedFormRequest {
  readonly form: Omit<FormDefinition, "steps"> & { readonly steps: readonly (FormStep | null)[] };
}

/** The objects that the keys of form fields refer to. Consents are by id. */
export interface FormObjects {
  /** The user so far; a user with an id needs no password. */
  readonly user: Readonly<Record<string, unknown>>;
  /** The registration so far, with the id of its application. */
  readonly registration: Readonly<Record<string, unknown>>;
  /** True or false, or the chosen values of a consent with values. */
  readonly consents: Readonly<Record<string, unknown>>;
}

/** The submission to validate. */
export interface ValidateFormRequest extends Partial<FormObjects> {
  /** The application of the lambda that validates. Default: the only application that uses the form. */
  readonly applicationId?: string | undefined;
  /** The submitted step, counted from one. Default: the whole form. */
  readonly step?: number | undefined;
  /**
   * The entered values by field key, with repeated values as `confirm.<key>`: texts, as forms send them, or JSON values; lists
   * for multiple choices. Without it, the values in the objects are validated.
   */
  readonly submission?: Readonly<Record<string, unknown>> | undefined;
}

/** A submission of a form, or of fields without one. */
export type ValidateFormInput = ValidateFormRequest & ({ readonly formId: string } | { readonly fieldIds: readonly string[] });

/** The objects with the submitted values, ready to create a user or a registration. */
export interface ValidateFormResponse extends FormObjects {
  /** Counted from one; absent after the last step, and if the request names no step. */
  readonly nextStep?: number | undefined;
}

/** Texts by their keys. */
export type MessageBundle = Readonly<Record<string, string>>;

/**
 * The texts of a theme (docs/reference/forms.md#messages). Texts of a locale take precedence over those of its language, and
 * those over the defaults.
 */
export interface ThemeMessages {
  /** The texts for locales that have none of their own. */
  readonly defaultMessages: MessageBundle;
  /** By locale: `de`, `de_CH`. */
  readonly localizedMessages: Readonly<Record<string, MessageBundle>>;
}

/** The form to describe, and the locale: `de`, `de_CH` or `de-CH`. */
export interface DescribeFormInput extends Partial<ThemeMessages> {
  /** The form to describe. */
  readonly formId: string;
  /** The locale of the texts. Default: the default texts. */
  readonly locale?: string | undefined;
}

/** A field for a front end to render. Labels and options without a text show their keys. */
export interface DescribedField {
  /** The id of the form field. */
  readonly id: string;
  /** Where the value is in the user or registration, such as `user.firstName`. */
  readonly key: string;
  /** The consent that the field asks for; on fields of the type `consent` only. */
  readonly consentId?: string | undefined;
  /** The input control; absent for consents. */
  readonly control?: FormFieldControl | undefined;
  /** The free metadata of the form field. */
  readonly data: Record<string, unknown>;
  /** The description of the form field. */
  readonly description?: string | undefined;
  /** Whether the field needs a value. */
  readonly required: boolean;
  /** The type of the value: a text, a number, a date and so on. */
  readonly type: FormFieldType;
  /** The regular expression that the whole value must match, when enabled. */
  readonly validator: FormFieldFields["validator"];
  /** The label of the field: the message of its key, else the key. */
  readonly label: string;
  /** The confirmation field, if the value must be entered twice. */
  readonly confirm?: { readonly key: string; readonly label: string } | undefined;
  /** The choices; empty if any value is allowed, or if the front end knows the choices: languages, timezones, roles. */
  readonly options: readonly { readonly text: string; readonly value: string }[];
}

/** A form for a front end to render. */
export interface DescribeFormResponse {
  /** Id, name, type and metadata of the form. */
  readonly form: { readonly data: Record<string, unknown>; readonly id: string; readonly name: string; readonly type: FormType };
  /** The steps in their order, with their fields. */
  readonly steps: readonly {
    /** Counted from one. */
    readonly step: number;
    /** The purpose of the step. Only `collectData` has fields. */
    readonly type: FormStep["type"];
    /** The fields in their order. */
    readonly fields: readonly DescribedField[];
  }[];
  /** The keys of all texts of the form: labels, options and errors. */
  readonly messageKeys: readonly string[];
  /** The existing texts of these keys. */
  readonly messages: MessageBundle;
}

export const formRequest: Schema<ParsedFormRequest> = object({
  form: object({
    name: name(),
    data: data().default({}),
    steps: sparseList(
      object({
        fields: list(id()).max(100, { error: "tooMany" }).default([]),
        type: option(stepTypes).default("collectData"),
      }),
    )
      .max(100, { error: "tooMany" })
      .default([]),
    type: option(types).default("registration"),
  }),
});

export const validateFormRequest: Schema<ValidateFormRequest & FormObjects & { readonly fieldIds?: readonly string[] }> = object({
  applicationId: id().optional(),
  consents: data().default({}),
  fieldIds: list(id()).max(100, { error: "tooMany" }).optional(),
  registration: data().default({}),
  step: integer(1, 100).optional(),
  submission: data().optional(),
  user: data().default({}),
});

export const describeFormRequest: Schema<ThemeMessages> = object({
  defaultMessages: map(text()).default({}),
  localizedMessages: localeMap(map(text())).default({}),
});
