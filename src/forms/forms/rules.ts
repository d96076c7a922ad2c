import { FieldErrorList } from "../../errors/identity-error.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseRecord,
  type Reference,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { formFieldsTable } from "../../records/form-fields/family.js";
import type { FormField } from "../../records/form-fields/schema.js";
import { formFamily } from "../../records/forms/family.js";
import type { Form, FormRequest, FormStep, ParsedFormRequest } from "../../records/forms/schema.js";
import { foldText } from "../../shared/text.js";
import { describeForm } from "./describe-form.js";
import { validateForm } from "./validate-form.js";

/** The family of forms (docs/reference/forms.md#forms). */
export const forms: Family<Form, ParsedFormRequest> = {
  ...formFamily,
  referencesOf,
  rules: { toDraft, check },
};

/** Indexes are those of the stored form, without the removed steps. */
function referencesOf({ steps }: Form): readonly Reference[] {
  return steps.flatMap((step, index) =>
    step.fields.map((id, position) => ({ path: `form.steps[${index}].fields[${position}]`, table: formFieldsTable.name, id })),
  );
}

function toDraft(_call: WriteCall, request: ParsedFormRequest, context: DraftContext<Form>): Draft<Form> {
  const { id, now, current } = context;
  const { form } = request;
  const insertInstant = current?.record.insertInstant ?? now;
  const type = current?.record.type ?? form.type;
  const steps = form.steps
    .filter((step) => step !== null)
    .filter((step) => step.type !== "collectData" || step.fields.length > 0);
  return {
    record: { ...form, id, insertInstant, lastUpdateInstant: now, steps, type },
    columns: { nameFolded: foldText(form.name) },
  };
}

async function check(call: WriteCall, { draft: { record } }: Change<Form, ParsedFormRequest>): Promise<void> {
  const errors = new FieldErrorList();
  if (record.steps.length === 0) errors.add("empty", "form.steps");
  record.steps.forEach((step, index) => {
    checkStep(step, `form.steps[${index}].fields`, errors);
  });
  const references = referencesOf(record);
  const keys = await findKeys(call, references);
  checkKeys(references, keys, errors);
  errors.throwIfAny();
  if (record.type === "registration") checkRegistration(new Set(keys.values()), errors);
  errors.throwIfAny();
}

function checkStep({ fields, type }: FormStep, path: string, errors: FieldErrorList): void {
  if (type !== "collectData" && fields.length > 0) errors.add("invalid", path, `A step that verifies has no [${path}].`);
}

async function findKeys(call: WriteCall, references: readonly Reference[]): Promise<ReadonlyMap<string, string>> {
  const values = [...new Set(references.map((reference) => reference.id))];
  const fields = await call.reader.find(globalScope, formFieldsTable, { op: "in", column: "id", values });
  return new Map(fields.map((field) => [field.id, parseRecord<FormField>(field).key]));
}

function checkKeys(references: readonly Reference[], keys: ReadonlyMap<string, string>, errors: FieldErrorList): void {
  const seen = new Set<string>();
  for (const { id, path } of references) {
    const key = keys.get(id);
    if (key === undefined) errors.add("invalid", path);
    else if (seen.has(key)) errors.add("duplicate", path, `A form asks for the key ${key} once only.`);
    else seen.add(key);
  }
}

const loginKeys = ["user.email", "user.username", "user.phoneNumber"];

// Without both, a registered user could never log in.
function checkRegistration(keys: ReadonlySet<string>, errors: FieldErrorList): void {
  if (loginKeys.some((key) => keys.has(key)) && keys.has("user.password")) return;
  const needed = `one of ${loginKeys.join(", ")} and user.password`;
  errors.add("invalid", "form.steps", `The [form.steps] of a registration form must ask for ${needed}.`);
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = {
  describe: describeForm,
  validate: validateForm,
};

export const example: FamilyExample<FormRequest> = async ({ list, number }) => {
  const fields = await list("formFields");
  // The minimum of a registration form.
  const idsOf = (key: string): readonly string[] => fields.flatMap((field) => (field.key === key ? [String(field.id)] : []));
  return { form: { name: `Form ${number}`, steps: [{ fields: [...idsOf("user.email"), ...idsOf("user.password")] }] } };
};
