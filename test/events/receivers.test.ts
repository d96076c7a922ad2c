// Who gets an event: those who wanted it when it was recorded.
import { createIdentityService } from "latchkey";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventsTable } from "../../src/operations/outbox/tables.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { enableBroker, leastBroker, makeTestBroker, readLogs } from "../support/broker.js";
import { makeGroup } from "../support/families.js";
import { integrationsPath } from "../support/integrations.js";
import { describeOnServer, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { leastWebhook, makeWebhook } from "../support/webhooks.js";
import { bootstrapKey, forEachStorage, makeTenant, startWorld, testSecret, type World } from "../support/world.js";

const eventsEnabled = { "group.create": true };

forEachStorage((start) => {
  describe("a webhook that is made later", () => {
    requirement("delivery.later-receiver", "gets an event only when it is named", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const [early, late] = [await startSink(), await startSink()];
      await makeWebhook(world, { url: early.url, global: true, eventsEnabled });
      await makeGroup(world, world.defaultTenantId, "G");
      const other = await makeTenant(world, "Other");
      const webhookId = await makeWebhook(world, { url: late.url, global: true, eventsEnabled });
      const stranger = await makeWebhook(world, { url: late.url, tenantIds: [other], eventsEnabled });
      await world.identity.settle();
      expect([early.received.length, late.received.length]).toEqual([1, 0]);
      const [log] = await readLogs(world);
      const resend = `/api/system/webhook-event-log/${log?.id}/resend`;
      expectRefusal(await world.caller.post(`${resend}?webhookId=${stranger}`), 400, "[invalid]webhookId");
      expectRefusal(await world.caller.post(`${resend}?webhookId=${other}`), 400, "[invalid]webhookId");
      expectOk(await world.caller.post(`${resend}?webhookId=${webhookId}`));
      await world.identity.settle();
      expect([early.received.length, late.received.length]).toEqual([1, 1]);
      expect(await readLogs(world)).toMatchObject([{ eventResult: "Succeeded", successfulAttempts: 2 }]);
    });

    requirement("delivery.later-receiver", "gets nothing by a replay, and what is sent to it alone by its name", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const [early, late] = [await startSink(), await startSink()];
      const earlyId = await makeWebhook(world, { url: early.url, global: true, eventsEnabled });
      await makeGroup(world, world.defaultTenantId, "G");
      await world.identity.settle();
      const webhookId = await makeWebhook(world, { url: late.url, global: true, eventsEnabled });
      const { webhookEventLogs } = world.identity;
      expect(await webhookEventLogs.replay({ search: { start: 1 } })).toEqual({ total: 1 });
      await world.identity.settle();
      expect([early.received.length, late.received.length]).toEqual([2, 0]);
      const [log] = await readLogs(world);
      const webhookEventLogId = String(log?.id);
      await webhookEventLogs.resend({ webhookEventLogId, webhookId });
      await world.identity.settle();
      expect([early.received.length, late.received.length]).toEqual([2, 1]);
      await webhookEventLogs.resend({ webhookEventLogId, webhookId: earlyId });
      await world.identity.settle();
      expect([early.received.length, late.received.length]).toEqual([3, 1]);
    });

    requirement("delivery.same-id", "under the id of a removed one gets what waits for that id", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const [before, after] = [await startSink((_request, response) => void response.writeHead(500).end()), await startSink()];
      const id = await makeWebhook(world, { url: before.url, global: true, eventsEnabled });
      await makeGroup(world, world.defaultTenantId, "Tried");
      await world.identity.settle();
      await makeGroup(world, world.defaultTenantId, "Waiting");
      await world.identity.transaction(async (tx) => {
        await tx.webhooks.remove({ webhookId: id });
        await tx.webhooks.create({ webhookId: id, webhook: { ...leastWebhook, url: after.url, global: true, eventsEnabled } });
      });
      await makeGroup(world, world.defaultTenantId, "Later");
      // For 20 ms a webhook is called as it was.
      const now = performance.now.bind(performance);
      const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 1_000);
      onTestFinished(() => later.mockRestore());
      world.clock.advance(60_000);
      await world.identity.settle();
      const names = after.received.map(({ body }) => JSON.parse(body).event.group.name);
      expect(names.toSorted()).toEqual(["Later", "Tried", "Waiting"]);
    });

    requirement("delivery.removal", "gets what is recorded by a transaction that ends after it was made", async () => {
      const world = await start({ allowPrivateNetwork: true });
      if (world.storage.capabilities.runsSideBySide !== true) return;
      const sink = await startSink();
      await makeGroup(world, world.defaultTenantId, "Before");
      const [written, isMade] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const open = world.identity.transaction(async (tx) => {
        await tx.groups.create({ group: { name: "During" } });
        written.resolve();
        await isMade.promise;
      });
      await written.promise;
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled });
      isMade.resolve();
      await open;
      await makeGroup(world, world.defaultTenantId, "After");
      await world.identity.settle();
      const names = sink.received.map(({ body }) => JSON.parse(body).event.group.name);
      expect(names.toSorted()).toEqual(["After", "During"]);
    });
  });

  describe("a tenant", () => {
    requirement("delivery.removal", "that is gone for long has its events delivered by another process", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const sink = await startSink();
      const tenantId = await makeTenant(world, "Going");
      await makeWebhook(world, { url: sink.url, tenantIds: [tenantId], eventsEnabled });
      await makeGroup(world, tenantId, "G");
      expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { name: "Renamed" } }));
      const { clock, storage } = world;
      const options = { storage, secret: testSecret, apiKey: bootstrapKey, clock: clock.now, allowPrivateNetwork: true };
      const second = await createIdentityService({ ...options, delivery: false });
      onTestFinished(() => second.close());
      await second.settle();
      expect(sink.received).toHaveLength(1);
      // Nothing waits that it could be kept for.
      await second.settle();
      const left = await storage.transaction((tx) => tx.findPositions(eventsTable));
      expect(left).toEqual([]);
    });
  });

  describe("a broker that is disabled", () => {
    requirement("delivery.removed-receiver", "ends its waiting deliveries, and receives no more events", async () => {
      const broker = makeTestBroker(async () => ({ kind: "failed", reason: "leaderless" }));
      const world = await start({ broker: broker.factory });
      await enableBroker(world);
      await makeGroup(world, world.defaultTenantId, "Tried");
      await world.identity.settle();
      const tried = broker.messages.length;
      await makeGroup(world, world.defaultTenantId, "Waiting");
      expectOk(await world.caller.put(integrationsPath, { integrations: { broker: { ...leastBroker, enabled: false } } }));
      await world.identity.settle();
      expect(broker.messages).toHaveLength(tried);
      const logs = (await readLogs(world)).filter(({ eventType }) => eventType === "group.create");
      expect(logs.map(({ eventResult }) => eventResult)).toEqual(["Failed", "Failed"]);
      const { text } = expectOk(await world.caller.get(`/api/system/webhook-event-log/${logs[1]?.id}`));
      expect(text).toContain('{"exception":"receiverRemoved"}');
      const metrics = expectOk(await world.caller.get("/api/prometheus/metrics")).text;
      expect(metrics).toMatch(/latchkey_event_deliveries_total\{outcome="receiverRemoved"\} [1-9]/);
    });
  });
});

// An embedded database has one session.
describeOnServer("on Postgres two processes", () => {
  const { newSchema, newStorage } = testDatabase();

  test("that change receivers at once keep whom waiting events go to", async () => {
    const schema = newSchema();
    const options = { allowPrivateNetwork: true };
    const world = await startWorld(newStorage({ schema }), options);
    const second = await startWorld(newStorage({ schema }), { ...options, clock: world.clock.now });
    const other = await makeTenant(world, "Other");
    for (let round = 0; round < 5; round++) {
      const sinks = [await startSink(), await startSink(), await startSink()];
      const ids = await Promise.all(sinks.map(({ url }) => makeWebhook(world, { url, global: true, eventsEnabled })));
      await makeGroup(world, world.defaultTenantId, `Before ${round}`);
      const change = ({ identity }: World, index: number): Promise<unknown> =>
        identity.webhooks.patch({
          webhookId: ids[index] ?? "",
          mode: "merge",
          patch: { webhook: { global: false, tenantIds: [other] } },
        });
      await Promise.all([change(world, 0), change(second, 1), second.identity.webhooks.remove({ webhookId: ids[2] ?? "" })]);
      await makeGroup(second, world.defaultTenantId, `After ${round}`);
      await world.identity.settle();
      const names = sinks.map(({ received }) => received.map(({ body }) => JSON.parse(body).event.group.name));
      expect(names).toEqual([[`Before ${round}`], [`Before ${round}`], []]);
    }
    const logs = await readLogs(world);
    expect(logs.map(({ eventResult }) => eventResult)).toEqual(Array(5).fill("Failed"));
  });
});
