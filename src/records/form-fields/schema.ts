import { data, flag, id, maxNameLength, name, object, option, type Schema, sparseList, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

const types = ["bool", "consent", "date", "email", "number", "phoneNumber", "string"] as const;
const controls = ["checkbox", "number", "password", "radio", "select", "textarea", "text"] as const;

/** The type of the value of a form field (docs/reference/forms.md#form-fields). */
export type FormFieldType = (typeof types)[number];

/** The input control of a form field (docs/reference/forms.md#form-fields). */
export type FormFieldControl = (typeof controls)[number];

/** Writable fields of a form field (docs/reference/forms.md#form-fields). */
export interface FormFieldFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Whether the user enters the value twice. */
  readonly confirm: boolean;
  /** The consent that a field of the type `consent` asks for. */
  readonly consentId?: string | undefined;
  /** On POST of a custom field only. */
  readonly control?: FormFieldControl | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Free text; absent unless given. */
  readonly description?: string | undefined;
  /**
   * Where in the user or registration the value is: a managed key, or one below `user.data` or `registration.data`. On POST
   * only.
   */
  readonly key?: string | undefined;
  /** The choices of a checkbox, radio or select: at most 1,000 texts that fit the type. Default `[]`. */
  readonly options: readonly string[];
  /** Whether the field needs a value. Default false; `user.password` is always required. */
  readonly required: boolean;
  /** On POST of a custom field only. Default `string`. */
  readonly type?: FormFieldType | undefined;
  /** A regular expression that the whole value must match. */
  readonly validator: { readonly enabled: boolean; readonly expression?: string | undefined };
}

/** A form field on the wire. Only fields of the type `consent` have no control. */
export interface FormField extends BaseRecord, FormFieldFields {
  readonly key: string;
  readonly type: FormFieldType;
}

/** The body of POST and PUT. */
export interface FormFieldRequest {
  /** The fields of the form field; `name` is required, and POST needs a key or a consent. */
  readonly field: Partial<Omit<FormFieldFields, "validator">> &
    Pick<FormFieldFields, "name"> & { readonly validator?: Partial<FormFieldFields["validator"]> };
}

export interface ParsedFormFieldRequest {
  readonly field: Omit<FormFieldFields, "options"> & { readonly options: readonly (string | null)[] };
}

const maxExpressionLength = 1_000;

export const formFieldRequest: Schema<ParsedFormFieldRequest> = object({
  field: object({
    name: name(),
    confirm: flag().default(false),
    consentId: id().optional(),
    control: option(controls).optional(),
    data: data().default({}),
    description: text().optional(),
    key: text().max(maxNameLength, { error: "tooLong" }).optional(),
    options: sparseList(text()).max(1_000, { error: "tooMany" }).default([]),
    required: flag().default(false),
    type: option(types).optional(),
    validator: object({
      enabled: flag().default(false),
      expression: text().max(maxExpressionLength, { error: "tooLong" }).optional(),
    }).prefault({}),
  }),
});
