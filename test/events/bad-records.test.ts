// A record that makes a transaction of deliveries fail must not stop any other.
import { globalScope, type RecordToStore } from "latchkey/ports";
import { describe, expect } from "vitest";
import { eventsTable, mailsTable, setAsideTable } from "../../src/operations/outbox/tables.js";
import type { Table } from "../../src/ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { expectOk } from "../support/answer.js";
import { readLogs } from "../support/broker.js";
import { eventually } from "../support/eventually.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { type Sink, startSink } from "../support/sink.js";
import { watchStorage } from "../support/watched-storage.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents, type Start, startWorld, uuid, type World } from "../support/world.js";

interface Stage {
  readonly world: World;
  readonly sink: Sink;
}

async function setStage(start: Start): Promise<Stage> {
  const world = await start({ allowPrivateNetwork: true });
  const sink = await startSink();
  const eventsEnabled = { "group.create": true, "group.create.complete": true };
  await makeWebhook(world, { url: sink.url, global: true, eventsEnabled });
  await world.identity.settle();
  return { world, sink };
}

function insert({ clock, storage }: World, table: Table, record: Partial<RecordToStore>): Promise<void> {
  const least = {
    id: uuid(1),
    tenantId: null,
    version: 1,
    insertInstant: clock.instant,
    lastUpdateInstant: clock.instant,
    hidden: null,
  };
  const whole: RecordToStore = { ...least, json: "{}", columns: {}, ...record };
  return storage.transaction((tx) => tx.insert(globalScope, table, [whole]));
}

async function expectSetAside({ sink, world }: Stage, table: Table, id: string): Promise<void> {
  const groupId = await makeGroup(world, world.defaultTenantId, "After");
  await world.identity.settle();
  await eventually(() => expect(sink.received.map(({ body }) => JSON.parse(body).event.linkedObjectId)).toContain(groupId));
  expect(await readEvents(world.storage, "group.create")).toEqual([]);
  const kept = await world.storage.find(globalScope, setAsideTable, undefined);
  expect(kept.map(({ json }) => JSON.parse(json))).toMatchObject([{ recordId: id, table: table.name }]);
  const errors = world.log.filter(({ level }) => level === "error");
  expect(errors.map(({ fields }) => fields)).toMatchObject([{ id, table: table.name }]);
  expect(expectOk(await world.caller.get("/api/prometheus/metrics")).text).toContain("latchkey_set_aside_records 1");
  const { text } = expectOk(await world.caller.get("/api/system/event-log/search?type=Error"));
  expect(text).toContain(id);
}

const unreadable: Readonly<Record<string, string>> = {
  "is no JSON": "no JSON",
  "holds no event": '{"event":{}}',
  "holds null": "null",
  "says the id of a number": '{"event":{"id":1,"type":"group.create"}}',
};

forEachStorage((start) => {
  describe("a record of the outbox", () => {
    for (const [name, json] of Object.entries(unreadable))
      requirement("delivery.bad-record", `that ${name} is set aside`, async () => {
        const stage = await setStage(start);
        await makeGroup(stage.world, stage.world.defaultTenantId, "Before");
        await insert(stage.world, eventsTable, { json, columns: { type: "group.create" } });
        await expectSetAside(stage, eventsTable, uuid(1));
      });

    requirement(
      "delivery.bad-record",
      "whose log entry collides is set aside, together with everything stored beside it",
      async () => {
        const stage = await setStage(start);
        const { world } = stage;
        const groupId = await makeGroup(world, world.defaultTenantId, "Before");
        const [event] = await readEvents(world.storage, "group.create");
        await world.identity.settle();
        const [log] = await readLogs(world);
        expect(log).toMatchObject({ eventResult: "Succeeded" });
        // The same event once more, as a copy of a database may hold it.
        const again = { id: event?.id ?? "", json: JSON.stringify({ event }), columns: { type: "group.create" } };
        await makeGroup(world, world.defaultTenantId, "Beside");
        await insert(world, eventsTable, again);
        await expectSetAside(stage, eventsTable, again.id);
        expect((await readLogs(world)).filter((one) => Reflect.get(one, "linkedObjectId") === groupId)).toHaveLength(2);
      },
    );

    requirement("delivery.set-aside-retried", "that was set aside is delivered once the reason is gone", async () => {
      const { sink, world } = await setStage(start);
      await makeGroup(world, world.defaultTenantId, "Before");
      const [event] = await readEvents(world.storage, "group.create");
      await world.identity.settle();
      const columns = { type: "group.create" };
      await insert(world, eventsTable, { id: uuid(1), json: JSON.stringify({ event }), columns });
      await insert(world, eventsTable, { id: uuid(2), json: "no JSON", columns });
      await world.identity.settle();
      const countArrivals = (): number => sink.received.filter(({ body }) => JSON.parse(body).event.id === event?.id).length;
      expect(countArrivals()).toBe(1);
      await world.storage.transaction(async (tx) => {
        await tx.remove(globalScope, webhookAttemptLogsTable, undefined);
        await tx.remove(globalScope, webhookEventLogsTable, undefined);
      });
      const { events } = world.identity;
      expect(await events.retrySetAside({}, { dryRun: true })).toEqual({ retried: 1, kept: 1 });
      expect(await events.retrySetAside()).toEqual({ retried: 1, kept: 1 });
      await world.identity.settle();
      expect(countArrivals()).toBe(2);
      const kept = await world.storage.find(globalScope, setAsideTable, undefined);
      expect(kept.map(({ json }) => JSON.parse(json).recordId)).toEqual([uuid(2)]);
      expect(await events.retrySetAside()).toEqual({ retried: 0, kept: 1 });
    });

    requirement(
      "delivery.set-aside-retried",
      "that was set aside is delivered once when two processes retry at once",
      async () => {
        const { sink, world } = await setStage(start);
        const storage = { ...watchStorage(world.storage, {}), close: async () => undefined };
        const other = await startWorld(storage, { allowPrivateNetwork: true, clock: world.clock.now });
        await makeGroup(world, world.defaultTenantId, "Before");
        const [event] = await readEvents(world.storage, "group.create");
        await world.identity.settle();
        const ids = Array.from({ length: 120 }, (_one, index) => uuid(1_000 + index));
        for (const id of ids) {
          const hidden = JSON.stringify({ hidden: null, json: JSON.stringify({ event: { ...event, id } }) });
          const json = JSON.stringify({ id, reason: "a test", recordId: id, table: eventsTable.name });
          await insert(world, setAsideTable, { id, json, hidden, columns: { tableName: eventsTable.name } });
        }
        const answers = await Promise.all([world, other, world].map(({ identity }) => identity.events.retrySetAside()));
        expect(answers.reduce((sum, { retried }) => sum + retried, 0)).toBe(ids.length);
        await Promise.all([world.identity.settle(), other.identity.settle()]);
        await world.identity.settle();
        const arrived = sink.received.map(({ body }) => JSON.parse(body).event);
        expect(arrived.flatMap(({ id, type }) => (type === "group.create" && ids.includes(id) ? [id] : [])).sort()).toEqual(ids);
        expect(await world.storage.find(globalScope, setAsideTable, undefined)).toEqual([]);
      },
    );

    requirement("delivery.set-aside-retried", "that was set aside is no business of a tenant", async () => {
      const { world } = await setStage(start);
      const bound = world.identity.as({ kind: "host", tenantId: world.defaultTenantId });
      await expect(bound.events.retrySetAside()).rejects.toMatchObject({ status: 401 });
    });
  });

  describe("a log that is due", () => {
    const columns = {
      claimedUntil: 0,
      dueInstant: 1,
      eventFolded: "",
      eventResult: "Running",
      eventType: "group.create",
      sequence: 1,
    };

    requirement("delivery.set-aside-retried", "and was set aside is delivered from the start", async () => {
      const { sink, world } = await setStage(start);
      await makeGroup(world, world.defaultTenantId, "Before");
      const [event] = await readEvents(world.storage, "group.create");
      const hidden = JSON.stringify({ event: { ...event, id: uuid(7) } });
      await insert(world, webhookEventLogsTable, { json: "no JSON", hidden, columns });
      await world.identity.settle();
      expect(await world.identity.events.retrySetAside()).toEqual({ retried: 1, kept: 0 });
      await world.identity.settle();
      expect(sink.received.filter(({ body }) => body.includes(uuid(7)))).toHaveLength(1);
    });

    requirement("delivery.bad-record", "and makes no sense is set aside", async () => {
      const stage = await setStage(start);
      await insert(stage.world, webhookEventLogsTable, { json: "no JSON", columns });
      await expectSetAside(stage, webhookEventLogsTable, uuid(1));
    });
  });

  describe("a mail", () => {
    requirement("delivery.bad-record", "that makes no sense is set aside", async () => {
      const sent: unknown[] = [];
      const world = await start({
        allowPrivateNetwork: true,
        mail: async (message) => {
          sent.push(message);
          return { kind: "ok" };
        },
      });
      const columns = { claimedUntil: 0, dueInstant: 1 };
      await insert(world, mailsTable, { tenantId: world.defaultTenantId, json: "no JSON", hidden: "{}", columns });
      await world.identity.settle();
      const kept = await world.storage.find(globalScope, setAsideTable, undefined);
      expect(kept.map(({ json }) => JSON.parse(json))).toMatchObject([{ recordId: uuid(1), table: mailsTable.name }]);
      expect(await world.storage.find(globalScope, mailsTable, undefined)).toEqual([]);
    });
  });
});
