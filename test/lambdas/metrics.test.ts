import { describe, expect, test } from "vitest";
import { LambdaCounts } from "../../src/operations/lambda-state.js";
import { expectOk } from "../support/answer.js";
import { addRunRoutes, makePopulate, run, ToldRunner, unknownLambda } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

addRunRoutes();

/** The lines of the metrics about lambdas, each with its value. */
async function readMetrics(world: World): Promise<ReadonlyMap<string, number>> {
  const { text } = expectOk(await world.caller.get("/api/prometheus/metrics"));
  const lines = text.split("\n").filter((line) => line.startsWith("latchkey_lambda_"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]));
}

const runsOf = (lambda: string, outcome: string): string => `latchkey_lambda_runs_total{lambda="${lambda}",outcome="${outcome}"}`;

forEachStorage((start) => {
  requirement("lambda.metrics", "Runs are counted by lambda and outcome, with their durations", async () => {
    const runner = new ToldRunner();
    const world = await start({ lambdas: { runner } });
    const none = await readMetrics(world);
    expect([...none.keys()].filter((name) => name.includes("{"))).toEqual([]);
    const lambdaId = await makePopulate(world, "");
    await run(world.caller, lambdaId);
    await run(world.caller, lambdaId);
    runner.outcome = { kind: "threw", message: "No", console: [] };
    await run(world.caller, lambdaId);
    await run(world.caller, unknownLambda);
    runner.outcome = { kind: "crashed", message: "", console: [] };
    for (let count = 1; count <= 4; count++) await run(world.caller, lambdaId);
    const metrics = await readMetrics(world);
    const counted = { [runsOf(lambdaId, "ok")]: 2, [runsOf(lambdaId, "threw")]: 1, [runsOf(lambdaId, "crashed")]: 3 };
    const refused = { [runsOf(lambdaId, "refused")]: 1, [runsOf(unknownLambda, "refused")]: 1 };
    for (const [name, value] of Object.entries({ ...counted, ...refused }))
      expect([name, metrics.get(name)]).toEqual([name, value]);
    const histogram = "latchkey_lambda_run_duration_seconds";
    expect(metrics.get(`${histogram}_count{lambda="${lambdaId}"}`)).toBe(7);
    expect(metrics.get(`${histogram}_bucket{le="+Inf",lambda="${lambdaId}"}`)).toBe(7);
    expect(metrics.get(`${histogram}_sum{lambda="${lambdaId}"}`)).toBeGreaterThan(0);
  });

  requirement("lambda.metrics", "The metrics include the runner's state and the paused lambdas", async () => {
    const runner = new ToldRunner();
    const world = await start({ lambdas: { runner } });
    const lambdaId = await makePopulate(world, "");
    runner.outcome = { kind: "outOfMemory", message: "", console: [] };
    const breakers = async (): Promise<number | undefined> => (await readMetrics(world)).get("latchkey_lambda_open_breakers");
    expect(await breakers()).toBe(0);
    for (let count = 1; count <= 3; count++) await run(world.caller, lambdaId);
    expect(await breakers()).toBe(1);
    world.clock.advance(10_000);
    expect(await breakers()).toBe(0);
    const metrics = await readMetrics(world);
    expect(metrics.get("latchkey_lambda_guests")).toBe(3);
    expect(metrics.get("latchkey_lambda_waiting_runs")).toBe(2);
    expect(metrics.get("latchkey_lambda_guests_killed_total")).toBe(1);
  });
});

describe("LambdaCounts", () => {
  test("knows a thousand lambdas, and the rest together", () => {
    const counts = new LambdaCounts();
    for (let id = 0; id < 1_500; id++) counts.note(String(id), "ok", 3);
    counts.note("7", "threw", 3);
    const read = counts.read();
    expect(read).toHaveLength(1_001);
    expect(read.find(({ lambdaId }) => lambdaId === "other")?.outcomes).toEqual(new Map([["ok", 500]]));
    expect(read.find(({ lambdaId }) => lambdaId === "7")).toMatchObject({
      totalMs: 6,
      outcomes: new Map([
        ["ok", 1],
        ["threw", 1],
      ]),
    });
  });
});
