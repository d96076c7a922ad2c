// Each event is caused here once on each storage, over HTTP or by a start, and looked at.
import { describe, expect, test } from "vitest";
import { eventTypes } from "../../src/availability/event-types.js";
import { expectOk } from "../support/answer.js";
import { causes } from "../support/event-causes.js";
import type { Stage } from "../support/event-stage.js";
import { withLambdas } from "../support/lambda-runs.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents, type Start } from "../support/world.js";

const isTwin = (name: string): boolean => name.endsWith(".complete");

/** Events that no call of a record causes; the last two tests cause them. */
const ofStartAndWebhook = ["kickstart.success", "test"];

requirement("event.walk", "each event of the table is caused here", () => {
  const walked = [...Object.keys(causes), ...ofStartAndWebhook];
  expect(walked.toSorted()).toEqual(eventTypes.flatMap(({ name }) => (isTwin(name) ? [] : [name])).sort());
});

async function startStage(start: Start): Promise<Stage & { readonly eventsSince: () => ReturnType<typeof readEvents> }> {
  const world = await start({ version: "1.69.0", mail: async () => ({ kind: "ok" }), ...withLambdas() });
  const known = new Set<string>();
  const begin = async (): Promise<void> => {
    for (const { id } of await readEvents(world.storage)) known.add(id);
  };
  return { world, begin, eventsSince: async () => (await readEvents(world.storage)).filter(({ id }) => !known.has(id)) };
}

/** What stands beside the members of an event's own kind. */
const envelope = new Set(["actor", "createInstant", "id", "info", "linkedObjectId", "tenantId", "type"]);

forEachStorage((start) => {
  describe("the operation that causes", () => {
    test.each(Object.entries(causes))("%s publishes one event, with the record before and after", async (name, cause) => {
      const stage = await startStage(start);
      const expected = await cause(stage);
      const events = await stage.eventsSince();
      const { fields: known = [], scope } = eventTypes.find((event) => event.name === name) ?? {};
      const twins = eventTypes.filter((event) => event.name === `${name}.complete`);
      for (const type of [name, ...twins.map((twin) => twin.name)]) {
        const own = events.filter((event) => event.type === type);
        expect([type, own.length]).toEqual([type, 1]);
        const members = Object.entries(own[0] ?? {}).filter(([member]) => !envelope.has(member));
        expect(Object.fromEntries(members)).toEqual(expected);
        expect(members.filter(([member]) => !known.includes(member))).toEqual([]);
        expect(own[0]?.tenantId).toBe(scope === "tenant" ? stage.world.defaultTenantId : undefined);
      }
    });
  });

  requirement("event.walk", "a first start with a kickstart causes kickstart.success", async () => {
    const kickstart = { apiKeys: [{ key: "a-key-of-the-kickstart-of-this-test" }], requests: [] };
    const events = await readEvents((await start({ kickstart })).storage);
    expect(events).toMatchObject([{ type: "kickstart.success", instanceId: expect.any(String) }]);
  });

  requirement("event.walk", "a try of a webhook sends it test, and stores no event", async () => {
    const world = await start({ allowPrivateNetwork: true });
    const sink = await startSink();
    const webhookId = await makeWebhook(world, { url: sink.url });
    expectOk(await world.caller.post(`/api/webhook/${webhookId}/test`, { message: "Hello" }));
    expect(JSON.parse(sink.received[0]?.body ?? "{}").event).toMatchObject({ type: "test", message: "Hello" });
    expect(await readEvents(world.storage)).toEqual([]);
  });
}, embeddedPostgres());
