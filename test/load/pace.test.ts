import { describe, expect, it } from "vitest";
import { busyShare, nextRate } from "./pace.js";

describe("nextRate", () => {
  it("comes to the rate that leaves a fifth of the core idle, and follows a core that becomes slower", () => {
    const settle = (from: number, capacity: number): number => {
      let rate = from;
      for (let step = 0; step < 30; step++) rate = nextRate(rate, 0.8, Math.min(1, rate / capacity));
      return rate;
    };
    expect(settle(100, 1_000)).toBeCloseTo(800, 0);
    expect(settle(800, 600)).toBeCloseTo(480, 0);
  });

  it("changes by a fifth at most", () => {
    expect([nextRate(100, 0.8, 0.01), nextRate(100, 0.3, 1)]).toEqual([120, 80]);
  });
});

describe("busyShare", () => {
  it("is what was busy of the time between", () => {
    expect(busyShare({ busy: 10, total: 100 }, { busy: 40, total: 200 })).toBe(0.3);
    expect(busyShare({ busy: 10, total: 100 }, { busy: 10, total: 100 })).toBe(1);
  });
});
