import { describe, expect, onTestFinished, vi } from "vitest";
import { ReceiverQueues } from "../../src/delivery/engine/receiver-queues.js";
import { requirement } from "../support/requirement.js";

const limits = { concurrency: 2, waiting: 10, waitingForSlow: 3 };

/** Lanes under a clock that goes on when it is told, and work that ends when it is told. */
function createScene(): {
  readonly lanes: ReceiverQueues;
  readonly add: (name: string) => boolean;
  readonly end: () => Promise<void>;
} {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const lanes = new ReceiverQueues(limits);
  const ends: (() => void)[] = [];
  const add = (name: string): boolean => lanes.run(name, () => new Promise<void>((resolve) => void ends.push(resolve)));
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lanes, add, end };
}

describe("a lane", () => {
  requirement("delivery.lanes", "takes so much and no more, while others have room", () => {
    const { add } = createScene();
    expect(Array.from({ length: 13 }, () => add("a"))).toEqual([...Array(12).fill(true), false]);
    expect(add("b")).toBe(true);
  });

  requirement("delivery.lanes", "that goes on quickly is waited for", async () => {
    const { add, end, lanes } = createScene();
    for (let count = 0; count < 8; count++) add("a");
    expect([lanes.catchesUp(5), lanes.catchesUp(6)]).toEqual([true, false]);
    for (let count = 0; count < 3; count++) await end();
    expect(lanes.catchesUp(5)).toBe(false);
  });

  requirement("delivery.lanes", "of a receiver that does not answer is not waited for, and takes less", () => {
    const { add, lanes } = createScene();
    for (let count = 0; count < 5; count++) add("a");
    vi.advanceTimersByTime(1_000);
    expect(lanes.catchesUp(2)).toBe(false);
    expect(add("a")).toBe(false);
    // Half of the time that three take, and later for each that asks.
    expect([lanes.timeToRoom("a"), lanes.timeToRoom("a")]).toEqual([2_500, 3_500]);
    expect(lanes.timeToRoom("b")).toBe(0);
  });

  requirement("delivery.lanes", "that has become quick again takes as much as any other", async () => {
    const { add, end, lanes } = createScene();
    for (let count = 0; count < 5; count++) add("a");
    vi.advanceTimersByTime(1_000);
    await end();
    expect(add("a")).toBe(true);
    expect(add("a")).toBe(false);
    for (let count = 0; count < 3; count++) await end();
    vi.advanceTimersByTime(1_000);
    await end();
    for (let count = 0; count < 9; count++) expect(add("a")).toBe(true);
    expect(lanes.isBusy).toBe(true);
  });
});
