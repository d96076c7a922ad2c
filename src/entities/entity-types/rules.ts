import { FieldErrorList } from "../../errors/identity-error.js";
import { addMembers } from "../../json/canonical-json.js";
import { type Change, type Draft, type DraftContext, type Family, parseHidden } from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import { invalidateClients, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { referencesAt } from "../../operations/references/references.js";
import { globalScope, type StoredRecord, UniqueViolation } from "../../ports/storage.js";
import { entityTypePermissionsTable } from "../../records/entity-type-permissions/family.js";
import { entityTypeFamily, type HiddenEntityType, toColumns } from "../../records/entity-types/family.js";
import type { EntityType, EntityTypeRequest, ParsedEntityTypeRequest } from "../../records/entity-types/schema.js";
import { groupByType, toPermissionDraft } from "../entity-type-permissions/rules.js";

/** The family of entity types (docs/reference/entities.md). */
export const entityTypes: Family<EntityType, ParsedEntityTypeRequest> = {
  ...entityTypeFamily,
  referencesOf: referencesAt("entityType", { "jwtConfiguration.accessTokenKeyId": "keys" }),
  rules: { toDraft, afterWrite, afterRemove: invalidateClients, present },
};

function toDraft(_call: WriteCall, request: ParsedEntityTypeRequest, context: DraftContext<EntityType>): Draft<EntityType> {
  const { id, now, current } = context;
  const { permissions, ...fields } = request.entityType;
  const kept = current && parseHidden<HiddenEntityType>(current);
  const hidden: HiddenEntityType = { permissionsCount: kept?.permissionsCount ?? permissions.length };
  const insertInstant = current?.record.insertInstant ?? now;
  return {
    record: { ...fields, id, insertInstant, lastUpdateInstant: now, permissions: [] },
    hidden: { ...hidden },
    columns: toColumns(fields.name, hidden),
  };
}

async function afterWrite(call: WriteCall, change: Change<EntityType, ParsedEntityTypeRequest>): Promise<void> {
  await invalidateClients(call);
  await createPermissions(call, change);
}

async function createPermissions(call: WriteCall, change: Change<EntityType, ParsedEntityTypeRequest>): Promise<void> {
  const { draft, kind, request } = change;
  const { permissions } = request.entityType;
  if (kind === "update" || permissions.length === 0) return;
  const { newId, clock } = call.service.runtime;
  const records = permissions.map(({ id = newId(), ...fields }) => {
    const context = { id, now: clock(), current: undefined };
    return toRecordToStore(toPermissionDraft(fields, draft.record.id, context), null, 1);
  });
  try {
    await call.tx.insert(globalScope, entityTypePermissionsTable, records);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const errors = new FieldErrorList();
    for (const key of error.keys) errors.add("duplicate", `entityType.permissions.${key}`);
    throw errors.toError();
  }
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const values = records.filter(hasPermissions).map((record) => record.id);
  if (values.length === 0) return records.map((record) => record.json);
  const ofTypes = { op: "in", column: "entityTypeId", values } as const;
  const sort = [{ column: "nameFolded", direction: "asc" } as const];
  const byType = groupByType(await call.reader.find(globalScope, entityTypePermissionsTable, ofTypes, { sort }));
  return records.map((record) => {
    const permissions = byType.get(record.id);
    return permissions === undefined ? record.json : addMembers(record.json, { permissions });
  });
}

function hasPermissions(type: StoredRecord): boolean {
  return (parseHidden<HiddenEntityType>(type)?.permissionsCount ?? 0) > 0;
}

export const example: FamilyExample<EntityTypeRequest> = ({ number }) => ({ entityType: { name: `Entity type ${number}` } });
