import { describe, expect, it } from "vitest";
import { EventLedger, findTrend, type Tenth } from "./judge.js";

const tenth = (p99: number, heap: number): Tenth => {
  const latency = { calls: 1, p50: 1, p99 };
  const latencies = { read: latency, write: latency, search: latency, login: latency };
  return { latencies, weight: { heap, resident: 100, guests: 50 } };
};
const tenths = (read: (index: number) => Tenth): readonly Tenth[] => Array.from({ length: 10 }, (_, index) => read(index));

describe("findTrend", () => {
  it("finds none in a run that is flat but for its beginning and one slow tenth", () => {
    const flat = tenths((index) => tenth(index === 0 || index === 7 ? 90 : 5, index < 2 ? 20 : 40));
    expect(findTrend(flat)).toEqual({ read: 0, write: 0, search: 0, login: 0, heap: 0, resident: 0, guests: 0 });
  });

  it("finds a heap and a 99th percentile that grow", () => {
    const growing = findTrend(tenths((index) => tenth(5 + index, 40 + 10 * index)));
    expect(growing.login).toBeGreaterThan(0.3);
    expect(growing.heap).toBeGreaterThan(0.3);
    expect(growing.resident).toBe(0);
  });

  it("refuses a run that is too short", () => {
    expect(() => findTrend([1, 2, 3, 4, 5].map((p99) => tenth(p99, 1)))).toThrow("four tenths");
  });
});

describe("EventLedger", () => {
  it("counts events that are lost and those that repeat, in either order of answer and arrival", () => {
    const ledger = new EventLedger();
    ledger.receive("group.update 1");
    ledger.expect("group.update 1");
    ledger.expect("group.update 2");
    ledger.expect("group.update 2");
    ledger.receive("group.update 2");
    ledger.expect("user.create 3");
    ledger.receive("user.create 3");
    ledger.receive("user.create 3");
    expect(ledger.count()).toEqual({ expected: 4, lost: 1, repeated: 1 });
  });
});
