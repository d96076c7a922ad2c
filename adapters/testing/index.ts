/** For tests: a service in memory without network, and unit tests of lambdas without a service. */

export { createTestIdentity, type TestIdentity, type TestIdentityOptions } from "./create-test-identity.js";
export type { AnyCall, Changes, Factories, Factory, FactoryCall, InputOf } from "./factories.js";
export type { Captured, HttpOutcome, HttpResponse, ResponseTo, TestHttp } from "./fake-services.js";
export type { FakeHostOptions, LambdaHttpRequest, LambdaHttpResponse, LambdaHttpResponses } from "./lambda-harness.js";
export {
  type ArgumentChanges,
  createLambdaHarness,
  type LambdaHarness,
  type LambdaHarnessOptions,
  type LambdaSource,
  type LoadedLambda,
  readLambdaBody,
} from "./lambda-harness.js";
export type { CallerOptions, CallerResponse, TestCaller } from "./test-caller.js";
export type { SentEvent, TestEvents, WebhookDelivery } from "./test-events.js";
export type { Duration, TestClock } from "./test-runtime.js";
