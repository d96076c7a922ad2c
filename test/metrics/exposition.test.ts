import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { defineRoute } from "../../src/http/route/define-route.js";
import { durationBounds, RequestCounts } from "../../src/operations/metrics.js";
import { expositionType, type Metric, toExposition } from "../../src/system/collect-metrics.js";

const hostile = 'a "quoted" \\ path\nwith two lines';
const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

describe("toExposition", () => {
  test("writes what the usual library writes", async () => {
    const register = new Registry();
    const registers = [register];
    new Counter({ name: "c_total", help: "Counts.", labelNames: ["a", "b"], registers }).inc({ a: hostile, b: "" }, 3);
    new Gauge({ name: "g", help: "Tells\na \\ value.", registers }).set(-0.25);
    const numbers = new Gauge({ name: "n", help: "Numbers.", labelNames: ["k"], registers });
    for (const [k, value] of [
      ["i", Number.POSITIVE_INFINITY],
      ["m", Number.NEGATIVE_INFINITY],
      ["x", Number.NaN],
      ["e", 1e21],
    ] as const)
      numbers.set({ k }, value);
    const metrics: readonly Metric[] = [
      { name: "c_total", help: "Counts.", type: "counter", samples: [{ labels: { a: hostile, b: "" }, value: 3 }] },
      { name: "g", help: "Tells\na \\ value.", type: "gauge", samples: [{ value: -0.25 }] },
      {
        name: "n",
        help: "Numbers.",
        type: "gauge",
        samples: [
          { labels: { k: "i" }, value: Number.POSITIVE_INFINITY },
          { labels: { k: "m" }, value: Number.NEGATIVE_INFINITY },
          { labels: { k: "x" }, value: Number.NaN },
          { labels: { k: "e" }, value: 1e21 },
        ],
      },
    ];
    expect(linesOf(toExposition(metrics)).map((line) => line.replace("NaN", "Nan"))).toEqual(linesOf(await register.metrics()));
    expect(expositionType).toBe(register.contentType);
  });
});

describe("RequestCounts", () => {
  test("counts as the usual library's histogram does", async () => {
    const register = new Registry();
    const buckets = durationBounds.map((bound) => bound / 1_000);
    const theirs = new Histogram({ name: "h", help: "h", buckets, registers: [register] });
    const ours = new RequestCounts();
    const route = defineRoute({ method: "GET", path: "/a", access: "tenant", target: undefined });
    for (const milliseconds of [0, 0.5, 1, 1.01, 2.5, 49, 100, 9_999, 10_000, 10_001, 1e9]) {
      ours.note(route, milliseconds > 100 ? 500 : 200, milliseconds);
      theirs.observe(milliseconds / 1_000);
    }
    const [counts] = ours.read();
    expect(counts).toMatchObject({ method: "GET", path: "/a" });
    expect([...(counts?.outcomes ?? [])]).toEqual([
      [200, 7],
      [500, 4],
    ]);
    let count = 0;
    const cumulative = counts?.buckets.map((inBucket) => (count += inBucket));
    const values = (await theirs.get()).values.filter((value) => value.metricName === "h_bucket").map((value) => value.value);
    expect(cumulative).toEqual(values);
  });
});
