import { globalScope, type RecordToStore, type StoredRecord, type Table, tenantScope } from "latchkey/ports";
import { expect } from "vitest";
import { tables } from "../../src/families/index.js";
import { toCanonicalJson } from "../../src/json/canonical-json.js";
import type { RecordedEvent } from "../../src/operations/events/recorded-event.js";
import { toEvents } from "../../src/operations/outbox/publish-event.js";
import { eventsTable } from "../../src/operations/outbox/tables.js";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { tenantsTable } from "../../src/records/tenants/family.js";
import { expectOk } from "./answer.js";
import type { Caller } from "./caller.js";
import { makeProvider } from "./identity-providers.js";
import { arrangeLogin, ids, logIn } from "./logins.js";
import { readEvents, uuid, type World } from "./world.js";

/** The ids of the records of {@link fillTenant}, by table. */
export type Filled = Readonly<Record<string, string>>;

/**
 * Fills the tenant of the world's caller: records with events through the API, and one record of every other tenant table
 * straight into the storage, which refers to the former. Covers all tables by their declarations, so new ones too. The other
 * caller makes the records outside of tenants.
 */
export async function fillTenant(world: World, office: Caller = world.caller): Promise<Filled> {
  const { caller } = world;
  await arrangeLogin(world);
  await logIn(world);
  const application = expectOk(await caller.get(`/api/application/${ids.application}`));
  const roles = application.at("application.roles") as readonly { readonly id: string }[];
  const roleId = roles[0]?.id ?? "";
  const groupId = uuid(503);
  expectOk(await caller.post(`/api/group/${groupId}`, { group: { name: "Editors" }, roleIds: [roleId] }));
  expectOk(await caller.post("/api/group/member", { members: { [groupId]: [{ userId: ids.user }] } }));
  expectOk(await office.post(`/api/entity/type/${uuid(504)}`, { entityType: { name: "Shop" } }));
  expectOk(await caller.post(`/api/entity/${uuid(505)}`, { entity: { name: "Till", type: { id: uuid(504) } } }));
  expectOk(await office.post(`/api/consent/${uuid(506)}`, { consent: { name: "News", defaultMinimumAgeForSelfConsent: 1 } }));
  const webhook = { url: "https://receiver.example.com/", connectTimeout: 1_000, readTimeout: 2_000, eventsEnabled: {} };
  expectOk(await office.post(`/api/webhook/${uuid(507)}`, { webhook }));
  expectOk(await office.post(`/api/user-action/${uuid(508)}`, { userAction: { name: "Ban" } }));
  await makeProvider(caller, uuid(510), { tenantId: world.defaultTenantId });
  const link = { identityProviderId: uuid(510), identityProviderUserId: "ann", userId: ids.user };
  expectOk(await caller.post("/api/identity-provider/link", { identityProviderLink: link }));
  const filled = {
    applicationRoles: roleId,
    applications: ids.application,
    consents: uuid(506),
    entities: uuid(505),
    entityTypes: uuid(504),
    groups: groupId,
    identityProviders: uuid(510),
    keys: defaultSigningKeyId,
    userActions: uuid(508),
    users: ids.user,
    webhooks: uuid(507),
  };
  await fillOthers(world, filled);
  return filled;
}

async function fillOthers({ defaultTenantId, storage }: World, filled: Filled): Promise<void> {
  const others = tables.filter((table) => table.tenancy !== "global" && table.name !== "tenants" && !hasEvents(table));
  await storage.transaction(async (tx) => {
    const known: Record<string, string> = { ...filled };
    for (const [index, table] of others.entries()) {
      if (filled[table.name] !== undefined) continue;
      known[table.name] = uuid(600 + index);
      await tx.insert(tenantScope(defaultTenantId), table, [makeRecord(table, known, defaultTenantId)]);
    }
  });
}

function makeRecord(table: Table, known: Filled, tenantId: string): RecordToStore {
  const id = known[table.name] ?? "";
  const values = { id: uuid(1), integer: 1_000_000, text: `text of ${id}`, boolean: false };
  const columns = Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => {
      const target = column.references && known[column.references.table];
      return [name, target ?? (column.isNullable && !column.references ? null : values[column.type])];
    }),
  );
  return {
    id,
    tenantId,
    version: 1,
    insertInstant: 1,
    lastUpdateInstant: 1,
    json: toCanonicalJson({ ...columns, id, tenantId }),
    hidden: null,
    columns,
  };
}

/** Takes the events out of the outbox, in order. */
export async function takeEvents({ storage }: Pick<World, "storage">): Promise<readonly RecordedEvent[]> {
  const taken = await storage.transaction((tx) => tx.take(eventsTable, 100_000));
  return taken.flatMap(toEvents).map(({ event }) => event);
}

/** The records of every table but the outbox. */
export type Contents = ReadonlyMap<Table, ReadonlyMap<string, StoredRecord>>;

export async function readContents({ storage }: Pick<World, "storage">): Promise<Contents> {
  const contents = new Map<Table, ReadonlyMap<string, StoredRecord>>();
  for (const table of tables.filter(({ name }) => name !== "events")) {
    const found = await storage.find(globalScope, table, undefined);
    contents.set(table, new Map(found.map((record) => [record.id, record])));
  }
  return contents;
}

/**
 * Whether an event reports the removal of a record. Links of groups to roles have no event of their own if the group is removed
 * too.
 */
const isEventOf: Readonly<Record<string, (record: StoredRecord, event: RecordedEvent) => boolean>> = {
  entities: ({ id }, event) => event.type === "entity.delete" && idOf(event.entity) === id,
  groupMembers: ({ id }, { members, type }) =>
    type === "group.member.remove" && (members as readonly unknown[]).some((member) => idOf(member) === id),
  groupRoles: ({ json }, { group, original, type }) => {
    const { groupId, roleId } = JSON.parse(json) as { readonly groupId: string; readonly roleId: string };
    const names = (shown: unknown): boolean => JSON.stringify(shown).includes(roleId);
    return idOf(group) === groupId && (type === "group.delete" || (type === "group.update" && names(original) && !names(group)));
  },
  identityProviderLinks: ({ id }, event) =>
    event.type === "user.identity-provider.unlink" && idOf(event.identityProviderLink) === id,
  groups: ({ id }, event) => event.type === "group.delete" && idOf(event.group) === id,
  refreshTokens: ({ json }, { applicationId, type, userId }) => {
    const token = JSON.parse(json) as { readonly applicationId: string; readonly userId: string };
    return type === "jwt.refresh-token.revoke" && (userId === token.userId || applicationId === token.applicationId);
  },
  registrations: ({ id }, event) => event.type === "user.registration.delete" && idOf(event.registration) === id,
  users: ({ id }, event) => event.type === "user.delete" && idOf(event.user) === id,
};

const hasEvents = ({ name }: Table): boolean => Object.hasOwn(isEventOf, name);

function idOf(record: unknown): unknown {
  return (record as { readonly id?: unknown } | undefined)?.id;
}

/** Checks that each removed record has its event; returns the names of their tables. */
export async function expectEventsOfGone(world: World, before: Contents): Promise<readonly string[]> {
  const after = await readContents(world);
  const events = await readEvents(world.storage);
  const gone = [...before].flatMap(([table, records]) =>
    [...records.values()].filter(({ id }) => after.get(table)?.get(id) === undefined).map((record) => ({ table, record })),
  );
  const silent = gone.filter(
    ({ table, record }) => hasEvents(table) && !events.some((event) => isEventOf[table.name]?.(record, event)),
  );
  expect(silent.map(({ table, record }) => `${table.name} ${record.json}`)).toEqual([]);
  return [...new Set(gone.map(({ table }) => table.name))];
}

/** The tables that cascade from a table, by their declarations. */
export function tablesBelow(name: string): readonly string[] {
  const direct = tables.filter(({ columns }) =>
    Object.values(columns).some(({ references }) => references?.table === name && references.onRemove === "cascade"),
  );
  return [...new Set(direct.flatMap((table) => [table.name, ...tablesBelow(table.name)]))];
}

/** Marks a tenant as pending removal by another process. */
export async function markPending({ storage }: World, tenantId: string): Promise<void> {
  const record = await storage.retrieve(globalScope, tenantsTable, tenantId);
  if (record === undefined) throw new Error("There is no such tenant.");
  const json = JSON.stringify({ ...JSON.parse(record.json), state: "PendingDelete" });
  const removal = { owner: "another process", until: Number.MAX_SAFE_INTEGER };
  const columns = { nameFolded: "other", state: "PendingDelete" };
  const changed = { ...record, json, hidden: JSON.stringify({ removal }), version: record.version + 1, columns };
  await storage.transaction((tx) =>
    tx.update(tenantScope(tenantId), tenantsTable, { ...changed, insertInstant: 1, lastUpdateInstant: 1 }),
  );
}
