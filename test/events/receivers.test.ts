// Who gets an event: those who wanted it when it was recorded.
import { createIdentityService } from "latchkey";
import { describe, expect, onTestFinished } from "vitest";
import { eventsTable } from "../../src/events/table.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { enableBroker, leastBroker, makeTestBroker, readLogs } from "../support/broker.js";
import { makeGroup } from "../support/families.js";
import { integrationsPath } from "../support/integrations.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { bootstrapKey, forEachStorage, makeTenant, testSecret } from "../support/world.js";

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
      const second = await createIdentityService({ ...options, delivery: { autoStart: false } });
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
    requirement("delivery.removed-receiver", "ends what waits for it, and is told of nothing any more", async () => {
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
