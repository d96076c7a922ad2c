import type { ServerResponse } from "node:http";
import { describe, expect, vi } from "vitest";
import { eventsTable } from "../../src/operations/outbox/tables.js";
import { globalScope, type LogRecord } from "../../src/ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { type Sink, startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { onEveryStorage, readEvents, type Start, type World } from "../support/world.js";

const leaseMilliseconds = 30_000;

interface Held {
  readonly world: World;
  readonly sink: Sink;
  /** The calls that wait for an answer, in the order in which they came. */
  readonly open: ServerResponse[];
}

/** A service whose one webhook answers when the test says so. */
async function startHeld(start: Start): Promise<Held> {
  const world = await start({ allowPrivateNetwork: true });
  const open: ServerResponse[] = [];
  const sink = await startSink((_request, response) => void open.push(response));
  const eventsEnabled = { "group.create.complete": true };
  await makeWebhook(world, { url: sink.url, global: true, eventsEnabled, readTimeout: 20_000 });
  return { world, sink, open };
}

/** Leases all events as another process does. */
function leaseAll({ storage }: World, now: number): Promise<readonly LogRecord[]> {
  return storage.transaction((tx) => tx.lease(eventsTable, { limit: 100, now, until: now + leaseMilliseconds }));
}

async function namesOfLogs({ storage }: World): Promise<readonly string[]> {
  const logs = await storage.find(globalScope, webhookEventLogsTable, undefined);
  return logs.map(({ hidden }) => JSON.parse(hidden ?? "{}").event.group.name);
}

onEveryStorage((start) => {
  describe("events", () => {
    requirement("delivery.lease", "that another process has leased wait until it has had its time", async () => {
      const { open, sink, world } = await startHeld(start);
      await makeGroup(world, world.defaultTenantId, "G");
      expect(await leaseAll(world, world.clock.instant)).toHaveLength(1);
      await world.identity.start();
      await makeGroup(world, world.defaultTenantId, "H");
      await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
      expect(sink.received[0]?.body).toContain('"name":"H"');
      world.clock.advance(leaseMilliseconds + 1);
      await vi.waitFor(() => expect(open).toHaveLength(2), 10_000);
      expect(sink.received[1]?.body).toContain('"name":"G"');
      for (const response of open) response.end();
      await vi.waitFor(async () => expect((await namesOfLogs(world)).toSorted()).toEqual(["G", "H"]), 10_000);
      expect(await readEvents(world.storage)).toEqual([]);
    });

    requirement("delivery.lease", "that another process took meanwhile are left to it", async () => {
      const { open, world } = await startHeld(start);
      await world.identity.start();
      await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(() => expect(open).toHaveLength(1), { timeout: 10_000, interval: 5 });
      const taken = await leaseAll(world, world.clock.instant + leaseMilliseconds + 1);
      expect(taken.map(({ json }) => JSON.parse(json).event.type)).toEqual(["group.create"]);
      open[0]?.end();
      await makeGroup(world, world.defaultTenantId, "H");
      await vi.waitFor(() => expect(open).toHaveLength(2), 10_000);
      open[1]?.end();
      await vi.waitFor(async () => expect(await namesOfLogs(world)).toEqual(["H"]), 10_000);
      expect(await world.storage.find(globalScope, webhookAttemptLogsTable, undefined)).toHaveLength(1);
      expect((await readEvents(world.storage)).map(({ type }) => type)).toEqual(["group.create", "group.create.complete"]);
    });

    requirement(
      "delivery.lease",
      "that nobody has had for long are logged and claimed while a receiver takes its time",
      async () => {
        const { open, sink, world } = await startHeld(start);
        await world.identity.start();
        await makeGroup(world, world.defaultTenantId, "G");
        await vi.waitFor(async () => expect(await namesOfLogs(world)).toEqual(["G"]), 10_000);
        expect(await readEvents(world.storage)).toEqual([]);
        const [running] = await world.storage.find(globalScope, webhookEventLogsTable, undefined);
        expect(JSON.parse(running?.json ?? "{}")).toMatchObject({ eventResult: "Running", successfulAttempts: 0 });
        open[0]?.end();
        await vi.waitFor(async () => {
          const [ended] = await world.storage.find(globalScope, webhookEventLogsTable, undefined);
          expect(JSON.parse(ended?.json ?? "{}")).toMatchObject({ eventResult: "Succeeded", successfulAttempts: 1 });
        }, 10_000);
        expect(sink.received).toHaveLength(1);
      },
    );
  });
});
