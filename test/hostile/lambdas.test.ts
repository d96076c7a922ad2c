// A sample of the hostile bodies, on one guest: lambdas.ci.test.ts runs all of them, on both runners and beside others.
import { isolatedVmRunner } from "latchkey/runners";
import { expect, onTestFinished } from "vitest";
import { hostileLambdas } from "../support/hostile-lambdas.js";
import { findHarm } from "../support/hostile-storm.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";

requirement("runner.harmless", "a sample of hostile bodies does no harm", async () => {
  const runner = isolatedVmRunner({ processes: 1 });
  onTestFinished(() => runner.close());
  const light = hostileLambdas.filter(({ isHeavy = false }) => !isHeavy);
  expect(await findHarm(runner, steps(light, 8))).toEqual([]);
});
