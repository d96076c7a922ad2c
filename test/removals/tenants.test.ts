import { globalScope, tenantScope } from "latchkey/ports";
import { describe, expect, vi } from "vitest";
import { routes, tables } from "../../src/families/index.js";
import type { RecordedEvent } from "../../src/operations/events/recorded-event.js";
import { auditLogsTable } from "../../src/records/audit-logs/family.js";
import { tenantsTable } from "../../src/records/tenants/family.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { isLong, steps } from "../support/properties.js";
import { fillCrowd } from "../support/removal-crowd.js";
import { expectEventsOfGone, fillTenant, markPending, readContents, takeEvents } from "../support/removals.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, makeTenant, startWorld, storagesOfRules, uuid, type World } from "../support/world.js";
import { countStorage } from "./support/counted-storage.js";

const leaseMilliseconds = 15_000;

/** The tables of tenants in which something is left in one. */
async function tablesLeft({ storage }: World, tenantId: string): Promise<readonly string[]> {
  const own = tables.filter(({ tenancy }) => tenancy !== "global");
  const left = await Promise.all(own.map((table) => storage.find(tenantScope(tenantId), table, undefined, { limit: 1 })));
  return own.filter((_table, index) => left[index]?.length).map(({ name }) => name);
}

/** How often the removal of each record was told: a count for each event of a kind and the record that it is about. */
function countByRecord(events: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const note = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { linkedObjectId, members, registration, type } of events)
    if (type.endsWith(".complete")) continue;
    else if (type === "group.member.remove")
      for (const member of members as readonly { readonly id: string }[]) note(`${type} ${member.id}`);
    else note(`${type} ${(registration as { readonly id?: string } | undefined)?.id ?? linkedObjectId}`);
  return counts;
}

function expectEachOnce(events: readonly RecordedEvent[], size: number): void {
  const counts = countByRecord(events);
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
  for (const type of ["user.delete", "user.registration.delete", "group.member.remove"])
    expect([...counts.keys()].filter((key) => key.startsWith(`${type} `))).toHaveLength(size);
}

describe.each(storagesOfRules())("removing a tenant on %s", (_name, open) => {
  requirement("removal.batches", "goes in batches of at most 1,000 records, each with its events", async () => {
    const size = isLong ? 2_600 : 1_100;
    const counted = countStorage(open());
    const world = await startWorld(counted.storage);
    const tenantId = await makeTenant(world, "Other");
    await fillCrowd(world, tenantId, size);
    await takeEvents(world);
    counted.removed.length = 0;
    expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
    expect(Math.max(...counted.removed)).toBe(1_000);
    // The tenant itself is one more.
    expect(counted.removed.reduce((sum, count) => sum + count, 0)).toBe(3 * size + 3);
    expect(await tablesLeft(world, tenantId)).toEqual([]);
    expectEachOnce(await takeEvents(world), size);
  });

  for (const transactions of steps([1, 2, 4, 7], 3))
    requirement("removal.resumed", `is taken up by another process after ${transactions} transactions and a crash`, async () => {
      const counted = countStorage(open());
      const dying = await startWorld(counted.storage);
      const world = await startWorld(counted.living);
      const tenantId = await makeTenant(dying, "Other");
      await fillCrowd(dying, tenantId, 700);
      await takeEvents(dying);
      counted.transactionsLeft = transactions;
      expect((await dying.caller.delete(`/api/tenant/${tenantId}`)).status).toBe(503);
      expect((await world.caller.get(`/api/tenant/${tenantId}`)).at("tenant.state")).toBe("PendingDelete");
      // Nobody else touches it before the lease of the dead process is over.
      const [left, events] = [await tablesLeft(world, tenantId), await takeEvents(world)];
      await world.identity.settle();
      if (transactions > 1) expect(await tablesLeft(world, tenantId)).toEqual(left);
      world.clock.advance(leaseMilliseconds);
      expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), transactions > 1 ? 200 : 404);
      expect(await tablesLeft(world, tenantId)).toEqual([]);
      if (transactions > 1) expectEachOnce([...events, ...(await takeEvents(world))], 700);
    });

  requirement(
    "removal.one-process",
    "is done by one process where two are asked at once, and both answer at its end",
    async () => {
      const size = isLong ? 1_200 : 400;
      const storage = open();
      const [first, second] = [await startWorld(storage), await startWorld(storage)];
      const tenantId = await makeTenant(first, "Other");
      await fillCrowd(first, tenantId, size);
      await takeEvents(first);
      const asked = [first, second, first].map(async ({ caller }) => {
        const answer = await caller.delete(`/api/tenant/${tenantId}`);
        return [answer.status, (await caller.get(`/api/tenant/${tenantId}`)).status];
      });
      expect(await Promise.all(asked)).toEqual([...new Array(3)].map(() => [200, 404]));
      expectEachOnce(await takeEvents(first), size);
    },
  );
});

forEachStorage((start) => {
  describe("removing a tenant", () => {
    for (const query of ["", "?async=true"])
      requirement("removal.events", `publishes the event of each record that it held${query && ", later"}`, async () => {
        const world = await start({ version: "1.69.0" });
        const tenantId = await makeTenant(world, "Other");
        await fillTenant({ ...world, caller: world.caller.inTenant(tenantId), defaultTenantId: tenantId }, world.caller);
        const before = await readContents(world);
        expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}${query}`), query === "" ? 200 : 202);
        // The events are read in the outbox: nothing may deliver them, which drops what nobody wants.
        await expect.poll(() => world.storage.retrieve(globalScope, tenantsTable, tenantId)).toBeUndefined();
        const gone = await expectEventsOfGone(world, before);
        const own = tables.filter(({ outlivesTenant, tenancy }) => tenancy !== "global" && outlivesTenant !== true);
        expect(gone).toEqual(expect.arrayContaining(own.map(({ name }) => name)));
        expect(await tablesLeft(world, tenantId)).toEqual([]);
        const events = (await takeEvents(world)).filter(({ type }) => type === "user.delete");
        expect(events).toMatchObject([{ actor: { type: "apiKey" }, tenantId }]);
      });

    requirement("removal.logs", "keeps what logs say of it, without a tenant", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const tenantId = await makeTenant(world, "Other");
      const sink = await startSink();
      const eventsEnabled = { "user.create": true, "user.delete": true };
      await makeWebhook(world, { url: sink.url, global: false, tenantIds: [tenantId], eventsEnabled });
      const caller = world.caller.inTenant(tenantId);
      expectOk(await caller.post("/api/user", { user: { email: "ann@example.com" } }));
      expectOk(await caller.post("/api/system/audit-log", { auditLog: { message: "Hello", tenantId } }));
      await world.identity.settle();
      expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
      await world.identity.settle();
      const types = sink.received.map(({ body }) => JSON.parse(body).event.type);
      // A webhook of the tenant is told of its end, though neither is there any more.
      expect(types).toEqual(["user.create", "user.delete"]);
      for (const [table, count] of [
        [webhookEventLogsTable, 2],
        [webhookAttemptLogsTable, 2],
        [auditLogsTable, 1],
      ] as const) {
        const records = await world.storage.find(globalScope, table, undefined);
        expect([table.name, ...records.map((record) => record.tenantId)]).toEqual([table.name, ...new Array(count).fill(null)]);
      }
      const found = expectOk(await world.caller.get("/api/system/audit-log/search"));
      expect(found.at("auditLogs")).toMatchObject([{ message: "Hello" }]);
      expect(found.text).not.toContain(tenantId);
    });

    requirement("removal.pending", "lets none of its keys in from the first transaction on, on any route", async () => {
      const world = await start();
      const tenantId = await makeTenant(world, "Other");
      const key = "key-of-other-0123456789-0123456789-01";
      await world.identity.apiKeys.create({ apiKey: { key, tenantId, keyManager: true } });
      const holder = world.as(key);
      expectOk(await holder.get("/api/group"));
      await markPending(world, tenantId);
      // Keys that are known are asked for again within a second.
      await vi.waitFor(async () => expect(await world.identity.findPrincipal(key)).toBeUndefined(), 5_000);
      const guarded = await guardedPaths(world);
      expect(guarded.length).toBeGreaterThan(150);
      for (const [method, path] of guarded) {
        const answer = await holder.send(method, path, method === "GET" ? undefined : {});
        expect([method, path, answer.status]).toEqual([method, path, 401]);
      }
    });

    requirement("removal.transaction", "begins after the commit where the host removes it in its transaction", async () => {
      const world = await start();
      const tenantId = await makeTenant(world, "Other");
      await fillCrowd(world, tenantId, 120);
      const undone = world.identity.transaction(async (tx) => {
        await tx.tenants.remove({ tenantId });
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      await world.identity.settle();
      expect((await world.caller.get(`/api/tenant/${tenantId}`)).at("tenant.state")).toBe("Active");
      await world.identity.transaction(async (tx) => {
        await tx.tenants.remove({ tenantId });
        expect((await tx.tenants.retrieve({ tenantId })).tenant.state).toBe("PendingDelete");
      });
      await world.identity.settle();
      expect(await tablesLeft(world, tenantId)).toEqual([]);
    });

    requirement("removal.config", "is finished when a document that prunes it was applied", async () => {
      const world = await start();
      const tenantId = await makeTenant(world, "Other");
      await fillCrowd(world, tenantId, 120);
      const document = { formatVersion: 1, tenants: [{ name: "Default" }] } as const;
      await world.identity.config.plan(document, { prune: ["tenants"] });
      expect(await tablesLeft(world, tenantId)).not.toEqual([]);
      await world.identity.config.apply(document, { prune: ["tenants"] });
      expect(await tablesLeft(world, tenantId)).toEqual([]);
    });

    requirement("removal.again", "may be asked for again while it is under way, and says so once in the audit log", async () => {
      const world = await start({ auditChanges: true });
      const tenantId = await makeTenant(world, "Other");
      const path = `/api/tenant/${tenantId}`;
      expectEmpty(await world.caller.delete(`${path}?async=true&dryRun=true`), 202);
      expectEmpty(await world.caller.delete(`${path}?dryRun=true`), 200);
      expectOk(await world.caller.get(path));
      const answers = await Promise.all([`${path}?async=true`, path, path].map((one) => world.caller.delete(one)));
      expect(answers.map(({ status }) => [200, 202, 404].includes(status))).toEqual([true, true, true]);
      await world.identity.settle();
      const { auditLogs } = await world.identity.auditLogs.search();
      const messages = auditLogs.map(({ message }) => message);
      expect(messages.filter((message) => message === `Removed the tenant ${tenantId}`)).toHaveLength(1);
    });
  });
});

/** Every route that does not let in who has a wrong key. */
async function guardedPaths({ as }: World): Promise<readonly (readonly [method: string, path: string])[]> {
  const all = routes.map(({ method, path }) => [method, path.replaceAll(/:\w+/g, uuid(1))] as const);
  const statuses = await Promise.all(all.map(async ([method, path]) => (await as("wrong-key").send(method, path)).status));
  return all.filter((_route, index) => statuses[index] === 401);
}
