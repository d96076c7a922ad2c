// What has been answered is stored at once: what is not when the process dies is delivered again.
import type { ServerResponse } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { globalScope, type Storage } from "../../src/ports/storage.js";
import { webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { makeGroup } from "../support/families.js";
import { describeOnServer, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, startWorld, type World } from "../support/world.js";

const patience = { timeout: 10_000, interval: 5 };

/** A webhook that answers when the test says so, by the names of the groups that it is sent. */
async function holdAnswers(world: World): Promise<ReadonlyMap<string, ServerResponse>> {
  const open = new Map<string, ServerResponse>();
  const sink = await startSink((_request, response) => {
    const { event } = JSON.parse(sink.received.at(-1)?.body ?? "{}");
    open.set(event.group.name, response);
  });
  await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true }, readTimeout: 20_000 });
  return open;
}

/** The names of the groups whose events are logged as delivered. */
async function findDelivered(storage: Storage): Promise<readonly string[]> {
  const logs = await storage.find(globalScope, webhookEventLogsTable, undefined);
  const delivered = logs.filter(({ json }) => JSON.parse(json).eventResult === "Succeeded");
  return delivered.map(({ hidden }) => JSON.parse(hidden ?? "{}").event.group.name);
}

forEachStorage((start) => {
  describe("an answer", () => {
    requirement("delivery.stored", "is stored while a receiver takes its time for another event", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const open = await holdAnswers(world);
      await makeGroup(world, world.defaultTenantId, "G");
      await makeGroup(world, world.defaultTenantId, "H");
      await world.identity.start();
      await vi.waitFor(() => expect([...open.keys()].toSorted()).toEqual(["G", "H"]), patience);
      open.get("H")?.end();
      await vi.waitFor(async () => expect(await findDelivered(world.storage)).toEqual(["H"]), patience);
      open.get("G")?.end();
      await vi.waitFor(async () => expect((await findDelivered(world.storage)).toSorted()).toEqual(["G", "H"]), patience);
    });
  });
});

// An embedded database has one session.
describeOnServer("on Postgres an answer", () => {
  const { newSchema, newStorage, pool } = testDatabase();

  test("is stored while the look at the outbox waits for others", async () => {
    const schema = newSchema();
    const world = await startWorld(newStorage({ schema }), { allowPrivateNetwork: true });
    const open = await holdAnswers(world);
    await makeGroup(world, world.defaultTenantId, "G");
    await world.identity.start();
    await vi.waitFor(() => expect([...open.keys()]).toEqual(["G"]), patience);
    const other = await pool().connect();
    await other.query(`begin; lock table "${schema}"."latchkey_webhook_tenants" in access exclusive mode`);
    await makeGroup(world, world.defaultTenantId, "H");
    await vi.waitFor(async () => expect((await pool().query(waiting)).rows).toEqual([{ n: 1 }]), patience);
    open.get("G")?.end();
    await vi.waitFor(async () => expect(await findDelivered(world.storage)).toEqual(["G"]), patience);
    expect([...open.keys()]).toEqual(["G"]);
    await other.query("rollback");
    other.release();
    await vi.waitFor(() => expect([...open.keys()]).toEqual(["G", "H"]), patience);
    open.get("H")?.end();
  });
});

const waiting = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%latchkey_webhook_tenants%'`;
