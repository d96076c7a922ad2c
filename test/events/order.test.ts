import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, vi } from "vitest";
import { enableBroker, makeTestBroker } from "../support/broker.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import {
  makeListener,
  numbersOf,
  publishAbout,
  seenBy,
  startFlappingSink,
  startHeldSink,
  startOrdered,
  upTo,
  whilePolling,
} from "../support/subjects.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, testSecret } from "../support/world.js";

/** Milliseconds that pass at each look, where what waits is given back for a second. */
const passing = 100;
const soon = { timeout: 20_000, interval: 20 };

forEachStorage((start) => {
  describe("events of one subject", () => {
    requirement("delivery.order", "are sent one after the other, and others meanwhile", async () => {
      const world = await startOrdered(start);
      const sink = await startHeldSink();
      await makeListener(world, sink);
      await publishAbout(world, [1], upTo(3));
      await publishAbout(world, [2, 3], [1]);
      await world.identity.start();
      await vi.waitFor(() => expect(sink.open).toHaveLength(3), soon);
      expect(seenBy(sink.received).toSorted()).toEqual([[1, 1], [2, 1], [3, 1]]); // biome-ignore format: a row
      await publishAbout(world, [1, 4], [4]);
      await vi.waitFor(() => expect(numbersOf(seenBy(sink.received), 4)).toEqual([4]), soon);
      for (const number of upTo(4)) {
        expect(numbersOf(seenBy(sink.received), 1)).toEqual(upTo(number));
        for (const response of sink.open.splice(0)) response.end();
        if (number < 4) await vi.waitFor(() => expect(sink.open).toHaveLength(1), soon);
      }
    });

    requirement("delivery.order", "come in order, however many there are at once", async () => {
      const world = await startOrdered(start);
      const sink = await startSink();
      await makeListener(world, sink);
      await publishAbout(world, [1, 2], upTo(200));
      await world.identity.start();
      await vi.waitFor(() => expect(sink.received).toHaveLength(400), soon);
      for (const subject of [1, 2]) expect(numbersOf(seenBy(sink.received), subject)).toEqual(upTo(200));
    });

    requirement("delivery.order-retried", "wait while the one before is tried again", async () => {
      const world = await startOrdered(start);
      const sink = await startFlappingSink(1);
      await makeListener(world, sink);
      await world.identity.start();
      await publishAbout(world, [1, 2], upTo(3));
      await whilePolling([world], () => expect(sink.taken).toHaveLength(6), passing);
      for (const subject of [1, 2]) {
        expect(numbersOf(sink.taken, subject)).toEqual(upTo(3));
        expect(numbersOf(seenBy(sink.received), subject)).toEqual(upTo(3).flatMap((number) => [number, number]));
      }
    });

    requirement("delivery.order-retried", "go on once the one before was given up", async () => {
      const world = await startOrdered(start, [20]);
      const sink = await startSink((_request, response) => {
        const [seen] = seenBy(sink.received.slice(-1));
        response.writeHead(seen?.[1] === 1 ? 500 : 200).end();
      });
      await makeListener(world, sink);
      await world.identity.start();
      await publishAbout(world, [1], upTo(3));
      await whilePolling([world], () => expect(numbersOf(seenBy(sink.received), 1)).toEqual([1, 1, 2, 3]), passing);
    });

    requirement("delivery.order-receivers", "reach a receiver while another one does not answer", async () => {
      const world = await startOrdered(start);
      const [held, quick] = [await startHeldSink(), await startSink()];
      for (const sink of [held, quick]) await makeListener(world, sink);
      await world.identity.start();
      await publishAbout(world, [1], upTo(5));
      await vi.waitFor(() => expect(numbersOf(seenBy(quick.received), 1)).toEqual(upTo(5)), soon);
      expect(seenBy(held.received)).toEqual([[1, 1]]);
    });

    requirement("delivery.order-receivers", "are tried again at a receiver while another one does not answer", async () => {
      const world = await startOrdered(start);
      const [held, flapping] = [await startHeldSink(), await startFlappingSink(1)];
      for (const sink of [held, flapping]) await makeListener(world, sink);
      await world.identity.start();
      await publishAbout(world, [1], upTo(3));
      await whilePolling([world], () => expect(numbersOf(flapping.taken, 1)).toEqual(upTo(3)), passing);
      expect(seenBy(held.received)).toEqual([[1, 1]]);
    });

    requirement("delivery.order", "reach a broker one after the other", async () => {
      const ends: (() => void)[] = [];
      const broker = makeTestBroker(() => new Promise((resolve) => void ends.push(() => resolve({ kind: "ok" }))));
      const world = await start({ broker: broker.factory, delivery: { order: "subject" } });
      await enableBroker(world);
      await publishAbout(world, [1], upTo(3));
      await world.identity.start();
      for (const number of upTo(3)) {
        await vi.waitFor(() => expect(ends).toHaveLength(number), soon);
        expect(broker.messages.map(({ value }) => JSON.parse(value).event.user.data.number)).toEqual(upTo(number));
        ends.at(-1)?.();
      }
    });

    requirement("delivery.order", "follow their first with its twin", async () => {
      const world = await startOrdered(start);
      const sink = await startHeldSink();
      const eventsEnabled = { "group.create": true, "group.create.complete": true };
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled, readTimeout: 20_000 });
      await world.identity.start();
      for (const name of ["G", "H"]) await makeGroup(world, world.defaultTenantId, name);
      const typesSent = () => sink.received.map(({ body }) => JSON.parse(body).event.type);
      await vi.waitFor(() => expect(typesSent()).toEqual(Array(2).fill("group.create")), soon);
      for (const response of sink.open.splice(0)) response.end();
      await vi.waitFor(() => expect(typesSent().slice(2)).toEqual(Array(2).fill("group.create.complete")), soon);
      for (const response of sink.open) response.end();
    });

    requirement("delivery.order", "about nothing are not ordered", async () => {
      const world = await startOrdered(start);
      const sink = await startHeldSink();
      const eventsEnabled = { "jwt.public-key.update": true };
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled, readTimeout: 20_000 });
      await world.identity.start();
      const { defaultTenantId: tenantId } = world;
      for (const id of ["a", "b", "c"])
        await world.identity.events.publish({ type: "jwt.public-key.update", tenantId, applicationIds: [id] });
      await vi.waitFor(() => expect(sink.open).toHaveLength(3), soon);
      for (const response of sink.open) response.end();
    });

    requirement("delivery.order-none", "are sent side by side where the host did not ask for more", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const sink = await startHeldSink();
      await makeListener(world, sink);
      await world.identity.start();
      await publishAbout(world, [1], upTo(3));
      await vi.waitFor(() => expect(numbersOf(seenBy(sink.received), 1).toSorted()).toEqual(upTo(3)), soon);
      for (const response of sink.open) response.end();
    });
  });
});

describe("the order of deliveries", () => {
  requirement("delivery.order-none", "is none or by subject", async () => {
    // As a host without types may write it.
    const delivery = JSON.parse('{"order":"tenant"}');
    const refused = createIdentityService({ storage: memoryStorage(), secret: testSecret, delivery });
    await expect(refused).rejects.toThrow(new TypeError('delivery.order must be "none" or "subject".'));
  });
});
