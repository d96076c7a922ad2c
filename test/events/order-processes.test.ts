import { describe, expect, vi } from "vitest";
import { eventsTable } from "../../src/operations/outbox/tables.js";
import { globalScope, type Storage } from "../../src/ports/storage.js";
import { expectOk } from "../support/answer.js";
import { boundStorage } from "../support/bound-storage.js";
import { readLogs } from "../support/broker.js";
import { turns } from "../support/eventually.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import {
  makeListener,
  numbersOf,
  publishAbout,
  seenBy,
  startBeside,
  startFlappingSink,
  startHeldSink,
  startOrdered,
  upTo,
  whilePolling,
} from "../support/subjects.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, readEvents, startWorld } from "../support/world.js";

const soon = { timeout: 20_000, interval: 20 };
/** Milliseconds that pass at each look, where what waits is given back for a second. */
const passing = 100;
const minute = 60_000;
const leaseMilliseconds = 30_000;

forEachStorage((start) => {
  describe("events of one subject", () => {
    requirement("delivery.order-retried", "wait for one that another process tried, which is gone", async () => {
      const world = await start({ allowPrivateNetwork: true });
      let status = 503;
      const sink = await startSink((_request, response) => void response.writeHead(status).end());
      await makeListener(world, sink);
      const [first, second] = [await startBeside(world, [minute]), await startBeside(world, [minute])];
      await first.identity.start();
      await publishAbout(world, [1], upTo(3));
      await whilePolling([first], async () => expect(await readLogs(world)).toHaveLength(3));
      await first.identity.close();
      status = 200;
      await second.identity.start();
      await publishAbout(world, [1, 2], [4]);
      await whilePolling([second], () => expect(numbersOf(seenBy(sink.received), 2)).toEqual([4]));
      await whilePolling([second], async () => expect(await readEvents(world.storage)).toEqual([]));
      expect(numbersOf(seenBy(sink.received), 1)).toEqual([1]);
      world.clock.advance(2 * minute);
      await whilePolling([second], () => expect(numbersOf(seenBy(sink.received), 1)).toEqual([1, 1, 2, 3, 4]));
    });

    requirement("delivery.order-retried", "leave in order from several processes", async () => {
      const world = await startOrdered(start);
      const sink = await startFlappingSink(1);
      await makeListener(world, sink);
      const other = await startBeside(world, Array(50).fill(20));
      await Promise.all([world.identity.start(), other.identity.start()]);
      for (const number of upTo(4)) await publishAbout(number % 2 ? world : other, [1, 2], [number]);
      await whilePolling([world, other], () => expect(sink.taken).toHaveLength(8), passing);
      for (const subject of [1, 2]) expect(numbersOf(sink.taken, subject)).toEqual(upTo(4));
    });

    requirement("delivery.order-retried", "wait for what another process has leased", async () => {
      const world = await start({ allowPrivateNetwork: true, delivery: { order: "subject" } });
      const sink = await startSink();
      await makeListener(world, sink);
      await publishAbout(world, [1], [1]);
      const lease = { limit: 1, now: world.clock.instant, until: world.clock.instant + leaseMilliseconds };
      expect(await world.storage.transaction((tx) => tx.lease(eventsTable, lease))).toHaveLength(1);
      await world.identity.start();
      await publishAbout(world, [1], [2]);
      // Two polls find that it is not theirs.
      for (const _poll of upTo(2)) await world.identity.settle();
      expect(sink.received).toEqual([]);
      world.clock.advance(leaseMilliseconds + 1);
      await whilePolling([world], () => expect(numbersOf(seenBy(sink.received), 1)).toEqual([1, 2]), passing);
    });

    requirement("delivery.order-retried", "wait for what was leased by a look that failed", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const sink = await startHeldSink();
      await makeListener(world, sink);
      let isBroken = false;
      const beforeCall = (call: string): void => {
        if (isBroken && call === "read") throw new Error("The test says so.");
      };
      const storage = { ...watchStorage(world.storage, { beforeCall }), close: async () => undefined };
      const clock = world.clock.now;
      const other = await startWorld(storage, { allowPrivateNetwork: true, clock, delivery: { order: "subject" } });
      await other.identity.start();
      isBroken = true;
      await publishAbout(world, [1], [1]);
      const leased = { op: "compare", column: "leasedUntil", comparison: ">=", value: world.clock.instant } as const;
      await whilePolling([other], async () => expect(await world.storage.find(globalScope, eventsTable, leased)).toHaveLength(1));
      const errors = () => other.log.filter(({ message }) => message === "events could not be delivered").length;
      const before = errors();
      await whilePolling([other], () => expect(errors()).toBeGreaterThan(before));
      isBroken = false;
      await publishAbout(world, [1], [2]);
      // Two polls find that somebody has leased the first.
      for (const _poll of upTo(2)) await other.identity.settle();
      expect(sink.received).toEqual([]);
      world.clock.advance(leaseMilliseconds + 1);
      for (const number of upTo(2)) {
        await whilePolling([{ ...other, clock: world.clock }], () => expect(sink.open).toHaveLength(1), passing);
        expect(numbersOf(seenBy(sink.received), 1)).toEqual(upTo(number));
        sink.open.pop()?.end();
      }
    });

    requirement("delivery.order-retried", "are left to others by a process that stops", async () => {
      const world = await startOrdered(start);
      const sink = await startHeldSink();
      await makeListener(world, sink);
      let wait = async (): Promise<void> => undefined;
      const transaction: Storage["transaction"] = (...call) => wait().then(() => world.storage.transaction(...call));
      const other = await startBeside({ ...world, storage: { ...boundStorage(world.storage), transaction } }, [minute]);
      await other.identity.start();
      await publishAbout(world, [1], upTo(3));
      await whilePolling([other], () => expect(sink.open).toHaveLength(1));
      const [lastPoll, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      wait = () => {
        lastPoll.resolve();
        return gate.promise;
      };
      await other.identity.start();
      await lastPoll.promise;
      const closed = other.identity.close();
      sink.open.pop()?.end();
      // The end of the call comes while the process waits for its last poll.
      await turns();
      gate.resolve();
      await closed;
      expect(numbersOf(seenBy(sink.received), 1)).toEqual([1]);
      await world.identity.start();
      for (const number of [2, 3]) {
        await whilePolling([world], () => expect(numbersOf(seenBy(sink.received), 1)).toEqual(upTo(number)), passing);
        sink.open.pop()?.end();
      }
    });

    requirement("delivery-log.resend", "that are sent once more do not wait for later ones", async () => {
      const world = await startOrdered(start);
      const sink = await startHeldSink();
      await makeListener(world, sink);
      await world.identity.start();
      await publishAbout(world, [1], upTo(2));
      await vi.waitFor(() => expect(sink.open).toHaveLength(1), soon);
      sink.open.pop()?.end();
      await whilePolling([world], async () =>
        expect((await readLogs(world)).map((log) => log.eventResult)).toContain("Succeeded"),
      );
      await whilePolling([world], () => expect(numbersOf(seenBy(sink.received), 1)).toEqual([1, 2]));
      const done = (await readLogs(world)).find((log) => log.eventResult === "Succeeded");
      expectOk(await world.caller.post(`/api/system/webhook-event-log/${done?.id}/resend`));
      await whilePolling([world], () => expect(numbersOf(seenBy(sink.received), 1)).toEqual([1, 2, 1]));
      for (const response of sink.open) response.end();
    });
  });
});
