import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { type Filter, globalScope, type StoredRecord, type Table } from "../../ports/storage.js";
import { valueAt } from "../../shared/objects.js";
import type { BaseRecord, Family, Reference } from "../family/family.js";
import { directoryContext, type OperationCall, type WriteCall } from "../operation.js";
import { recordPurposes } from "./key-purposes.js";
import { insertLinks } from "./links.js";

/**
 * References inside record texts. Holder and target have table and id, since callers may choose the same id for two kinds of
 * records.
 */
export const referencesTable: Table = Object.freeze({
  name: "references",
  tenancy: "optional",
  since: 2,
  columns: { holder: { type: "text" }, target: { type: "text" } },
  uniqueKeys: [],
  indexes: [{ columns: ["holder"] }, { columns: ["target"] }],
} satisfies Table);

/**
 * The references of records at known dotted paths, with the table of each path. `fits` decides whether a record is allowed at a
 * path from the wrapper.
 */
export function referencesAt(
  wrapper: string,
  tables: Readonly<Record<string, string>>,
  fits?: (path: string, named: StoredRecord) => boolean,
): (record: BaseRecord) => readonly Reference[] {
  const rows = Object.entries(tables);
  return (record) =>
    rows.flatMap(([path, table]) => {
      const id = valueAt(record, path);
      const whole = `${wrapper}.${path}`;
      return typeof id === "string" ? { path: whole, table, id, fits: fits && ((named) => fits(whole, named)) } : [];
    });
}

/**
 * The references of a record whose targets exist, in the record's tenant or outside of any; undefined for families without
 * references.
 * @throws IdentityError 400 `[invalid]<path>` for each reference to a missing or unfit record.
 */
export async function checkReferences<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
  record: Wire,
  tenantId: string | undefined,
): Promise<readonly Reference[] | undefined> {
  if (family.referencesOf === undefined) return undefined;
  const references = family.referencesOf(record);
  const errors = new FieldErrorList();
  for (const [name, group] of Map.groupBy(references, (reference) => reference.table)) {
    const table = call.service.tables.find((known) => known.name === name);
    const values = [...new Set(group.map((reference) => reference.id))];
    const found = table === undefined ? [] : await call.reader.find(globalScope, table, { op: "in", column: "id", values });
    const isVisible = (record: StoredRecord): boolean =>
      record.tenantId === null || tenantId === undefined || record.tenantId === tenantId;
    const known = new Map(found.filter(isVisible).map((record) => [record.id, record]));
    for (const { path, id, fits } of group) {
      const named = known.get(id);
      if (named === undefined || fits?.(named) === false) errors.add("invalid", path);
    }
  }
  errors.throwIfAny();
  return references;
}

/** Replaces the stored references of a record. */
export async function saveReferences<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  holder: StoredRecord,
  change: { readonly references: readonly Reference[]; readonly isNew: boolean },
): Promise<void> {
  if (!change.isNew) await removeReferences(call, family.table, holder.id);
  if (change.references.length === 0) return;
  await recordPurposes(call, family.table, holder, change.references);
  await addReferences(call, family, holder, change.references);
}

/** Stores further references of a record, until its next change. */
export async function addReferences(
  call: WriteCall,
  family: { readonly table: Table; readonly wrapper: string },
  holder: StoredRecord,
  references: readonly Pick<Reference, "id" | "table">[],
): Promise<void> {
  const { id, tenantId, json } = holder;
  const { name } = JSON.parse(json) as { readonly name?: string };
  const shown = toCanonicalJson({ id, name, wrapper: family.wrapper });
  const targets = new Set(references.map((reference) => keyOf(reference.table, reference.id)));
  const links = Array.from(targets, (target) => ({
    tenantId,
    columns: { holder: keyOf(family.table.name, id), target },
    json: shown,
  }));
  await insertLinks(call, referencesTable, links);
}

/** Removes the references of a record that is removed. */
export async function removeReferences(call: WriteCall, table: Table, id: string): Promise<void> {
  await call.tx.remove(globalScope, referencesTable, { op: "equals", column: "holder", value: keyOf(table.name, id) });
}

/** @throws IdentityError 400 `[inUse]<path>` when another record refers to this one; the message names some of these. */
export async function assertUnused(
  call: WriteCall,
  { idParameter: path, table }: { readonly idParameter: string; readonly table: Table },
  id: string,
): Promise<void> {
  const found = await call.tx.find(globalScope, referencesTable, isTarget(table, id), { limit: 10 });
  const holders = found.map((record) => JSON.parse(record.json) as Holder);
  if (holders.length === 0) return;
  const names = holders.map((holder) => `${holder.wrapper} ${holder.name ?? holder.id}`);
  throw fieldError("inUse", path, `What [${path}] names is in use and cannot be removed: ${names.join(", ")}.`);
}

/** The ids of the records that refer to this one. */
export async function findHolderIds(call: OperationCall, table: Table, id: string): Promise<readonly string[]> {
  return (await findHolders(call, table, id)).map((holder) => holder.id);
}

/** The records that refer to this one. */
export async function findHolders(
  call: Pick<OperationCall, "reader">,
  table: Table,
  id: string,
): Promise<readonly Pick<Holder, "id" | "wrapper">[]> {
  const found = await call.reader.find(globalScope, referencesTable, isTarget(table, id));
  return found.map((record) => JSON.parse(record.json) as Holder);
}

function isTarget(table: Table, id: string): Filter {
  return { op: "equals", column: "target", value: keyOf(table.name, id) };
}

function keyOf(table: string, id: string): string {
  return `${table}/${id}`;
}

interface Holder {
  readonly wrapper: string;
  readonly id: string;
  readonly name?: string;
}

/**
 * The tenant of a new record (docs/reference/authentication.md#tenant-header): the tenant of the call, else the one in the body,
 * else the only one of the service.
 * @throws IdentityError 400 `[TenantIdRequired]` when there are several; `[invalid]tenantId` for an unknown one.
 */
export async function resolveTenant(...asked: Parameters<typeof findTenant>): Promise<string> {
  return (await findTenant(...asked)).id;
}

/** The record of the tenant that {@link resolveTenant} returns. */
export async function findTenant(
  call: OperationCall,
  inBody?: { readonly tenantId?: string | undefined; readonly path: string },
): Promise<StoredRecord> {
  const bound = call.scope.kind === "tenant" ? call.scope.tenantId : undefined;
  const tenantId = bound ?? inBody?.tenantId;
  if (tenantId === undefined) return onlyTenant(call);
  const tenant = await call.reader.retrieve(globalScope, call.service.tenantsTable, tenantId);
  if (tenant === undefined) throw fieldError("invalid", bound === undefined && inBody ? inBody.path : "tenantId");
  return usableTenant(tenant);
}

/** The only tenant of the service. @throws IdentityError 400 `[TenantIdRequired]` when there are several. */
export async function onlyTenant(call: OperationCall): Promise<StoredRecord> {
  const [tenant, another] = await call.reader.find(globalScope, call.service.tenantsTable, undefined, { limit: 2 });
  if (tenant === undefined || another !== undefined) throw generalError("TenantIdRequired");
  // The only tenant left is the default tenant, which cannot be deleted.
  return tenant;
}

/**
 * The record of a tenant; undefined for none.
 * @throws IdentityError 400 `[pendingDelete]tenantId` when the tenant is being deleted: nothing in it changes any more.
 */
export async function assertUsableTenant(
  call: OperationCall,
  tenantId: string | null | undefined,
): Promise<StoredRecord | undefined> {
  if (tenantId === null || tenantId === undefined) return undefined;
  const tenant = await call.reader.retrieve(globalScope, call.service.tenantsTable, tenantId);
  return tenant && usableTenant(tenant);
}

function usableTenant(tenant: StoredRecord): StoredRecord {
  // Parses the long text only where it has the word: every change reads it.
  const mayBePending = tenant.json.includes('"PendingDelete"');
  if (mayBePending && JSON.parse(tenant.json).state === "PendingDelete") throw fieldError("pendingDelete", "tenantId");
  return tenant;
}

interface NamedUsers {
  readonly wrapper: string;
  /** Ids by field: first that of the record's owner. */
  readonly ids: Readonly<Record<string, string>>;
  /** Whether the other users may be of another tenant. */
  readonly mayBeOthers?: boolean;
}

/**
 * The tenant of a record by its owner; adds `[invalid]<wrapper>.<field>` for each user outside of the scope or in another tenant.
 */
export async function findTenantOfUsers(
  call: WriteCall,
  { ids, mayBeOthers = false, wrapper }: NamedUsers,
  errors: FieldErrorList,
): Promise<string> {
  const found = await call.service.directory.findUsers(directoryContext(call), [...new Set(Object.values(ids))]);
  // A host's directory gets the scope, but may ignore it.
  const seen = found.filter(({ tenantId }) => call.scope.kind === "global" || tenantId === call.scope.tenantId);
  const tenants = new Map(seen.map((user) => [user.id, user.tenantId]));
  const own = tenants.get(Object.values(ids)[0] ?? "");
  for (const [field, id] of Object.entries(ids)) {
    const tenantId = tenants.get(id);
    if (tenantId === undefined || (!mayBeOthers && tenantId !== (own ?? tenantId))) errors.add("invalid", `${wrapper}.${field}`);
  }
  return own ?? "";
}
