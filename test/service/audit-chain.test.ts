import { globalScope, type Storage } from "latchkey/ports";
import type { AuditVerification } from "latchkey/types";
import { describe, expect, onTestFinished, test } from "vitest";
import { toCanonicalJson } from "../../src/json/canonical-json.js";
import { auditDigestsTable, auditLogsTable, auditQueueTable } from "../../src/records/audit-logs/family.js";
import { expectOk } from "../support/answer.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { startOn } from "../support/sealed-secrets.js";
import { storages, uuid, type World } from "../support/world.js";

const dayMs = 24 * 3_600_000;

async function write(world: World, count: number, tenantId?: string): Promise<void> {
  for (let number = 0; number < count; number++)
    expectOk(await world.caller.post("/api/system/audit-log", { auditLog: { message: `Note ${number}`, tenantId } }));
}

/** The number of the entry that the last call wrote. */
async function lastNumber({ identity }: World): Promise<number> {
  const { auditLogs } = await identity.auditLogs.search({ search: { orderBy: "id DESC", numberOfResults: 1 } });
  return auditLogs[0]?.id ?? 0;
}

const [ownTenantId, otherTenantId] = [uuid(78), uuid(79)];

const at = (number: number) => ({ op: "equals", column: "number", value: number }) as const;

type Tampering = (storage: Storage, number: number) => Promise<unknown>;

const remove: Tampering = (storage, number) => storage.transaction((tx) => tx.remove(globalScope, auditLogsTable, at(number)));

const change: Tampering = (storage, number) =>
  storage.transaction(async (tx) => {
    const [found] = await tx.find(globalScope, auditLogsTable, at(number));
    if (found === undefined) throw new Error("There is no such entry.");
    const entry = JSON.parse(found.json);
    const json = toCanonicalJson({ ...entry, message: "Nothing happened" });
    const instants = { insertInstant: entry.insertInstant, lastUpdateInstant: entry.insertInstant };
    await tx.rewrite(globalScope, auditLogsTable, [{ ...found, ...instants, json, version: found.version + 1, columns: {} }]);
  });

/** Stores an entry as it was, but under another tenant or instant, so that lists and exports miss it. */
const move =
  (place: (entry: { readonly insertInstant: number }) => object): Tampering =>
  (storage, number) =>
    storage.transaction(async (tx) => {
      const [found] = await tx.find(globalScope, auditLogsTable, at(number));
      if (found === undefined) throw new Error("There is no such entry.");
      await tx.remove(globalScope, auditLogsTable, at(number));
      const { insertInstant } = JSON.parse(found.json);
      const folded = { insertUserFolded: "x", messageFolded: "x", messageStart: "x" };
      const columns = { ...folded, newValueFolded: null, oldValueFolded: null, reasonFolded: null, number };
      const instants = { insertInstant, lastUpdateInstant: insertInstant };
      await tx.insert(globalScope, auditLogsTable, [{ ...found, ...instants, columns, ...place({ insertInstant }) }]);
    });

const add: Tampering = (storage, number) =>
  storage.transaction(async (tx) => {
    const [found] = await tx.find(globalScope, auditLogsTable, at(number));
    if (found === undefined) throw new Error("There is no such entry.");
    const json = toCanonicalJson({ ...JSON.parse(found.json), id: number + 1_000 });
    const folded = { insertUserFolded: "x", messageFolded: "x", messageStart: "x" };
    const columns = { ...folded, newValueFolded: null, oldValueFolded: null, reasonFolded: null, number: number + 1_000 };
    const instants = { insertInstant: 1, lastUpdateInstant: 1 };
    await tx.insert(globalScope, auditLogsTable, [{ ...found, ...instants, id: uuid(77), json, version: 1, columns }]);
  });

const dropLink: Tampering = (storage, number) =>
  storage.transaction((tx) => tx.remove(globalScope, auditDigestsTable, at(number)));

const dropEnd: Tampering = (storage, number) =>
  storage.transaction((tx) =>
    tx.remove(globalScope, auditDigestsTable, { op: "compare", column: "number", comparison: ">", value: number }),
  );

const forgeLink: Tampering = (storage, number) =>
  storage.transaction(async (tx) => {
    const [found] = await tx.find(globalScope, auditDigestsTable, at(number));
    if (found === undefined) throw new Error("There is no such link.");
    const json = toCanonicalJson({ ...JSON.parse(found.json), content: "0".repeat(64) });
    const instants = { insertInstant: 1, lastUpdateInstant: 1 };
    await tx.rewrite(globalScope, auditDigestsTable, [{ ...found, ...instants, json, version: found.version + 1, columns: {} }]);
  });

/** What somebody with access to the database does to entry n, and what is found. */
const tamperings: readonly (readonly [string, Tampering, (number: number) => AuditVerification["broken"]])[] = [
  ["changes an entry", change, (auditLogId) => ({ reason: "changed", auditLogId })],
  ["removes an entry", remove, (auditLogId) => ({ reason: "removed", auditLogId })],
  ["takes an entry from its tenant", move(() => ({ tenantId: null })), (auditLogId) => ({ reason: "changed", auditLogId })],
  [
    "gives an entry to another tenant",
    move(() => ({ tenantId: otherTenantId })),
    (auditLogId) => ({ reason: "changed", auditLogId }),
  ],
  [
    "dates an entry back",
    move(({ insertInstant }) => ({ insertInstant: insertInstant - dayMs })),
    (auditLogId) => ({ reason: "changed", auditLogId }),
  ],
  ["adds an entry", add, (number) => ({ reason: "added", auditLogId: number + 1_000 })],
  ["removes a link", dropLink, (number) => ({ reason: "link", auditLogId: number + 1 })],
  ["changes a link", forgeLink, (auditLogId) => ({ reason: "link", auditLogId })],
  ["cuts the end off", dropEnd, () => ({ reason: "shortened" })],
];

describe.each([...storages, ...embeddedPostgres()])("the chain of the audit log on %s", (_name, makeStorage) => {
  // Closed with its test, so that those on Postgres share connections.
  const open = (): Storage => {
    const storage = makeStorage();
    onTestFinished(() => storage.close());
    return storage;
  };
  const start = (storage: Storage): Promise<World> => startOn(storage, { auditChanges: true });

  requirement("audit.chain", "is made after the commits and covers each entry", async () => {
    const storage = open();
    const world = await start(storage);
    await write(world, 3);
    expect((await world.identity.audit.verify()).waiting).toBeGreaterThanOrEqual(3);
    await world.identity.settle();
    const first = await world.identity.audit.verify();
    expect(first).toMatchObject({
      waiting: 0,
      expired: 0,
      unchained: 0,
      head: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(first.broken).toBeUndefined();
    expect(first.intact).toBe(first.head.position);
    await write(world, 2);
    await world.identity.settle();
    const second = await world.identity.audit.verify({ expected: first.head.digest });
    expect(second).toMatchObject({ intact: first.intact + 2, waiting: 0 });
    expect(second.broken).toBeUndefined();
    expect((await world.identity.audit.verify({ expected: "0".repeat(64) })).broken).toEqual({ reason: "unknownHead" });
  });

  for (const [what, tamper, broken] of tamperings)
    requirement("audit.verify", `names the entry when somebody ${what}`, async () => {
      const storage = open();
      const world = await start(storage);
      for (const tenantId of [ownTenantId, otherTenantId])
        expectOk(await world.caller.post(`/api/tenant/${tenantId}`, { tenant: { name: tenantId } }));
      await write(world, 1, ownTenantId);
      const number = await lastNumber(world);
      await write(world, 3);
      await world.identity.settle();
      await tamper(storage, number);
      expect((await world.identity.audit.verify()).broken).toEqual(broken(number));
    });

  for (const [what, tamper, reason] of [
    ["changed", change, "changed"],
    ["removed", remove, "removed"],
  ] as const)
    requirement("audit.verify", `notices an entry that is ${what} before it has its link`, async () => {
      const storage = open();
      const world = await start(storage);
      await write(world, 1);
      const auditLogId = await lastNumber(world);
      await tamper(storage, auditLogId);
      expect((await world.identity.audit.verify()).broken).toEqual({ reason, auditLogId });
      await world.identity.settle();
      expect((await world.identity.audit.verify()).broken).toEqual({ reason, auditLogId });
    });

  requirement("audit.verify", "takes no entry of a removed tenant for a changed one", async () => {
    const world = await start(open());
    expectOk(await world.caller.post(`/api/tenant/${ownTenantId}`, { tenant: { name: "Removed" } }));
    await write(world, 2, ownTenantId);
    expectOk(await world.caller.delete(`/api/tenant/${ownTenantId}`));
    await world.identity.settle();
    expect((await world.identity.audit.verify()).broken).toBeUndefined();
  });

  requirement("audit.expiry", "keeps the digests of entries that retention removes", async () => {
    const storage = open();
    const world = await startOn(storage, { auditChanges: true, auditRetentionMs: dayMs });
    await write(world, 3);
    await world.identity.settle();
    const { head, intact } = await world.identity.audit.verify();
    world.clock.advance(dayMs + 1);
    await world.identity.settle();
    const { auditLogs } = await world.identity.auditLogs.search({ search: {} });
    expect(auditLogs).toEqual([]);
    const after = await world.identity.audit.verify({ expected: head.digest });
    expect(after).toEqual({ broken: undefined, head, intact: 0, expired: intact, waiting: 0, unchained: 0 });
    expect((await world.identity.audit.verify({ retentionMs: 10 * dayMs })).broken?.reason).toBe("removed");
  });

  test("is one chain for two processes", async () => {
    const storage = open();
    if (!storage.capabilities.isShared) return;
    const world = await start(storage);
    const other = await startOn(storage, { auditChanges: true });
    await write(world, 3);
    await Promise.all([world.identity.settle(), other.identity.settle()]);
    await world.identity.settle();
    const found = await world.identity.audit.verify();
    expect(found.broken).toBeUndefined();
    expect(found).toMatchObject({ waiting: 0, intact: found.head.position });
  });

  test("covers entries that were there before it as older than the chain", async () => {
    const storage = open();
    const world = await start(storage);
    const number = await lastNumber(world);
    await storage.transaction((tx) => tx.take(auditQueueTable, 100));
    await write(world, 2);
    await world.identity.settle();
    const found = await world.identity.audit.verify();
    expect(found.broken).toBeUndefined();
    expect(found).toMatchObject({ intact: 2, unchained: number });
  });
});
