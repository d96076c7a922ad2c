import { describe, expect, it } from "vitest";
import { judgeRepetitions, storedWithin } from "./repetitions.js";
import type { Accepted } from "./sink.js";

describe("storedWithin", () => {
  it("is twice the median of the writes of the last second", () => {
    const times = [300, 100, 200];
    const writes = [{ begin: 0, end: 900 }, ...times.map((time) => ({ begin: 1_500, end: 1_500 + time }))];
    expect([storedWithin(writes, 2_000), storedWithin([], 2_000)]).toEqual([400, 2_000]);
  });

  it("is 250 ms at least", () => {
    expect(storedWithin([{ begin: 1_990, end: 2_000 }], 2_000)).toBe(250);
  });
});

describe("judgeRepetitions", () => {
  const answers = (eventId: string, ...times: readonly number[]): readonly Accepted[] =>
    times.map((time) => ({ eventId, about: eventId, time, isAnswered: true }));
  const judge = (storedMs: number, repeated: number) => {
    const ids = Array.from({ length: 20 }, (_, index) => `event ${index}`);
    const all = ids.flatMap((id, index) => answers(id, 700, ...(index < repeated ? [1_500] : [])));
    return judgeRepetitions(all, [{ begin: 1_000, over: 1_010, storedMs }]);
  };

  it("allows what was answered shortly before an end to come again", () => {
    expect(judge(400, 20).areTooMany).toBe(false);
  });

  it("allows few of the older answers to come again", () => {
    expect([judge(100, 7).areTooMany, judge(100, 8).areTooMany]).toEqual([false, true]);
    expect(judge(100, 8).text).toContain("8 of the 20 others that were answered in the last second, the oldest 300 ms before it");
  });
});
