import { FieldErrorList, generalError } from "../../errors/identity-error.js";
import { hasGrants } from "../../http/authenticate/principal.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers, CanonicalText } from "../../json/canonical-json.js";
import { type Draft, type DraftContext, type Family, parseHidden, parseRecord } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { assertPrecondition, optionalId, parseRequest, requireId } from "../../operations/family/record-steps.js";
import { mapWithinLimit } from "../../operations/family/response-size.js";
import {
  directoryContext,
  emptyResult,
  invalidateClients,
  type OperationCall,
  type WriteCall,
} from "../../operations/operation.js";
import { createRecord } from "../../operations/verbs/create.js";
import { runList, runRetrieve } from "../../operations/verbs/read.js";
import { changeRecord } from "../../operations/verbs/update.js";
import { type Filter, globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { entitiesTable } from "../../records/entities/family.js";
import type { Entity } from "../../records/entities/schema.js";
import {
  entityGrantFamily,
  entityGrantsTable,
  type StoredGrant,
  type UpsertGrantInput,
} from "../../records/entity-grants/family.js";
import type { EntityGrantFields, ParsedEntityGrantRequest } from "../../records/entity-grants/schema.js";
import { entityTypePermissionsTable } from "../../records/entity-type-permissions/family.js";
import type { EntityTypePermission } from "../../records/entity-type-permissions/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";

interface HiddenGrant {
  readonly entityId: string;
}

/** The family of grants on entities (docs/reference/entities.md). */
export const entityGrants: Family<StoredGrant, ParsedEntityGrantRequest> = {
  ...entityGrantFamily,
  locate,
  rules: { listFilter, tenantOf, toDraft, afterWrite: invalidateClients, afterRemove: invalidateClients, present },
};

function locate(call: OperationCall): Filter {
  const entityId = requireId(call, "entityId");
  const recipientEntityId = optionalId(call, "recipientEntityId");
  const userId = optionalId(call, "userId");
  if ((recipientEntityId === undefined) === (userId === undefined)) {
    const kind = userId === undefined ? "missing" : "invalid";
    throw new FieldErrorList().add(kind, "recipientEntityId").add(kind, "userId").toError();
  }
  return recipientFilter(entityId, { recipientEntityId, userId });
}

function recipientFilter(entityId: string, recipient: Pick<EntityGrantFields, "recipientEntityId" | "userId">): Filter {
  const { recipientEntityId, userId } = recipient;
  const ofRecipient =
    recipientEntityId === undefined ? equalsFilter("userId", userId ?? "") : equalsFilter("recipientEntityId", recipientEntityId);
  return { op: "and", filters: [equalsFilter("entityId", entityId), ofRecipient] };
}

// An entity outside of the scope is not found (docs/reference/authentication.md#tenant-header). The entity for this API is
// visible to every tenant.
async function findEntity(call: OperationCall): Promise<StoredRecord> {
  const id = requireId(call, "entityId");
  const entity = await call.reader.retrieve(isApi(call, id) ? globalScope : call.scope, entitiesTable, id);
  if (entity === undefined) throw generalError("notFound");
  return entity;
}

/** Whether an entity is the one for this API. */
export function isApi(call: OperationCall, entityId: string): boolean {
  return entityId === call.service.apiEntityId;
}

// A grant belongs to the tenant of the entity or, for the entity of this API, to that of the recipient.
async function tenantOf(call: WriteCall, { grant }: ParsedEntityGrantRequest): Promise<string | undefined> {
  const entity = await findEntity(call);
  return isApi(call, entity.id) ? findTenantOfRecipient(call, entity, grant) : (entity.tenantId ?? undefined);
}

function toDraft(call: WriteCall, request: ParsedEntityGrantRequest, context: DraftContext<StoredGrant>): Draft<StoredGrant> {
  const { id, now, current } = context;
  const insertInstant = current?.record.insertInstant ?? now;
  return toGrantDraft({ ...request.grant, id, insertInstant, lastUpdateInstant: now }, requireId(call, "entityId"));
}

/** Returns the draft of a grant. */
export function toGrantDraft(record: StoredGrant, entityId: string): Draft<StoredGrant> {
  const { recipientEntityId = null, userId = null } = record;
  return { record, hidden: { entityId }, columns: { entityId, recipientEntityId, userId } };
}

/** POST and PUT: grants permissions on an entity, or replaces the recipient's earlier permissions on it. */
async function upsertGrant(call: OperationCall): Promise<OperationResult> {
  await findEntity(call);
  const request = await parseRequest(call, entityGrants, call.body);
  return call.write(async (write) => {
    const entity = await findEntity(write);
    const filter = recipientFilter(entity.id, request.grant);
    const [stored] = await write.tx.find(write.scope, entityGrantsTable, filter, { limit: 1 });
    const resolved = await resolveGrant(write, entity, request, stored === undefined);
    if (stored !== undefined) {
      await assertPrecondition(write, entityGrants, stored);
      await changeRecord(write, entityGrants, stored, resolved);
    } else {
      if (write.ifMatch !== undefined) throw generalError("preconditionFailed");
      await createRecord(write, entityGrants, resolved, write.service.runtime.newId());
    }
    return emptyResult;
  });
}

// Names of permissions are case-insensitive, and are stored as the type, or this API, spells them.
async function resolveGrant(
  call: WriteCall,
  entity: StoredRecord,
  { grant }: ParsedEntityGrantRequest,
  isNew: boolean,
): Promise<ParsedEntityGrantRequest> {
  const errors = new FieldErrorList();
  if ((await findTenantOfRecipient(call, entity, grant)) === undefined)
    errors.add("invalid", grant.userId === undefined ? "grant.recipientEntityId" : "grant.userId");
  const { findName, defaults } = await findPermissions(call, entity);
  const named = grant.permissions.flatMap((name) => findName(name) ?? []);
  if (named.length < grant.permissions.length) errors.add("invalid", "grant.permissions");
  else if (isApi(call, entity.id) && !hasGrants(call.principal, call.service.apiPermissions.toGrants(named)))
    errors.add("invalid", "grant.permissions", "Nobody can grant what the calling key does not hold.");
  errors.throwIfAny();
  return { grant: { ...grant, permissions: isNew && named.length === 0 ? defaults : named } };
}

async function findTenantOfRecipient(
  call: WriteCall,
  entity: StoredRecord,
  { recipientEntityId, userId }: EntityGrantFields,
): Promise<string | undefined> {
  const scope = isApi(call, entity.id) ? call.scope : tenantScope(entity.tenantId ?? "");
  if (userId === undefined)
    return (await call.reader.retrieve(scope, entitiesTable, recipientEntityId ?? ""))?.tenantId ?? undefined;
  const users = await call.service.directory.findUsers(directoryContext(call, scope), [userId]);
  return users.find((user) => user.id === userId)?.tenantId;
}

/** The permissions that a grant on an entity may contain. */
interface Permissions {
  readonly findName: (name: string) => string | undefined;
  readonly defaults: readonly string[];
}

async function findPermissions(call: OperationCall, entity: StoredRecord): Promise<Permissions> {
  if (isApi(call, entity.id)) return { findName: call.service.apiPermissions.findName, defaults: [] };
  const sort = [{ column: "nameFolded", direction: "asc" } as const];
  const ofType = equalsFilter("entityTypeId", parseRecord<Entity>(entity).type.id);
  const found = await call.reader.find(globalScope, entityTypePermissionsTable, ofType, { sort });
  const known = found.map((permission) => parseRecord<EntityTypePermission>(permission));
  const byName = new Map(known.map(({ name }) => [foldText(name), name]));
  const defaults = known.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  return { findName: (name) => byName.get(foldText(name)), defaults };
}

async function listFilter(call: OperationCall): Promise<Filter> {
  return equalsFilter("entityId", (await findEntity(call)).id);
}

/** GET: returns the grant to one recipient, or all grants on an entity. */
async function findGrants(call: OperationCall): Promise<OperationResult> {
  const isAddressed = [call.params.recipientEntityId, call.params.userId].some((id) => id !== undefined && id !== "");
  return isAddressed ? runRetrieve(call, entityGrants) : runList(call, entityGrants);
}

// Adds the entity to each grant, with one query. Its text has no secret, which is sealed elsewhere.
async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const values = [...new Set(records.map(entityOf))];
  const found = values.length === 0 ? [] : await call.reader.find(globalScope, entitiesTable, { op: "in", column: "id", values });
  const entities = new Map(found.map((entity) => [entity.id, new CanonicalText(entity.json)]));
  return mapWithinLimit(call.service, records, (record) => addMembers(record.json, { entity: entities.get(entityOf(record)) }));
}

/** The id of the entity of a stored grant. */
export function entityOf(grant: StoredRecord): string {
  return parseHidden<HiddenGrant>(grant)?.entityId ?? "";
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = { upsert: upsertGrant, find: findGrants };

export const example: FamilyExample<UpsertGrantInput> = async ({ has, idAt }) => ({
  entityId: await idAt("entityId", "entities"),
  grant: has("grant.recipientEntityId") ? {} : { userId: await idAt("grant.userId", "users") },
});
