import { describe, expect, onTestFinished, vi } from "vitest";
import { ReceiverQueues } from "../../src/delivery/engine/receiver-queues.js";
import { requirement } from "../support/requirement.js";

const limits = { concurrency: 2, waiting: 10, waitingForSlow: 3 };

/** Queues under a fake clock, and work that ends when the test calls `end`. */
function createScene(): {
  readonly queues: ReceiverQueues;
  readonly add: (name: string) => boolean;
  readonly end: () => Promise<void>;
} {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const queues = new ReceiverQueues(limits, () => performance.now());
  const ends: (() => void)[] = [];
  const add = (name: string): boolean => queues.run(name, () => new Promise<void>((resolve) => void ends.push(resolve)));
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queues, add, end };
}

describe("a queue of calls", () => {
  requirement("delivery.receiver-queues", "takes as many calls as its limits allow, while others have room", () => {
    const { add } = createScene();
    expect(Array.from({ length: 13 }, () => add("a"))).toEqual([...Array(12).fill(true), false]);
    expect(add("b")).toBe(true);
  });

  requirement("delivery.receiver-queues", "of a fast receiver keeps the deliverer from leasing more", async () => {
    const { add, end, queues } = createScene();
    for (let count = 0; count < 8; count++) add("a");
    expect([queues.catchesUp(5), queues.catchesUp(6)]).toEqual([true, false]);
    for (let count = 0; count < 3; count++) await end();
    expect(queues.catchesUp(5)).toBe(false);
  });

  requirement("delivery.receiver-queues", "of a receiver that does not answer delays nothing, and takes fewer calls", () => {
    const { add, queues } = createScene();
    for (let count = 0; count < 5; count++) add("a");
    vi.advanceTimersByTime(1_000);
    expect(queues.catchesUp(2)).toBe(false);
    expect(add("a")).toBe(false);
    // Half of the time that three take, and later for each that asks.
    expect([queues.timeToRoom("a"), queues.timeToRoom("a")]).toEqual([2_500, 3_500]);
    expect(queues.timeToRoom("b")).toBe(0);
  });

  requirement("delivery.receiver-queues", "of a receiver that is fast again takes as many calls as any other", async () => {
    const { add, end, queues } = createScene();
    for (let count = 0; count < 5; count++) add("a");
    vi.advanceTimersByTime(1_000);
    await end();
    expect(add("a")).toBe(true);
    expect(add("a")).toBe(false);
    for (let count = 0; count < 3; count++) await end();
    vi.advanceTimersByTime(1_000);
    await end();
    for (let count = 0; count < 9; count++) expect(add("a")).toBe(true);
    expect(queues.isBusy).toBe(true);
  });
});
