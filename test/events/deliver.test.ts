import { describe, expect, vi } from "vitest";
import { globalScope } from "../../src/ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { expectOk } from "../support/answer.js";
import { eventually } from "../support/eventually.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { type Received, startSink } from "../support/sink.js";
import { whilePolling } from "../support/subjects.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, makeTenant, readEvents, type Start, type World } from "../support/world.js";

const eventsEnabled = { "group.create": true, "group.create.complete": true, "user.create": true };

/** A service that delivers to wherever it is told, on this machine too. */
async function startDelivering(start: Start): Promise<World> {
  const world = await start({ allowPrivateNetwork: true });
  await world.identity.start();
  return world;
}

function eventOf({ body }: Received): Readonly<Record<string, unknown>> {
  return (JSON.parse(body) as { readonly event: Readonly<Record<string, unknown>> }).event;
}

interface Log {
  readonly id: string;
  readonly eventResult: string;
  readonly eventType: string;
  readonly sequence: number;
}

async function logsOf({ storage }: World): Promise<readonly Log[]> {
  return (await storage.find(globalScope, webhookEventLogsTable, undefined)).map(({ json }) => JSON.parse(json));
}

forEachStorage((start) => {
  describe("events", () => {
    requirement("delivery.sent", "reach a webhook that wants them, as they were recorded", async () => {
      const world = await startDelivering(start);
      const sink = await startSink();
      await makeWebhook(world, { url: `${sink.url}/hook?a=1`, global: true, eventsEnabled, headers: { "X-Color": "red" } });
      const id = await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(() => expect(sink.received).toHaveLength(2), 10_000);
      const [first] = sink.received;
      expect(first).toMatchObject({ method: "POST", url: "/hook?a=1" });
      expect(first?.headers).toMatchObject({ "content-type": "application/json; charset=utf-8", "x-color": "red" });
      const events = sink.received.map(eventOf);
      expect(events.map(({ type }) => type).sort()).toEqual(["group.create", "group.create.complete"]);
      for (const event of events) expect(event).toMatchObject({ linkedObjectId: id, tenantId: world.defaultTenantId });
      expect(new Set(events.map((event) => event.id)).size).toBe(2);
    });

    requirement("delivery.outbox", "leave the outbox, and are stored as delivered", async () => {
      const world = await startDelivering(start);
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled });
      await makeGroup(world, world.defaultTenantId, "G");
      await eventually(async () =>
        expect((await logsOf(world)).map((log) => log.eventResult)).toEqual(["Succeeded", "Succeeded"]),
      );
      expect(await readEvents(world.storage)).toEqual([]);
      const attempts = await world.storage.find(globalScope, webhookAttemptLogsTable, undefined);
      expect(attempts.map(({ json }) => JSON.parse(json).webhookCallResponse)).toEqual(
        Array(2).fill({ statusCode: 201, url: sink.url }),
      );
    });

    requirement(
      "delivery-log.resend",
      "that are sent once more while a receiver has not answered are sent after it has",
      async () => {
        const world = await startDelivering(start);
        const open: (() => void)[] = [];
        const sink = await startSink((_request, response) => void open.push(() => response.writeHead(200).end()));
        const wants = { "group.create.complete": true };
        await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: wants, readTimeout: 20_000 });
        await makeGroup(world, world.defaultTenantId, "G");
        await vi.waitFor(() => expect(open).toHaveLength(1), 10_000);
        const id = eventOf(sink.received[0] as Received).id;
        // What takes its time is logged before it has ended.
        await vi.waitFor(async () => expect(await logsOf(world)).toMatchObject([{ id, eventResult: "Running" }]), 10_000);
        expectOk(await world.caller.post(`/api/system/webhook-event-log/${id}/resend`));
        // Several polls see that it is due.
        let polls = 0;
        await whilePolling([world], () => expect(++polls).toBeGreaterThan(3));
        expect(open).toHaveLength(1);
        open[0]?.();
        await vi.waitFor(() => expect(open).toHaveLength(2), 10_000);
        open[1]?.();
        await vi.waitFor(
          async () => expect(await logsOf(world)).toMatchObject([{ id, eventResult: "Succeeded", successfulAttempts: 2 }]),
          10_000,
        );
        const attempts = await world.storage.find(globalScope, webhookAttemptLogsTable, undefined);
        expect(attempts).toHaveLength(2);
        expect(new Set(sink.received.map((received) => eventOf(received).id))).toEqual(new Set([id]));
      },
    );

    requirement("delivery.sequence", "are numbered in the order in which they were recorded", async () => {
      const world = await startDelivering(start);
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled });
      for (const name of ["G", "H", "I"]) await makeGroup(world, world.defaultTenantId, name);
      await vi.waitFor(() => expect(sink.received).toHaveLength(6), 10_000);
      await vi.waitFor(async () => expect(await logsOf(world)).toHaveLength(6), 10_000);
      const inOrder = (await logsOf(world)).toSorted((a, b) => a.sequence - b.sequence);
      expect(inOrder.map(({ eventType }) => eventType)).toEqual(Array(3).fill(["group.create", "group.create.complete"]).flat());
      const names = inOrder.map(({ id }) => sink.received.map(eventOf).find((event) => event.id === id)?.group);
      expect(names).toMatchObject(["G", "G", "H", "H", "I", "I"].map((name) => ({ name })));
    });

    requirement("delivery.waits", "wait while nobody delivers, and leave once somebody does", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled });
      await makeGroup(world, world.defaultTenantId, "G");
      expect(await readEvents(world.storage)).toHaveLength(2);
      await world.identity.start();
      await vi.waitFor(() => expect(sink.received).toHaveLength(2), 10_000);
    });

    requirement("delivery.retried", "are tried again when a receiver refuses them, with the same id", async () => {
      const world = await startDelivering(start);
      let status = 500;
      const sink = await startSink((_request, response) => void response.writeHead(status).end());
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true } });
      await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(
        async () => expect((await logsOf(world))[0]).toMatchObject({ failedAttempts: 1, eventResult: "Running" }),
        10_000,
      );
      status = 204;
      world.clock.advance(6_000);
      await vi.waitFor(() => expect(sink.received).toHaveLength(2), 10_000);
      await vi.waitFor(async () => expect((await logsOf(world))[0]).toMatchObject({ eventResult: "Succeeded" }), 10_000);
      const ids = sink.received.map((received) => eventOf(received).id);
      expect(ids[0]).toBe(ids[1]);
    });

    requirement("delivery.tenants", "of one tenant reach no webhook of another", async () => {
      const world = await startDelivering(start);
      const [north, south] = [await makeTenant(world, "North"), await makeTenant(world, "South")];
      const [northSink, southSink] = [await startSink(), await startSink()];
      await makeWebhook(world, { url: northSink.url, tenantIds: [north], eventsEnabled });
      await makeWebhook(world, { url: southSink.url, tenantIds: [south], eventsEnabled });
      await makeGroup(world, north, "N");
      await makeGroup(world, south, "S");
      await eventually(() => expect([northSink.received, southSink.received].map(({ length }) => length)).toEqual([2, 2]));
      expect(new Set(northSink.received.map((one) => eventOf(one).tenantId))).toEqual(new Set([north]));
      expect(new Set(southSink.received.map((one) => eventOf(one).tenantId))).toEqual(new Set([south]));
    });

    for (const [what, fields, events] of [
      ["that the webhook does not want", { eventsEnabled: { "group.create": false, "user.create": true } }, {}],
      ["of a tenant that the webhook does not list", { global: false }, {}],
      ["that the tenant has turned off", {}, { "group.create": { enabled: false } }],
    ] as const)
      requirement("delivery.matching", `stay away ${what}`, async () => {
        const world = await startDelivering(start);
        const sink = await startSink();
        await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true }, ...fields });
        expectOk(
          await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration: { events } } }),
        );
        await makeGroup(world, world.defaultTenantId, "G");
        await eventually(async () => expect(await readEvents(world.storage)).toEqual([]));
        expect([sink.received, await logsOf(world)]).toEqual([[], []]);
      });
  });
});
