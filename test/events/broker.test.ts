import type { SendOutcome } from "latchkey/ports";
import { describe, expect, test, vi } from "vitest";
import { expectOk } from "../support/answer.js";
import { enableBroker, makeTestBroker, readLogs, type TestBroker } from "../support/broker.js";
import { eventually } from "../support/eventually.js";
import { makeGroup } from "../support/families.js";
import { integrationsPath } from "../support/integrations.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, makeTenant, readEvents, type Start, type World } from "../support/world.js";

const soon = { timeout: 10_000 };
const bothTypes = ["group.create", "group.create.complete"];

/** A service that publishes to this broker. */
async function startPublishing(start: Start, broker: TestBroker): Promise<World> {
  const world = await start({ broker: broker.factory, allowPrivateNetwork: true });
  await enableBroker(world);
  await world.identity.start();
  return world;
}

const typesOf = ({ messages }: TestBroker): readonly (string | undefined)[] =>
  messages.map(({ headers }) => headers["event-type"]).sort();

forEachStorage((start) => {
  describe("a broker", () => {
    requirement("broker.message", "gets events as webhooks do, named by what they are about", async () => {
      const broker = makeTestBroker();
      const world = await startPublishing(start, broker);
      const id = await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(() => expect(typesOf(broker)).toEqual(bothTypes), soon);
      // Both are sent at once.
      const message = broker.messages.find(({ headers }) => headers["event-type"] === "group.create");
      const { event } = JSON.parse(message?.value ?? "{}");
      expect(event).toMatchObject({ type: "group.create", linkedObjectId: id, group: { id, name: "G" } });
      expect(message).toEqual({
        id: event.id,
        topic: "identity.events",
        key: id,
        value: expect.any(String),
        headers: {
          "event-id": event.id,
          "event-type": "group.create",
          sequence: expect.stringMatching(/^[1-9]\d*$/),
          "tenant-id": world.defaultTenantId,
        },
      });
    });

    requirement("broker.log", "has its attempts in the log, without url and webhookId", async () => {
      const broker = makeTestBroker();
      const world = await startPublishing(start, broker);
      await makeGroup(world, world.defaultTenantId, "G");
      await eventually(async () =>
        expect((await readLogs(world)).map((log) => log.eventResult)).toEqual(["Succeeded", "Succeeded"]),
      );
      const logId = (await readLogs(world))[0]?.id;
      const shown = expectOk(await world.caller.get(`/api/system/webhook-event-log/${logId}`));
      const { startInstant, ...attempt } = shown.at("webhookEventLog.attempts.0") as Record<string, unknown>;
      expect(attempt).toEqual({
        attemptResult: "Success",
        data: {},
        endInstant: startInstant,
        id: expect.any(String),
        webhookCallResponse: {},
      });
    });

    requirement("broker.retry", "is tried again with the same event where it failed, and webhooks are not", async () => {
      let outcome: SendOutcome = { kind: "failed", reason: "leaderless" };
      const broker = makeTestBroker(async () => outcome);
      const world = await startPublishing(start, broker);
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "user.create": true } });
      expectOk(await world.caller.post("/api/user", { user: { email: "a@example.com" } }));
      const logOf = async () => (await readLogs(world)).find(({ eventType }) => eventType === "user.create");
      await vi.waitFor(async () => expect(await logOf()).toMatchObject({ eventResult: "Running", failedAttempts: 1 }), soon);
      outcome = { kind: "ok" };
      world.clock.advance(6_000);
      await vi.waitFor(
        async () => expect(await logOf()).toMatchObject({ eventResult: "Succeeded", successfulAttempts: 2 }),
        soon,
      );
      const ids = broker.messages.filter(({ headers }) => headers["event-type"] === "user.create").map(({ id }) => id);
      expect([ids.length, new Set(ids).size, sink.received.length]).toEqual([2, 1, 1]);
      const attempts = expectOk(await world.caller.get(`/api/system/webhook-event-log/${ids[0]}`)).text;
      expect(attempts).toContain('{"exception":"leaderless"}');
    });

    requirement("broker.events", "gets every enabled event of every tenant, and those of the instance", async () => {
      const broker = makeTestBroker();
      const world = await start({ broker: broker.factory, kickstart: { apiKeys: [{ key: "key-of-the-kickstart-0123456789" }] } });
      await enableBroker(world);
      const auditLog = { message: "Noted.", insertUser: "somebody" };
      expectOk(await world.caller.post("/api/system/audit-log", { auditLog }));
      const other = await makeTenant(world, "Other");
      const events = { "group.create": { enabled: false } };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration: { events } } }));
      await makeGroup(world, world.defaultTenantId, "Silent");
      await makeGroup(world, other, "Heard");
      await world.identity.start();
      await vi.waitFor(async () => expect(await readEvents(world.storage)).toEqual([]), soon);
      await vi.waitFor(() => expect(typesOf(broker)).toContain("group.create"), soon);
      const about = broker.messages.map(({ headers, key }) => [headers["event-type"], headers["tenant-id"], key === undefined]);
      expect(about).toContainEqual(["audit-log.create", undefined, true]);
      // What was recorded before the broker was enabled is not for it.
      expect(typesOf(broker)).not.toContain("kickstart.success");
      expect(about).toContainEqual(["group.create", other, false]);
      expect(about).not.toContainEqual(["group.create", world.defaultTenantId, false]);
    });

    requirement("broker.asked", "is not asked before the commit, and is notified afterwards", async () => {
      const broker = makeTestBroker(async () => ({ kind: "failed", reason: "never" }));
      const world = await startPublishing(start, broker);
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "user.create": true } });
      const events = { "user.create": { enabled: true, transactionType: "AbsoluteMajority" } };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration: { events } } }));
      expectOk(await world.caller.post("/api/user", { user: { email: "a@example.com" } }));
      await vi.waitFor(() => expect(typesOf(broker)).toContain("user.create"), soon);
      expect(sink.received).toHaveLength(1);
    });

    requirement("broker.settings", "is made again when its settings change, and is let go with the service", async () => {
      const broker = makeTestBroker();
      const world = await startPublishing(start, broker);
      await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(() => expect(broker.messages).toHaveLength(2), soon);
      await enableBroker(world, { defaultTopic: "other" });
      await makeGroup(world, world.defaultTenantId, "H");
      await vi.waitFor(() => expect(broker.messages).toHaveLength(4), soon);
      expect(broker.messages.map(({ topic }) => topic).sort()).toEqual([...Array(2).fill("identity.events"), "other", "other"]);
      expect(broker.made.map(({ defaultTopic }) => defaultTopic)).toEqual(["identity.events", "other"]);
      await world.identity.close();
      expect(broker.closed).toEqual(broker.made);
    });

    test("gets nothing any more once the integration is disabled, not even what failed before", async () => {
      const broker = makeTestBroker(async () => ({ kind: "failed", reason: "never" }));
      const world = await startPublishing(start, broker);
      await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(async () => expect((await readLogs(world)).map((log) => log.failedAttempts)).toEqual([1, 1]), soon);
      expectOk(await world.caller.put(integrationsPath, { integrations: {} }));
      world.clock.advance(6_000);
      await makeGroup(world, world.defaultTenantId, "H");
      await vi.waitFor(async () => expect((await readLogs(world)).map((log) => log.eventResult)).not.toContain("Running"), soon);
      expect(broker.messages).toHaveLength(2);
    });

    test.each([
      ["rejects", () => Promise.reject(new Error("broken")), "internal"],
      ["never answers", () => new Promise<SendOutcome>(() => undefined), "timedOut"],
    ])("that %s costs nothing but its own retries", async (_what, answer, exception) => {
      const world = await startPublishing(start, makeTestBroker(answer));
      await enableBroker(world, { producer: { "delivery.timeout.ms": "50" } });
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true } });
      await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(async () => expect((await readLogs(world)).map((log) => log.failedAttempts)).toEqual([1, 1]), soon);
      expect(sink.received).toHaveLength(1);
      const [log] = await readLogs(world);
      expect(expectOk(await world.caller.get(`/api/system/webhook-event-log/${log?.id}`)).text).toContain(`"${exception}"`);
    });

    test.each([
      ["is not given", undefined],
      [
        "does not follow the settings",
        () => {
          throw new TypeError("acks must be one of all, -1, 0, 1.");
        },
      ],
    ])("that %s keeps events waiting, and says so once", async (_what, broker) => {
      const world = await start({ broker });
      await enableBroker(world);
      await world.identity.start();
      await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(async () => expect((await readLogs(world)).map((log) => log.failedAttempts)).toEqual([1, 1]), soon);
      const [log] = await readLogs(world);
      expect(expectOk(await world.caller.get(`/api/system/webhook-event-log/${log?.id}`)).text).toContain('"notConfigured"');
      expect(world.log.filter(({ message }) => message === "messages cannot be published")).toHaveLength(1);
    });
  });
});
