import { describe, expect, onTestFinished, vi } from "vitest";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { type Sink, startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { callerOfTenant, forEachStorage, makeTenant, type Start, uuid, type World } from "../support/world.js";

const path = "/api/system/webhook-event-log";

interface Scene extends World {
  readonly sink: Sink;
  readonly webhookId: string;
}

/** A service that has sent the event of one group to one webhook. */
async function sendOne(start: Start, status = 201): Promise<Scene> {
  const world = await start({ allowPrivateNetwork: true });
  await world.identity.start();
  const sink = await startSink((_request, response) => void response.writeHead(status).end());
  const webhookId = await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true } });
  await makeGroup(world, world.defaultTenantId, "Editors");
  const scene = { ...world, sink, webhookId };
  await vi.waitFor(
    async () => expect((await logsOf(scene))[0]).toMatchObject({ lastAttemptInstant: world.clock.instant }),
    10_000,
  );
  return scene;
}

async function logsOf(
  { caller }: World,
  search: object = {},
): Promise<readonly { readonly id: string; readonly sequence: number }[]> {
  return expectOk(await caller.post(`${path}/search`, { search })).at("webhookEventLogs") as never;
}

async function idOfOne(world: World): Promise<string> {
  return (await logsOf(world))[0]?.id ?? "";
}

forEachStorage((start) => {
  describe("the log of an event", () => {
    requirement("delivery-log.fields", "shows the event, what became of it, and its attempts", async () => {
      const scene = await sendOne(start);
      const answer = expectOk(await scene.caller.get(`${path}/${await idOfOne(scene)}`));
      const now = scene.clock.instant;
      expect(answer.at("webhookEventLog")).toMatchObject({
        data: {},
        event: { event: { type: "group.create", group: { name: "Editors" } } },
        eventResult: "Succeeded",
        eventType: "group.create",
        failedAttempts: 0,
        insertInstant: now,
        lastUpdateInstant: now,
        sequence: 1,
        successfulAttempts: 1,
      });
      expect(answer.at("webhookEventLog.attempts")).toEqual([
        {
          attemptResult: "Success",
          data: {},
          endInstant: now,
          id: expect.any(String),
          startInstant: now,
          webhookCallResponse: { statusCode: 201, url: scene.sink.url },
          webhookId: scene.webhookId,
        },
      ]);
    });

    requirement("delivery-log.attempts", "shows an attempt by its id", async () => {
      const scene = await sendOne(start, 500);
      const id = await idOfOne(scene);
      const attempts = expectOk(await scene.caller.get(`${path}/${id}`)).at("webhookEventLog.attempts") as { id: string }[];
      const attempt = expectOk(await scene.caller.get(`/api/system/webhook-attempt-log/${attempts[0]?.id}`));
      expect(attempt.at("webhookAttemptLog")).toMatchObject({ attemptResult: "Failure", webhookEventLogId: id });
    });

    requirement("delivery-log.attempts", "reports why there was no response", async () => {
      const world = await start({});
      await world.identity.start();
      await makeWebhook(world, { url: "http://127.0.0.1:9/", global: true, eventsEnabled: { "group.create": true } });
      await makeGroup(world, world.defaultTenantId, "G");
      await vi.waitFor(async () => expect((await logsOf(world))[0]).toMatchObject({ failedAttempts: 1 }), 10_000);
      const answer = expectOk(await world.caller.get(`${path}/${await idOfOne(world)}`));
      expect(answer.at("webhookEventLog.attempts")).toMatchObject([
        { webhookCallResponse: { exception: "forbiddenAddress", url: "http://127.0.0.1:9/" } },
      ]);
    });

    for (const [base, name] of [
      [path, "webhookEventLogId"],
      ["/api/system/webhook-attempt-log", "webhookAttemptLogId"],
    ] as const)
      requirement("delivery-log.fields", `is not found by an id that is none: ${base}`, async () => {
        const { caller } = await start({});
        expect((await caller.get(`${base}/${uuid(7)}`)).status).toBe(404);
        expectRefusal(await caller.get(`${base}/nonsense`), 400, `[couldNotConvert]${name}`);
      });

    requirement("delivery-log.tenant", "is one that a tenant's key sees of its own tenant only", async () => {
      const scene = await sendOne(start);
      const id = await idOfOne(scene);
      const own = await callerOfTenant(scene, scene.defaultTenantId);
      const other = await callerOfTenant(scene, await makeTenant(scene, "Other"));
      expect((await own.get(`${path}/${id}`)).status).toBe(200);
      expect((await other.get(`${path}/${id}`)).status).toBe(404);
      expect(expectOk(await other.get(`${path}/search`)).at("total")).toBe(0);
    });
  });

  describe("a search in the logs", () => {
    for (const [search, expected] of [
      [{ eventType: "group.create" }, 1],
      [{ eventType: "group.delete" }, 0],
      [{ eventResult: "Succeeded" }, 1],
      [{ eventResult: "Failed" }, 0],
      [{ event: "*editors*" }, 1],
      [{ event: "*owners*" }, 0],
      [{ start: 1_700_000_000_000 }, 1],
      [{ start: 1_700_000_000_001 }, 0],
      [{ end: 1_700_000_000_000 }, 0],
    ] as const)
      requirement("delivery-log.search", `finds by ${JSON.stringify(search)}`, async () => {
        expect(await logsOf(await sendOne(start), search)).toHaveLength(expected);
      });

    requirement("delivery-log.search", "finds the text of an event in any letter case, beyond ASCII too", async () => {
      const scene = await sendOne(start);
      await makeGroup(scene, scene.defaultTenantId, "ÉQUIPE Rédaction");
      await vi.waitFor(async () => expect(await logsOf(scene)).toHaveLength(2), 10_000);
      const found = async (event: string): Promise<number> => (await logsOf(scene, { event })).length;
      expect(await found("*équipe RÉDACTION*")).toBe(1);
      expect(await found("*EDITORS*")).toBe(1);
      expect(await found("*GROUP.create*")).toBe(2);
      // What only the log says, and not the event, is no part of its text.
      expect(await found("*succeeded*")).toBe(0);
    });

    requirement("delivery-log.search", "answers 400 for an event that does not exist", async () => {
      const { caller } = await start({});
      const answer: Answer = await caller.get(`${path}/search?eventType=nonsense`);
      expect(answer.status).toBe(400);
    });
  });

  requirement("delivery-log.retention", "The log of an event stays for thirty days", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const world = await start({ allowPrivateNetwork: true });
    const sink = await startSink();
    await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true } });
    await makeGroup(world, world.defaultTenantId, "Editors");
    await world.identity.start();
    await vi.waitFor(async () => expect((await logsOf(world))[0]).toMatchObject({ eventResult: "Succeeded" }), 10_000);
    const search = { start: world.clock.instant };
    const expectAfter = async (milliseconds: number, count: number): Promise<void> => {
      world.clock.advance(milliseconds);
      vi.advanceTimersByTime(3_600_000);
      await vi.waitFor(async () => expect(await logsOf(world, search)).toHaveLength(count), 10_000);
    };
    await expectAfter(30 * 24 * 3_600_000, 1);
    await expectAfter(1, 0);
  });

  describe("sending once more", () => {
    requirement("delivery-log.resend", "sends the same event with the same id", async () => {
      const scene = await sendOne(start);
      const id = await idOfOne(scene);
      const answer = expectOk(await scene.caller.post(`${path}/${id}/resend`));
      expect(answer.at("webhookEventLog.eventResult")).toBe("Running");
      await vi.waitFor(() => expect(scene.sink.received).toHaveLength(2), 10_000);
      expect(scene.sink.received[1]?.body).toBe(scene.sink.received[0]?.body);
    });

    requirement("delivery-log.replay", "of a range counts first, and sends then", async () => {
      const scene = await sendOne(start);
      const search = { start: scene.clock.instant };
      const counted = expectOk(await scene.caller.post(`${path}/replay?dryRun=true`, { search }));
      expect(counted.at("total")).toBe(1);
      expect(scene.sink.received).toHaveLength(1);
      expect(expectOk(await scene.caller.post(`${path}/replay`, { search })).at("total")).toBe(1);
      await vi.waitFor(() => expect(scene.sink.received).toHaveLength(2), 10_000);
    });

    requirement("delivery-log.replay", "of a range needs to know from when on", async () => {
      const { caller } = await start({});
      expectRefusal(await caller.post(`${path}/replay`, { search: {} }), 400, "[missing]search.start");
    });
  });

  describe("a test of a webhook", () => {
    requirement("delivery-log.test", "sends an event at once, returns the result, and logs nothing", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const sink = await startSink();
      const webhookId = await makeWebhook(world, { url: sink.url });
      const answer = expectOk(await world.caller.post(`/api/webhook/${webhookId}/test`, { message: "Hello" }));
      expect(answer.at("webhookAttemptLog")).toMatchObject({ attemptResult: "Success", webhookId });
      expect(JSON.parse(sink.received[0]?.body ?? "{}").event).toMatchObject({ message: "Hello", type: "test" });
      expect(await logsOf(world)).toEqual([]);
    });

    for (const [body, code] of [
      [{ message: 7 }, "[invalidJSON]message"],
      [{ message: "x".repeat(10_001) }, "[tooLong]message"],
    ] as const)
      requirement("delivery-log.test", `is refused with ${code}`, async () => {
        const world = await start({});
        expectRefusal(await world.caller.post(`/api/webhook/${await makeWebhook(world)}/test`, body), 400, code);
      });

    requirement("delivery-log.test", "sends nothing as a dry run, and knows nothing then", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const sink = await startSink();
      const webhookId = await makeWebhook(world, { url: sink.url });
      const answer = expectOk(await world.caller.post(`/api/webhook/${webhookId}/test?dryRun=true`));
      expect(answer.at("webhookAttemptLog.attemptResult")).toBe("Unknown");
      expect(sink.received).toEqual([]);
    });

    requirement("delivery-log.test", "is not found for a webhook that is none", async () => {
      const { caller } = await start({});
      expect((await caller.post(`/api/webhook/${uuid(7)}/test`)).status).toBe(404);
    });
  });
});
