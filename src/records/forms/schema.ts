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

/** What a form is for (docs/reference/forms.md#forms). */
export type FormType = (typeof types)[number];

/** One step of a form: fields to fill in, or something to verify and no fields. */
export interface FormStep {
  /** The ids of form fields, in the order in which they are asked. */
  readonly fields: readonly string[];
  /** What the step does. Default `collectData`; the other types have no fields. */
  readonly type: (typeof stepTypes)[number];
}

/** What a caller may say about a form (docs/reference/forms.md#forms). */
export interface FormDefinition {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The steps in their order: 1 to 100, with at most 100 fields each. */
  readonly steps: readonly FormStep[];
  /** Said on POST only. Default `registration`. */
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

/** A request whose defaults are filled in. */
export interface ParsedFormRequest {
  readonly form: Omit<FormDefinition, "steps"> & { readonly steps: readonly (FormStep | null)[] };
}

/** What the keys of form fields begin with: the objects that values stand in. Consents are by their ids. */
export interface FormObjects {
  /** The user as entered so far; a user with an id needs no password. */
  readonly user: Readonly<Record<string, unknown>>;
  /** With the id of the application that the submission is for. */
  readonly registration: Readonly<Record<string, unknown>>;
  /** True, false, or of a consent with values those that are consented to. */
  readonly consents: Readonly<Record<string, unknown>>;
}

/** What is to be validated. */
export interface ValidateFormRequest extends Partial<FormObjects> {
  /** Whose lambda is asked. Default: the only application that uses the form. */
  readonly applicationId?: string | undefined;
  /** The step that was filled in, counted from one. Default: the whole form. */
  readonly step?: number | undefined;
  /**
   * What was entered, by the keys of fields, and again as `confirm.<key>`: texts, as forms send them, or JSON values, lists where several
   * can be chosen. Left out, the values in the objects are validated.
   */
  readonly submission?: Readonly<Record<string, unknown>> | undefined;
}

/** A submission of a form, or of fields without one. */
export type ValidateFormInput = ValidateFormRequest & ({ readonly formId: string } | { readonly fieldIds: readonly string[] });

/** The objects with the values of the submission, ready to make a user or a registration of. */
export interface ValidateFormResponse extends FormObjects {
  /** Counted from one; absent after the last step, and where no step was named. */
  readonly nextStep?: number | undefined;
}

/** A request whose defaults are filled in. */
export interface ParsedValidateFormRequest
  extends FormObjects,
    Pick<ValidateFormRequest, "applicationId" | "step" | "submission"> {
  readonly fieldIds?: readonly string[] | undefined;
}

/** Texts by their keys. */
export type MessageBundle = Readonly<Record<string, string>>;

/** The texts of a theme (docs/reference/forms.md#messages): those of a locale win over those of its language, and those over the default ones. */
export interface ThemeMessages {
  /** The texts for locales that have none of their own. */
  readonly defaultMessages: MessageBundle;
  /** By locale: `de`, `de_CH`. */
  readonly localizedMessages: Readonly<Record<string, MessageBundle>>;
}

/** Which form is described, in which locale: `de`, `de_CH` or `de-CH`. */
export interface DescribeFormInput extends Partial<ThemeMessages> {
  /** The form to describe. */
  readonly formId: string;
  /** The locale of the texts. Default: the default texts. */
  readonly locale?: string | undefined;
}

/** A field as a front end shows it. Where there is no text for a label or an option, its key stands. */
export interface DescribedField {
  /** The id of the form field. */
  readonly id: string;
  /** Where the value is in the user or registration, such as `user.firstName`. */
  readonly key: string;
  /** The consent that the field asks for; on fields of the type `consent` only. */
  readonly consentId?: string | undefined;
  /** How to ask for the value; absent for consents. */
  readonly control?: FormFieldControl | undefined;
  /** The free metadata of the form field. */
  readonly data: Record<string, unknown>;
  /** The description of the form field. */
  readonly description?: string | undefined;
  /** Whether the field needs a value. */
  readonly required: boolean;
  /** What the value is: a text, a number, a date and so on. */
  readonly type: FormFieldType;
  /** The regular expression that the whole value must match, when enabled. */
  readonly validator: FormFieldFields["validator"];
  /** The text to show beside the field: the message of its key, else the key. */
  readonly label: string;
  /** The field that the same value is entered into again, where that is wanted. */
  readonly confirm?: { readonly key: string; readonly label: string } | undefined;
  /** What can be chosen; empty where anything can be entered, or where the front end knows the choices: languages, timezones, roles. */
  readonly options: readonly { readonly text: string; readonly value: string }[];
}

/** A form as a front end shows it. */
export interface DescribeFormResponse {
  /** Id, name, type and metadata of the form. */
  readonly form: { readonly data: Record<string, unknown>; readonly id: string; readonly name: string; readonly type: FormType };
  /** The steps in their order, with their fields. */
  readonly steps: readonly {
    /** Counted from one. */
    readonly step: number;
    /** What the step does. Only `collectData` has fields. */
    readonly type: FormStep["type"];
    /** The fields in their order. */
    readonly fields: readonly DescribedField[];
  }[];
  /** The keys of all texts that the form needs: labels, options and refusals. */
  readonly messageKeys: readonly string[];
  /** Those texts, as far as there are any. */
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

export const validateFormRequest: Schema<ParsedValidateFormRequest> = object({
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
