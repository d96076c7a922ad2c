import { FieldErrorList } from "../../errors/identity-error.js";
import { type Change, type Draft, type DraftContext, type Family, parseRecord } from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import type { WriteCall } from "../../operations/operation.js";
import { findHolderIds, referencesAt } from "../../operations/references/references.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { Runtime } from "../../ports/runtime.js";
import { globalScope, type Transaction } from "../../ports/storage.js";
import { formFieldFamily, formFieldsTable, type ManagedKey, managedKeys } from "../../records/form-fields/family.js";
import type {
  FormField,
  FormFieldControl,
  FormFieldRequest,
  FormFieldType,
  ParsedFormFieldRequest,
} from "../../records/form-fields/schema.js";
import { formsTable } from "../../records/forms/family.js";
import type { Form } from "../../records/forms/schema.js";
import { findExpressionError, foldText } from "../../shared/text.js";

/** The family of form fields (docs/reference/forms.md#form-fields). */
export const formFields: Family<FormField, ParsedFormFieldRequest> = {
  ...formFieldFamily,
  referencesOf: referencesAt("field", { consentId: "consents" }),
  rules: { toDraft, check },
};

type RequestedField = ParsedFormFieldRequest["field"];

/** The members of a field that no change can alter. */
type Identity = Pick<FormField, "key" | "type" | "control">;

// The rules of docs/reference/forms.md#form-fields. Members that another member makes meaningless are dropped, so that no record
// contradicts itself.
function toDraft(_call: WriteCall, request: ParsedFormFieldRequest, context: DraftContext<FormField>): Draft<FormField> {
  const { id, now, current } = context;
  const { name, data, description, validator, ...field } = request.field;
  const { key, type, control } = current?.record ?? toIdentity(request.field);
  const isConsent = type === "consent";
  const consentId = isConsent ? field.consentId : undefined;
  return toFieldDraft({
    confirm: !isConsent && field.confirm,
    consentId,
    control,
    data,
    description,
    id,
    insertInstant: current?.record.insertInstant ?? now,
    key: isConsent ? `consents['${consentId}']` : key,
    lastUpdateInstant: now,
    name,
    options: toOptions(field.options, { type, control }),
    required: key === "user.password" || field.required,
    type,
    validator: takesValidator(control) ? toValidator(validator) : { enabled: false },
  });
}

function toFieldDraft(record: FormField): Draft<FormField> {
  return { record, columns: { nameFolded: foldText(record.name) } };
}

function toIdentity({ key: said = "", type = "string", control = "text" }: RequestedField): Identity {
  if (type === "consent") return { key: "", type };
  const key = said === "user.firstname" ? "user.firstName" : said;
  const managed = managedKeys.get(key);
  if (managed !== undefined) return { key, type: managed.type, control: managed.control };
  return { key, type, control: type === "email" ? "text" : control };
}

function toOptions(
  options: readonly (string | null)[],
  { type, control }: Pick<FormField, "type" | "control">,
): readonly string[] {
  const given = options.filter((option) => option !== null);
  if (type !== "bool" || control !== "checkbox") return given;
  return given.map((option) => option.toLowerCase()).sort((a, b) => Number(b === "true") - Number(a === "true"));
}

function takesValidator(control: FormFieldControl | undefined): boolean {
  return control === "number" || control === "text" || control === "textarea";
}

function toValidator({ enabled, expression }: FormField["validator"]): FormField["validator"] {
  return expression?.trim() === "" ? { enabled } : { enabled, expression };
}

async function check(call: WriteCall, change: Change<FormField, ParsedFormFieldRequest>): Promise<void> {
  const { record } = change.draft;
  const errors = new FieldErrorList();
  if (record.type === "consent" && record.consentId === undefined) errors.add("missing", "field.consentId");
  if (change.kind === "create" && record.type !== "consent") checkKey(record.key, errors);
  checkOptions(record, errors);
  checkValidator(record, errors);
  errors.throwIfAny();
  if (change.original !== undefined && change.original.key !== record.key) await checkForms(call, record, errors);
  errors.throwIfAny();
}

const segment = "[A-Za-z_][A-Za-z0-9_]*";
const customKey = new RegExp(`^(?:user|registration)\\.data\\.${segment}(?:\\.${segment}|\\[\\d{1,4}\\]|\\['${segment}'\\])*$`);

/** Names that every object inherits: values at such a path would pollute prototypes. */
const inheritedNames = /\b(?:__proto__|constructor|prototype)\b/;

function checkKey(key: string, errors: FieldErrorList): void {
  if (key.trim() === "") errors.add("blank", "field.key");
  else if (!managedKeys.has(key) && (!customKey.test(key) || inheritedNames.test(key))) errors.add("invalid", "field.key");
}

const optionShapes: Readonly<Partial<Record<FormFieldType, (option: string) => boolean>>> = {
  bool: (option) => /^(?:true|false)$/i.test(option),
  date: (option) => /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(option) && !Number.isNaN(Date.parse(option)),
  email: (option) => /^[^\s@]+@[^\s@]+$/.test(option),
  number: (option) => /^[+-]?\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?$/.test(option),
};

// The service itself knows the choices of managed keys, booleans and consents.
function checkOptions({ control, key, options, type }: FormField, errors: FieldErrorList): void {
  const isChoice = control === "checkbox" || control === "radio" || control === "select";
  if (isChoice && options.length === 0 && type !== "bool" && !managedKeys.has(key)) errors.add("empty", "field.options");
  if (!options.every(optionShapes[type] ?? (() => true))) errors.add("invalid", "field.options");
}

function checkValidator({ validator: { enabled, expression } }: FormField, errors: FieldErrorList): void {
  if (enabled && expression === undefined) errors.add("blank", "field.validator.expression");
  const reason = expression === undefined ? undefined : findExpressionError(expression);
  if (reason !== undefined)
    errors.add("invalid", "field.validator.expression", `The [field.validator.expression] is no regular expression: ${reason}.`);
}

// The key of a consent field follows its consent, and a form must not contain a key twice.
async function checkForms(call: WriteCall, { id, key }: FormField, errors: FieldErrorList): Promise<void> {
  const holders = await findHolderIds(call, formFieldsTable, id);
  const forms = await call.reader.find(globalScope, formsTable, { op: "in", column: "id", values: holders });
  const fieldIds = forms.flatMap((form) => parseRecord<Form>(form).steps.flatMap((step) => step.fields));
  const values = [...new Set(fieldIds)].filter((fieldId) => fieldId !== id);
  const neighbours = await call.reader.find(globalScope, formFieldsTable, { op: "in", column: "id", values });
  if (neighbours.some((field) => parseRecord<FormField>(field).key === key)) errors.add("duplicate", "field.consentId");
}

/**
 * Creates a field for every managed key of the version (docs/reference/forms.md#form-fields). The key in each name avoids
 * collisions with other names.
 */
export async function makeBuiltIn(tx: Transaction, service: ServiceContext): Promise<void> {
  const known = [...managedKeys].filter(([key]) => service.availability.hasValue("field.key", key));
  const drafts = known.map(([key, managed]) => toFieldDraft(toManagedField(key, managed, service.runtime)));
  const records = drafts.map((draft) => toRecordToStore(draft, null, 1));
  await tx.insert(globalScope, formFieldsTable, records);
}

function toManagedField(key: string, { title, type, control, leftAddon }: ManagedKey, { clock, newId }: Runtime): FormField {
  const now = clock();
  const isPassword = key === "user.password";
  return {
    confirm: isPassword,
    control,
    data: { leftAddon },
    id: newId(),
    insertInstant: now,
    key,
    lastUpdateInstant: now,
    name: `${title} (${key})`,
    options: [],
    required: isPassword,
    type,
    validator: { enabled: false },
  };
}

export const example: FamilyExample<FormFieldRequest> = ({ number }) => ({
  field: { name: `Field ${number}`, key: `user.data.field${number}` },
});
