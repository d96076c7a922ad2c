import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { runBulkWrite } from "../../operations/bulk-write.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseHidden,
  parseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule, IdInput } from "../../operations/family/family-row.js";
import { assertPrecondition, optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { removeRecord } from "../../operations/verbs/remove.js";
import { type Filter, globalScope, type StoredRecord } from "../../ports/storage.js";
import { entityTypePermissionFamily, entityTypePermissionsTable } from "../../records/entity-type-permissions/family.js";
import type {
  EntityTypePermission,
  ParsedPermissionRequest,
  PermissionFields,
  PermissionRequest,
} from "../../records/entity-type-permissions/schema.js";
import { entityTypesTable, updatePermissionCount } from "../../records/entity-types/family.js";
import { equalsFilter, foldedFilter } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";
import { followPermission } from "../entity-grants/follow-permission.js";

interface HiddenPermission {
  readonly entityTypeId: string;
}

/** The family of an entity type's permissions (docs/reference/entities.md). */
export const entityTypePermissions: Family<EntityTypePermission, ParsedPermissionRequest> = {
  ...entityTypePermissionFamily,
  locate,
  rules: { listFilter, tenantOf, toDraft, afterWrite, afterRemove },
};

function locate(call: OperationCall): Filter {
  const filters = [
    equalsFilter("id", requireId(call, "permissionId")),
    equalsFilter("entityTypeId", requireId(call, "entityTypeId")),
  ];
  return { op: "and", filters };
}

// Types and their permissions are global. A new permission needs an existing type.
async function tenantOf(call: WriteCall): Promise<undefined> {
  await findType(call);
}

async function findType(call: OperationCall): Promise<StoredRecord> {
  const type = await call.reader.retrieve(globalScope, entityTypesTable, requireId(call, "entityTypeId"));
  if (type === undefined) throw generalError("notFound");
  return type;
}

/** Lists the permissions of one type. */
async function listFilter(call: OperationCall): Promise<Filter> {
  return equalsFilter("entityTypeId", (await findType(call)).id);
}

function toDraft(
  call: WriteCall,
  request: ParsedPermissionRequest,
  context: DraftContext<EntityTypePermission>,
): Draft<EntityTypePermission> {
  return toPermissionDraft(request.permission, requireId(call, "entityTypeId"), context);
}

/** Returns the draft of a permission. */
export function toPermissionDraft(
  fields: PermissionFields,
  entityTypeId: string,
  context: Pick<DraftContext<EntityTypePermission>, "id" | "now" | "current">,
): Draft<EntityTypePermission> {
  const { id, now, current } = context;
  return {
    record: { ...fields, id, insertInstant: current?.record.insertInstant ?? now, lastUpdateInstant: now },
    hidden: { entityTypeId },
    columns: { entityTypeId, nameFolded: foldText(fields.name) },
  };
}

async function afterWrite(
  call: WriteCall,
  { draft, original }: Change<EntityTypePermission, ParsedPermissionRequest>,
): Promise<void> {
  const { name } = draft.record;
  if (original === undefined) await recount(call, 1);
  else if (original.name !== name) await followPermission(call, original.name, name);
}

async function afterRemove(call: WriteCall, permission: EntityTypePermission): Promise<void> {
  await recount(call, -1);
  await followPermission(call, permission.name);
}

// The number of permissions is stored with the type, because types can be sorted by it.
async function recount(call: WriteCall, difference: number): Promise<void> {
  await call.tx.update(globalScope, entityTypesTable, updatePermissionCount(await findType(call), difference));
}

/** DELETE by id, or by name with `?name=`. Grants lose the permission too. */
async function removePermission(call: OperationCall): Promise<OperationResult> {
  return runBulkWrite(call, async (write, noteCount) => {
    const stored = await findPermission(write);
    await assertPrecondition(write, entityTypePermissions, stored);
    await removeRecord(write, entityTypePermissions, stored, noteCount);
    return emptyResult;
  });
}

async function findPermission(call: WriteCall): Promise<StoredRecord> {
  const id = optionalId(call, "permissionId");
  const { name } = call.params;
  if (id === undefined && (name === undefined || name === "")) throw fieldError("missing", "permissionId");
  const which = id === undefined ? foldedFilter("nameFolded", name ?? "") : equalsFilter("id", id);
  const filters = [await listFilter(call), which];
  const [permission] = await call.reader.find(globalScope, entityTypePermissionsTable, { op: "and", filters }, { limit: 1 });
  if (permission === undefined) throw generalError("notFound");
  return permission;
}

/** Groups stored permissions by type, and keeps their order. */
export function groupByType(permissions: readonly StoredRecord[]): ReadonlyMap<string, readonly EntityTypePermission[]> {
  const byType = Map.groupBy(permissions, (permission) => parseHidden<HiddenPermission>(permission)?.entityTypeId ?? "");
  return new Map([...byType].map(([typeId, own]) => [typeId, own.map((stored) => parseRecord<EntityTypePermission>(stored))]));
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = { remove: removePermission };

export const example: FamilyExample<PermissionRequest & IdInput<"entityTypeId">> = async ({ idAt, number }) => ({
  entityTypeId: await idAt("entityTypeId", "entityTypes"),
  permission: { name: `Permission ${number}` },
});
