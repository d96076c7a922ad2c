import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import { hasGrants } from "../../http/authenticate/principal.js";
import { addMembers } from "../../json/canonical-json.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { type Change, type Draft, type DraftContext, type Family, parseRecord } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import { sealFields } from "../../operations/family/wire-records.js";
import { invalidateClients, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, type StoredRecord, type Table, type Transaction, tenantScope } from "../../ports/storage.js";
import { entitiesTable, entityFamily } from "../../records/entities/family.js";
import type { Entity, EntityRequest, ParsedEntityRequest } from "../../records/entities/schema.js";
import { entityGrantsTable } from "../../records/entity-grants/family.js";
import type { EntityGrantFields } from "../../records/entity-grants/schema.js";
import { apiEntityTypeId, entityTypesTable, type HiddenEntityType, toColumns } from "../../records/entity-types/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { generateClientSecret } from "../../security/random-secrets.js";
import { digestSecret } from "../../security/seal.js";
import { foldText } from "../../shared/text.js";

/** The digest of the client secret, to verify a presented secret. */
interface HiddenEntity {
  readonly secretDigest: string;
}

/** The family of entities (docs/reference/entities.md). */
export const entities: Family<Entity, ParsedEntityRequest> = {
  ...entityFamily,
  rules: { toDraft, check, afterWrite, beforeRemove, afterRemove: invalidateClients, present },
};

function toDraft(call: Pick<WriteCall, "service">, request: ParsedEntityRequest, context: DraftContext<Entity>): Draft<Entity> {
  const { id, tenantId = "", now, current } = context;
  const { entity } = request;
  const original = current?.record;
  // An empty secret counts as absent.
  const clientSecret = entity.clientSecret || (original?.clientSecret ?? generateClientSecret(call.service.runtime.random));
  const record: Entity = {
    ...entity,
    id,
    tenantId,
    insertInstant: original?.insertInstant ?? now,
    lastUpdateInstant: now,
    clientId: entity.clientId || (original?.clientId ?? id),
    clientSecret,
    type: original?.type ?? { id: entity.type.id },
  };
  const hidden: HiddenEntity = { secretDigest: digestSecret(clientSecret) };
  const { clientId, name, parentId = null, type } = record;
  const columns = { nameFolded: foldText(name), clientIdFolded: foldText(clientId), typeId: type.id, parentId };
  return { record, hidden: { ...hidden }, columns };
}

async function check(call: WriteCall, { draft, original }: Change<Entity, ParsedEntityRequest>): Promise<void> {
  const { id, parentId, type } = draft.record;
  if (original !== undefined && (await findStronger(call, [id])).has(id)) throw generalError("unauthorized");
  const errors = new FieldErrorList();
  const isTypeKnown =
    original !== undefined || (await call.reader.retrieve(globalScope, entityTypesTable, type.id)) !== undefined;
  if (!isTypeKnown) errors.add("invalid", "entity.type.id");
  if (parentId !== undefined && parentId !== original?.parentId && !(await mayBeParent(call, draft.record, parentId)))
    errors.add("invalid", "entity.parentId", `A parent is an entity of the same tenant, at most ${maxAncestors} levels deep.`);
  errors.throwIfAny();
}

const maxAncestors = 64;

// The parent and all its ancestors must exist, and must not include the entity itself.
async function mayBeParent(call: WriteCall, { id, tenantId }: Entity, parentId: string): Promise<boolean> {
  let next: string | undefined = parentId;
  for (let level = 0; level < maxAncestors; level++) {
    if (next === id) return false;
    const ancestor = await call.reader.retrieve(tenantScope(tenantId), entitiesTable, next);
    if (ancestor === undefined) return false;
    next = parseRecord<Entity>(ancestor).parentId;
    if (next === undefined) return true;
  }
  return false;
}

// The client secret grants its holder the entity's rights on this API, so that only callers with these rights see it.
function present(call: OperationCall, records: readonly StoredRecord[]): readonly string[] | Promise<readonly string[]> {
  if (hasGrants(call.principal, "all")) return records.map(({ json }) => json);
  const ids = records.map(({ id }) => id);
  return findStronger(call, ids).then((stronger) =>
    records.map(({ id, json }) => (stronger.has(id) ? addMembers(json, { clientSecret: undefined }) : json)),
  );
}

/** Returns the ids of entities with a permission on this API that the caller lacks. */
async function findStronger(call: OperationCall, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { apiEntityId, apiPermissions } = call.service;
  if (hasGrants(call.principal, "all") || ids.length === 0) return new Set();
  const filters = [equalsFilter("entityId", apiEntityId), { op: "in", column: "recipientEntityId", values: ids } as const];
  const grants = await call.reader.find(globalScope, entityGrantsTable, { op: "and", filters });
  const stronger = grants
    .map((grant) => parseRecord<EntityGrantFields>(grant))
    .filter(({ permissions }) => !hasGrants(call.principal, apiPermissions.toGrants(permissions)));
  return new Set(stronger.map(({ recipientEntityId = "" }) => recipientEntityId));
}

async function afterWrite(call: WriteCall, { draft, kind, original }: Change<Entity, ParsedEntityRequest>): Promise<void> {
  await invalidateClients(call);
  await tell(call, `entity.${kind}`, draft.record, { original: original && withoutSecret(original) });
}

async function beforeRemove(call: WriteCall, entity: Entity): Promise<void> {
  if (entity.id === call.service.apiEntityId) throw fieldError("inUse", "entityId", "The entity stands for this API.");
}

/** Returns the events of removed entities. */
async function describeRemovedEntities(_call: WriteCall, records: readonly StoredRecord[]): Promise<readonly NewEvent[]> {
  // The secret is sealed elsewhere in the record; `withoutSecret` makes sure.
  return records.map(({ id, json, tenantId }) => {
    const entity = withoutSecret(JSON.parse(json) as Entity);
    return { type: "entity.delete", tenantId: tenantId ?? "", linkedObjectId: id, fields: { entity } };
  });
}

async function tell(
  call: WriteCall,
  type: string,
  entity: Entity,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { id: linkedObjectId, tenantId } = entity;
  await publishEvent(call, { type, tenantId, linkedObjectId, fields: { entity: withoutSecret(entity), ...fields } });
}

// Receivers must not be able to act as the entity (docs/internals/design.md#records).
function withoutSecret({ clientSecret: _secret, ...entity }: Entity): Omit<Entity, "clientSecret"> {
  return entity;
}

const apiName = "Administrative API";

/** Creates the entity for this API, in the default tenant, with its type. Uses an existing entity with this id unchanged. */
export async function makeBuiltIn(tx: Transaction, service: ServiceContext, tenantId: string): Promise<void> {
  const id = service.apiEntityId;
  if ((await tx.retrieve(globalScope, entitiesTable, id)) !== undefined) return;
  await ensureApiEntityType(tx, service);
  const name = await freeText(tx, entitiesTable, ["nameFolded", apiName, id]);
  const clientId = await freeText(tx, entitiesTable, ["clientIdFolded", id, service.runtime.newId()]);
  const request = { entity: { name, clientId, data: {}, type: { id: apiEntityTypeId } } };
  const draft = toDraft({ service }, request, { id, tenantId, now: service.runtime.clock(), current: undefined });
  const record = toRecordToStore(sealFields(service.sealer, entities, draft), tenantId, 1);
  await tx.insert(tenantScope(tenantId), entitiesTable, [record]);
}

async function ensureApiEntityType(tx: Transaction, { runtime }: ServiceContext): Promise<void> {
  if ((await tx.retrieve(globalScope, entityTypesTable, apiEntityTypeId)) !== undefined) return;
  const now = runtime.clock();
  const name = await freeText(tx, entityTypesTable, ["nameFolded", apiName, apiEntityTypeId]);
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const record = { id: apiEntityTypeId, name, data: {}, jwtConfiguration: { enabled: false }, ...instants, permissions: [] };
  const hidden: HiddenEntityType = { permissionsCount: 0 };
  const draft = { record, hidden: { ...hidden }, columns: toColumns(name, hidden) };
  await tx.insert(globalScope, entityTypesTable, [toRecordToStore(draft, null, 1)]);
}

// Records of an earlier version may have the text already.
async function freeText(
  tx: Transaction,
  table: Table,
  [column, text, otherwise]: readonly [column: string, text: string, otherwise: string],
): Promise<string> {
  const [taken] = await tx.find(globalScope, table, equalsFilter(column, foldText(text)), { limit: 1 });
  return taken === undefined ? text : otherwise;
}

/** The events of removed records. */
export const describeRemoved: FamilyRulesModule["describeRemoved"] = { entities: describeRemovedEntities };

export const example: FamilyExample<EntityRequest> = async ({ idAt, number }) => ({
  entity: { name: `Entity ${number}`, type: { id: await idAt("entity.type.id", "entityTypes") } },
});
