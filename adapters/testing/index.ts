/** For tests: a service in memory that is cut off from the world, and unit tests of lambdas without a service. */

export type { Captured, ResponseTo } from "./captured.js";
export { createTestIdentity, type TestIdentity, type TestIdentityOptions } from "./create-test-identity.js";
export type { AnyCall, Changes, Factories, Factory, InputOf } from "./factory-types.js";
export type { FakeHostOptions, LambdaHttpRequest, LambdaHttpResponse, LambdaHttpResponses } from "./fake-host.js";
export {
  type ArgumentChanges,
  createLambdaHarness,
  type LambdaHarness,
  type LambdaHarnessOptions,
  type LambdaSource,
  type LoadedLambda,
} from "./lambda-harness.js";
export { readLambdaBody } from "./read-body.js";
export type { CallerOptions, CallerResponse, TestCaller } from "./test-caller.js";
export type { Duration, TestClock } from "./test-clock.js";
export type { SentEvent, TestEvents, WebhookDelivery } from "./test-events.js";
export type { HttpOutcome, HttpResponse, TestHttp } from "./test-http.js";
