import type { LambdaRunner } from "latchkey/ports";
import { afterAll, describe, test } from "vitest";
import type { RunnerContractTest } from "./lambda-runner/contract-test.js";
import { hostFunctionTests } from "./lambda-runner/host-functions.js";
import { isolationTests } from "./lambda-runner/isolation.js";
import { lifecycleTests } from "./lambda-runner/lifecycle.js";
import { limitTests } from "./lambda-runner/limits.js";
import { outcomeTests } from "./lambda-runner/outcomes.js";
import { sideBySideTests } from "./lambda-runner/side-by-side.js";

const topics: Readonly<Record<string, readonly RunnerContractTest[]>> = {
  outcomes: outcomeTests,
  limits: limitTests,
  "functions of the host": hostFunctionTests,
  isolation: isolationTests,
  "side by side": sideBySideTests,
  lifecycle: lifecycleTests,
};

/** Declares the vitest tests that every runner of lambdas must pass. `factory` makes a runner; the suite closes what it makes. */
export function describeLambdaRunner(name: string, factory: () => LambdaRunner): void {
  describe(name, () => {
    const runner = factory();
    afterAll(() => runner.close());
    for (const [topic, tests] of Object.entries(topics))
      describe(topic, () => {
        for (const contractTest of tests) test(contractTest.name, () => contractTest.run(runner, factory));
      });
  });
}
