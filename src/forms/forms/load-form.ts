import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import { optionalId } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type Table } from "../../ports/storage.js";
import { consentsTable } from "../../records/consents/family.js";
import type { Consent } from "../../records/consents/schema.js";
import { formFieldsTable } from "../../records/form-fields/family.js";
import type { FormField } from "../../records/form-fields/schema.js";
import { formsTable } from "../../records/forms/family.js";
import type { Form, FormStep } from "../../records/forms/schema.js";
import type { RequestedField } from "./read-entry.js";

interface LoadedStep {
  readonly type: FormStep["type"];
  readonly fields: readonly RequestedField[];
}

/** A form with its fields; without a record for fields that a caller lists, in one step. */
export interface LoadedForm {
  readonly form: Form | undefined;
  readonly steps: readonly LoadedStep[];
}

/** Loads the form of the call. @throws IdentityError 404 for an unknown one, `[missing]formId` without an id. */
export async function loadForm(call: OperationCall): Promise<LoadedForm & { readonly form: Form }> {
  const id = optionalId(call, "formId");
  if (id === undefined) throw fieldError("missing", "formId");
  const stored = await call.reader.retrieve(globalScope, formsTable, id);
  if (stored === undefined) throw generalError("notFound");
  const form = parseRecord<Form>(stored);
  const fields = await findFields(
    call,
    form.steps.flatMap((step) => step.fields),
  );
  return { form, steps: form.steps.map((step) => ({ type: step.type, fields: pick(fields, step.fields) })) };
}

/** Loads fields as the only step of an imaginary form. @throws IdentityError 400 `[invalid]fieldIds` for an unknown one. */
export async function loadFields(call: OperationCall, ids: readonly string[]): Promise<LoadedForm> {
  const fields = await findFields(call, ids);
  if (ids.some((id) => !fields.has(id))) throw fieldError("invalid", "fieldIds");
  return { form: undefined, steps: [{ type: "collectData", fields: pick(fields, ids) }] };
}

function pick<T>(known: ReadonlyMap<string, T>, ids: readonly string[]): readonly T[] {
  return ids.flatMap((id) => known.get(id) ?? []);
}

async function findFields(call: OperationCall, ids: readonly string[]): Promise<ReadonlyMap<string, RequestedField>> {
  const fields = await findByIds<FormField>(call, formFieldsTable, ids);
  const consentIds = [...fields.values()].flatMap((field) => field.consentId ?? []);
  const consents = await findByIds<Consent>(call, consentsTable, consentIds);
  return new Map([...fields].map(([id, field]) => [id, { field, consent: consents.get(field.consentId ?? "") }]));
}

async function findByIds<Wire>(call: OperationCall, table: Table, ids: readonly string[]): Promise<ReadonlyMap<string, Wire>> {
  const values = [...new Set(ids)];
  const found = values.length === 0 ? [] : await call.reader.find(globalScope, table, { op: "in", column: "id", values });
  return new Map(found.map((stored) => [stored.id, parseRecord<Wire>(stored)]));
}
