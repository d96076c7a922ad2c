import { describe, expect, vi } from "vitest";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { watchStorage } from "../support/watched-storage.js";
import { makeWebhook } from "../support/webhooks.js";
import { startWorld, storages, uuid } from "../support/world.js";

const count = 12;
const largeBytes = 900_000;
const mebibyte = 1_048_576;

describe.each(storages)("on %s", (_name, open) => {
  requirement("delivery.large", "many large events are taken a few at a time, tried again, and all arrive", async () => {
    const leased: number[] = [];
    const storage = watchStorage(open(), {
      onLease: (records) => void leased.push(records.reduce((sum, { json }) => sum + json.length, 0)),
    });
    const world = await startWorld(storage, { allowPrivateNetwork: true });
    let refused = 0;
    // Each is refused once.
    const sink = await startSink((_request, response) => void response.writeHead(refused++ < count ? 500 : 201).end());
    await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true } });
    for (let index = 0; index < count; index++) {
      const group = { name: `Group ${index}`, data: { text: "x".repeat(largeBytes) } };
      expectOk(await world.caller.post(`/api/group/${uuid(index)}`, { group }));
    }
    await world.identity.settle();
    expect(leased.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(count * largeBytes);
    expect(Math.max(...leased)).toBeLessThan(2 * mebibyte + largeBytes + 10_000);
    await vi.waitFor(async () => {
      world.clock.advance(600_000);
      await world.identity.settle();
      const arrived = sink.received.slice(count).map(({ body }) => JSON.parse(body).event.group.id);
      expect(arrived.toSorted()).toEqual(Array.from({ length: count }, (_, index) => uuid(index)));
    }, 10_000);
  });
});
