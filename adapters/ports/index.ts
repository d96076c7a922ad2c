/**
 * The ports that you can implement: storages, lambda runners, services such as mail, directories, sign-in and protocols.
 * `latchkey/contract` has the tests for storages and runners.
 */
export * from "./directory.js";
export * from "./lambda-runner.js";
export * from "./packages.js";
export * from "./protocol.js";
export * from "./runtime.js";
export * from "./services.js";
export * from "./sign-in.js";
export * from "./storage.js";
export * from "./transport.js";
