/**
 * Suites that an adapter of your own must pass, to be run with vitest (an optional peer).
 * `describeStorage("my storage", () => myStorage())` in a test file is all it takes.
 */

export { describeLambdaRunner } from "./describe-lambda-runner.js";
export { describeStorage, type SkippedTests, type StorageSuiteOptions } from "./describe-storage.js";
