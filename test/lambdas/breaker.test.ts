import type { LambdaOutcome } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { LambdaBreakers } from "../../src/operations/lambda-state.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { addRunRoutes, makePopulate, readLog, run, runBare, ToldRunner } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

addRunRoutes();

const lambda = { id: "a", version: "1" };
const killed = { kind: "timedOut" } as const;
const well = { kind: "ok" } as const;
const start0 = 1_000_000;

/** Breakers that were told of three kills at the same instant. */
function opened(): LambdaBreakers {
  const breakers = new LambdaBreakers();
  for (const until of [undefined, undefined, start0 + 10_000]) expect(breakers.note(lambda, killed, start0)).toBe(until);
  return breakers;
}

describe("LambdaBreakers", () => {
  test("refuses after three kills within a minute, and not after slower ones", () => {
    const breakers = new LambdaBreakers();
    for (const seconds of [0, 30, 60, 90, 120]) expect(breakers.note(lambda, killed, start0 + seconds * 1_000)).toBeUndefined();
    expect(breakers.refusedUntil(lambda, start0 + 120_000)).toBeUndefined();
    expect(breakers.note(lambda, killed, start0 + 121_000)).toBe(start0 + 131_000);
    expect(breakers.refusedUntil(lambda, start0 + 130_999)).toBe(start0 + 131_000);
    expect(breakers.refusedUntil(lambda, start0 + 131_000)).toBeUndefined();
  });

  test("counts what had to be killed, and nothing else", () => {
    for (const outcome of [{ kind: "threw", wasKilled: true }, killed, { kind: "outOfMemory" }, { kind: "crashed" }] as const) {
      const breakers = new LambdaBreakers();
      const notes = [1, 2, 3].map(() => breakers.note(lambda, outcome, start0));
      expect([outcome, notes[2]]).toEqual([outcome, start0 + 10_000]);
    }
    for (const kind of ["ok", "threw", "syntax", "missingFunction", "tooLarge", "refused"] as const) {
      const breakers = new LambdaBreakers();
      expect([kind, [1, 2, 3, 4].map(() => breakers.note(lambda, { kind }, start0))]).toEqual([
        kind,
        new Array(4).fill(undefined),
      ]);
    }
  });

  test("refuses twice as long with each further kill, up to ten minutes", () => {
    const breakers = opened();
    let now = start0 + 10_000;
    for (const seconds of [20, 40, 80, 160, 320, 600, 600]) {
      expect(breakers.note(lambda, killed, now)).toBe(now + seconds * 1_000);
      now += seconds * 1_000;
    }
  });

  test("takes no notice of runs that began before the refusal", () => {
    const breakers = opened();
    expect(breakers.note(lambda, killed, start0 + 500)).toBeUndefined();
    expect(breakers.note(lambda, well, start0 + 600)).toBeUndefined();
    expect(breakers.refusedUntil(lambda, start0 + 9_999)).toBe(start0 + 10_000);
    expect(breakers.note(lambda, killed, start0 + 10_000)).toBe(start0 + 30_000);
  });

  test("starts afresh after a run that ends well, and for a lambda that was changed", () => {
    const breakers = opened();
    expect(breakers.refusedUntil({ ...lambda, version: "2" }, start0)).toBeUndefined();
    expect(breakers.refusedUntil({ ...lambda, id: "b" }, start0)).toBeUndefined();
    expect(breakers.countRefused(start0)).toBe(1);
    breakers.note(lambda, { kind: "threw" }, start0 + 10_000);
    expect(breakers.note(lambda, killed, start0 + 10_000)).toBe(start0 + 30_000);
    breakers.note(lambda, well, start0 + 30_000);
    expect(breakers.countRefused(start0 + 30_000)).toBe(0);
    expect(breakers.note(lambda, killed, start0 + 30_000)).toBeUndefined();
  });

  test("watches a thousand lambdas at most", () => {
    const breakers = opened();
    for (let id = 0; id < 1_000; id++) breakers.note({ id: String(id), version: "1" }, killed, start0);
    expect(breakers.refusedUntil(lambda, start0)).toBeUndefined();
  });
});

const timedOut: LambdaOutcome = { kind: "timedOut", message: "It ran for more than a second.", console: [], wasKilled: true };

forEachStorage((start) => {
  requirement(
    "lambda.breaker",
    "A lambda that is killed again and again is refused, and the event log says so once",
    async () => {
      const runner = new ToldRunner();
      const world = await start({ lambdas: { runner } });
      const { caller, clock } = world;
      const begin = clock.instant;
      const reconcile = { type: "HYPRReconcile", arguments: { user: {}, registration: {}, context: {} } } as const;
      const body = "function reconcile() {}";
      const made = { name: "Endless", type: reconcile.type, body };
      const lambdaId = expectOk(await caller.post(`/api/lambda/${uuid(7)}`, { lambda: made })).textAt("lambda.id");
      const once = async (): Promise<string> => {
        const answer = await run(caller, lambdaId, reconcile);
        expectRefusal(answer, 400, "[LambdaFailed]");
        return answer.textAt("generalErrors.0.message");
      };
      runner.outcome = timedOut;
      for (let count = 1; count <= 3; count++) expect(await once()).toContain("it took too long. It ran for");
      const until = new Date(begin + 10_000).toISOString();
      expect(await once()).toContain(`it was not run. It was killed too often, and is refused until ${until}.`);
      await once();
      expect(runner.runs).toHaveLength(3);
      const log = (await readLog(world)).map(({ message, type }) => [type, message.includes(until)]);
      expect(log).toEqual([
        ["Error", false],
        ["Error", false],
        ["Error", true],
      ]);
      // What tries a body out is not refused.
      await runBare(world, lambdaId, reconcile);
      clock.advance(10_000);
      runner.outcome = { kind: "ok", changedJson: '{"user":{},"registration":{}}', console: [] };
      expectOk(await run(caller, lambdaId, reconcile));
      runner.outcome = timedOut;
      for (let count = 1; count <= 3; count++) await once();
      expect(await once()).toContain("refused until");
      expectOk(await caller.patch(`/api/lambda/${lambdaId}`, { lambda: { name: "Changed" } }));
      expect(await once()).toContain("it took too long");
    },
  );

  requirement("lambda.breaker", "A lambda that populates is skipped while it is refused", async () => {
    const runner = new ToldRunner();
    const world = await start({ lambdas: { runner } });
    const lambdaId = await makePopulate(world, "");
    runner.outcome = timedOut;
    for (let count = 1; count <= 5; count++)
      expect(expectOk(await run(world.caller, lambdaId, { arguments: { jwt: { a: 1 } } })).body).toEqual({ jwt: { a: 1 } });
    expect(runner.runs).toHaveLength(3);
  });
});
