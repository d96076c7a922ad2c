import type { BaseRecord } from "../../operations/family.js";
import { data, id, list, name, object, option, type Schema, sparseList } from "../../schema/fields.js";

const types = ["registration", "adminRegistration", "adminUser", "selfServiceUser"] as const;
const stepTypes = ["collectData", "verifyEmail", "verifyPhoneNumber"] as const;

/** What a form is for (facts.md 6.3). */
export type FormType = (typeof types)[number];

/** One step of a form: fields to fill in, or something to verify and no fields. */
export interface FormStep {
  /** The ids of form fields, in the order in which they are asked. */
  readonly fields: readonly string[];
  readonly type: (typeof stepTypes)[number];
}

/** What a caller may say about a form (facts.md 6.3). */
export interface FormDefinition {
  readonly name: string;
  readonly data: Record<string, unknown>;
  readonly steps: readonly FormStep[];
  /** Said on POST only. Default `registration`. */
  readonly type: FormType;
}

/** A form on the wire. */
export interface Form extends BaseRecord, FormDefinition {}

/** The body of POST and PUT. */
export interface FormRequest {
  readonly form: Partial<Omit<FormDefinition, "steps">> &
    Pick<FormDefinition, "name"> & { readonly steps: readonly Partial<FormStep>[] };
}

/** A request whose defaults are filled in. */
export interface ParsedFormRequest {
  readonly form: Omit<FormDefinition, "steps"> & { readonly steps: readonly (FormStep | null)[] };
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
