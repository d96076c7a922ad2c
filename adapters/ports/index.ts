/** The ports that you can implement yourself: storages and runners of lambdas. `latchkey/contract` has the tests that they must pass. */
export * from "./lambda-runner.js";
export * from "./packages.js";
export * from "./storage.js";
