// Whatever a body does, it hurts nobody: the bodies of everyone who means harm on the runners for authors who are not trusted. In CI each runner
// gets every third of them.

import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { isolatedVmRunner, quickJsRunner } from "latchkey/runners";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { guestsOf } from "../support/guests.js";
import { hostileLambdas } from "../support/hostile-lambdas.js";
import { canary, runStorm, type Shore, type Storm } from "../support/hostile-storm.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, testSecret } from "../support/world.js";

/** Longer than anything takes on a slow machine. A body that holds the event loop does so until somebody ends the process. */
const maxDelayMilliseconds = 10_000;
/** The peak beside thousands of requests, of which garbage was up to 80. Goal 12 of docs/internals/performance/goals.md measures the bodies alone. */
const maxGrowthMebibytes = 128;
const inTimeMilliseconds = 10_000;
/** Each run waits for those before it, 16 of which use all of their time; another is started each time that a guest had to be killed. */
const neighbourMilliseconds = 30_000;

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const runners = { isolates: isolatedVmRunner, QuickJS: quickJsRunner };

describe.each(Object.entries(runners))("%s", (name, makeRunner) => {
  const bodies = steps(hostileLambdas, [3, 3], name.length);

  let identity: IdentityService;
  let shore: Shore;
  let storm: Storm;

  beforeAll(async () => {
    process.env.LATCHKEY_CANARY = canary;
    const runner = makeRunner();
    identity = await createIdentityService({
      storage: memoryStorage(),
      apiKey: bootstrapKey,
      secret: testSecret,
      lambdas: { runner },
    });
    const caller = new Caller(identity, { Authorization: bootstrapKey });
    const path = `/api/group/${expectOk(await caller.post("/api/group", { group: { name: "Editors" } })).textAt("group.id")}`;
    shore = { runner, request: async () => (await caller.get(path)).status === 200 };
    storm = await runStorm(shore, bodies);
    console.info(toLine(storm));
  });

  afterAll(() => identity.close());

  requirement("runner.harmless", "no hostile body escapes, reads what is not its own, or is seen by the next call", () => {
    expect(hostileLambdas.length).toBeGreaterThanOrEqual(60);
    expect(storm.tried).toBe(bodies.length);
    expect(storm.harm).toEqual([]);
  });

  requirement("runner.harmless", "the host does not grow by them", () => {
    expect(storm.grownMebibytes).toBeLessThan(maxGrowthMebibytes);
  });

  requirement("runner.others", "everybody else is answered meanwhile", () => {
    expect(storm.answered).toBeGreaterThan(100);
    expect(storm.unanswered).toBe(0);
  });

  requirement("runner.others", "nobody waits for them, nor does the event loop of the host", () => {
    expect(storm).toSatisfy(isCalm);
  });

  requirement("runner.leaves-nothing", "no process is left of them after close", async () => {
    expect(guestsOf(process.pid).length).toBeGreaterThan(0);
    await identity.close();
    await shore.runner.close();
    expect(guestsOf(process.pid)).toEqual([]);
  });
});

function toLine({ tried, harm, ...seen }: Storm): string {
  return `${tried} tried, ${harm.length} harmful; ${JSON.stringify(seen, (_, value) => (typeof value === "number" ? Math.round(value * 10) / 10 : value))}`;
}

function isCalm({ before, during, slowestRequest, slowestNeighbour }: Storm): boolean {
  return (
    during.delay - before.delay < maxDelayMilliseconds &&
    during.work - before.work < maxDelayMilliseconds &&
    slowestRequest < inTimeMilliseconds &&
    slowestNeighbour < neighbourMilliseconds
  );
}
