import { beforeEach, describe, expect, onTestFinished, vi } from "vitest";
import { PollSchedule } from "../../src/delivery/engine/poll-schedule.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { turns } from "../support/eventually.js";
import { requirement } from "../support/requirement.js";

let load = 0;

/** A pace in a process that is as busy as `load` says. */
function createPace(): PollSchedule {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return new PollSchedule({ monotonic: () => performance.now(), monitorEventLoop: () => () => load });
}

function note(pace: PollSchedule, commits: number): void {
  for (let count = 0; count < commits; count++) pace.countCommit();
}

describe("the outbox is looked at", () => {
  beforeEach(() => {
    load = 0;
  });

  requirement("delivery.batches", "at once after a rest, and then together with what came in a moment", () => {
    const pace = createPace();
    expect(pace.timeLeft(false)).toBeLessThanOrEqual(0);
    expect(pace.begin(0)).toBe(256);
    expect(pace.timeLeft(false)).toBe(20);
    vi.advanceTimersByTime(20);
    expect(pace.timeLeft(false)).toBe(0);
  });

  requirement("delivery.batches", "without a pause where more waits than could be taken", () => {
    const pace = createPace();
    pace.begin(0);
    expect(pace.timeLeft(true)).toBe(0);
  });

  requirement("delivery.yields", "less often and for less while others write as much as there is room for", () => {
    const pace = createPace();
    pace.begin(0);
    load = 1;
    note(pace, 600);
    vi.advanceTimersByTime(100);
    expect(pace.begin(0)).toBe(50);
    expect(pace.timeLeft(true)).toBe(100);
    note(pace, 60);
    vi.advanceTimersByTime(100);
    expect(pace.begin(0)).toBe(16);
  });

  requirement("delivery.yields", "as usual where the process is busy with something else, or hardly busy", () => {
    const pace = createPace();
    for (const [share, commits, ended] of [
      [1, 10, 100],
      [1, 0, 0],
      [0.5, 600, 0],
    ] as const) {
      pace.begin(0);
      load = share;
      note(pace, commits);
      vi.advanceTimersByTime(100);
      expect(pace.begin(ended)).toBe(256);
      expect(pace.timeLeft(true)).toBe(0);
    }
  });

  requirement("delivery.batches", "in large pieces where nobody wants to hear of anything, until somebody does", () => {
    const pace = createPace();
    pace.begin(0);
    pace.end(false);
    expect(pace.timeLeft(false)).toBe(250);
    expect(pace.begin(0)).toBe(1_000);
    pace.end(true);
    expect(pace.timeLeft(false)).toBe(20);
  });
});

requirement("delivery.yields", "How busy this process is, is a share of the time since it was asked before", async () => {
  const measure = createRuntime().monitorEventLoop();
  await turns();
  const share = measure();
  expect(share).toBeGreaterThanOrEqual(0);
  expect(share).toBeLessThanOrEqual(1);
});
