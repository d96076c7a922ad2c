// Each event that the service's own operations cause is caused here once, and looked at; the others are named with the reason.
import { describe, expect, test } from "vitest";
import { eventTypes } from "../../src/availability/event-types.js";
import { causes } from "../support/event-causes.js";
import type { Stage } from "../support/event-stage.js";
import { addRunRoutes, withLambdas } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { othersCause } from "../support/uncaused-events.js";
import { forEachStorage, readEvents, type Start } from "../support/world.js";

addRunRoutes();

const isTwin = (name: string): boolean => name.endsWith(".complete");

requirement("event.walk", "each event of the table is caused here, or has a reason why not", () => {
  const walked = [...Object.keys(causes), ...Object.keys(othersCause)];
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
});
