import type { LambdaRunner } from "latchkey";
import { afterAll } from "vitest";
import { testRunner } from "./lambda-runner.js";

/** A runner for all services of a test file, which closes with the file: each of them starting its own would take far longer. */
export function sharedRunner(): LambdaRunner {
  const runner = testRunner();
  afterAll(() => runner.close());
  return { run: (wish) => runner.run(wish), readState: () => runner.readState(), close: async () => undefined };
}
