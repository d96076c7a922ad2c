import { assertKnownOptions, createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type {
  BrokerMessage,
  MailMessage,
  MailOutcome,
  MessageOutcome,
  ModeratedUsername,
  ModerationResult,
  SendOutcome,
  SmsMessage,
} from "latchkey/ports";
import { createFactories, type Factories } from "./factories.js";
import type { Captured, TestHttp } from "./fake-services.js";
import { createFakeServices, type FakeServices, toPorts } from "./fake-services.js";
import { createLambdaHarness, type LambdaHarness, type LambdaHarnessOptions } from "./lambda-harness.js";
import { type CallerOptions, createCaller, type TestCaller, toCaller } from "./test-caller.js";
import { createTestEvents, type TestEvents } from "./test-events.js";
import { createSeededRandom, createTestClock, type TestClock } from "./test-runtime.js";

/** Options of {@link createTestIdentity}: options of the service, apart from those that the kit supplies. */
export interface TestIdentityOptions<Native = unknown>
  extends Partial<
    Omit<IdentityServiceOptions<Native>, "apiKey" | "broker" | "clock" | "http" | "mail" | "moderateUsername" | "sendSms">
  > {
  /** The start of the clock. Default: the beginning of 2030. */
  readonly now?: number | Date | undefined;
  /** Makes ids and random values reproducible. Default: they differ in each run. */
  readonly seed?: string | undefined;
  /** The result of the option `moderateUsername`. Default: the service moderates over HTTP only. */
  readonly moderation?: ModerationResult | undefined;
}

/** A service for a test: in memory, with a test clock and without network. */
export interface TestIdentity<Native = unknown> extends AsyncDisposable {
  /** The service under test. */
  readonly identity: IdentityService<Native>;
  /** The service's clock, under the control of the test. */
  readonly clock: TestClock;
  /** The UUID of the default tenant. */
  readonly tenantId: string;
  /** Creates records with valid defaults. */
  readonly factories: Factories;
  /** The events that the service published. */
  readonly events: TestEvents;
  /** The mails that the service sent. */
  readonly mails: Captured<MailMessage, MailOutcome>;
  /** The text messages that the service sent. */
  readonly texts: Captured<SmsMessage, MessageOutcome>;
  /** The moderated usernames. */
  readonly moderation: Captured<ModeratedUsername, ModerationResult | undefined>;
  /** The messages to the broker: all events. */
  readonly broker: Captured<BrokerMessage, SendOutcome>;
  /** HTTP calls: webhooks, integrations, lambdas. */
  readonly http: TestHttp;
  /** A caller with an unrestricted global API key. */
  readonly caller: TestCaller;
  /** Creates an API key and returns its caller. */
  as(options: CallerOptions): Promise<TestCaller>;
  /** A harness for unit tests of lambdas; runs on `lambdas.runner` of the options, if given. */
  lambdaHarness(options?: LambdaHarnessOptions): Promise<LambdaHarness>;
  /** Runs all due work and deliveries. Nothing is sent before, unless the test calls `identity.start()`. */
  settled(): Promise<void>;
  /** Clears all captured messages. */
  clear(): void;
  /** Closes the service and its storage. */
  close(): Promise<void>;
}

const bootstrapKey = "key-of-the-test";

// A login takes microseconds. Pass `passwordHashing: {}` for the production cost.
const testCost = { memoryKib: 8, passes: 1, allowWeak: true };

/**
 * Starts a service for a test in a few milliseconds, in memory unless the options have a storage. `identity.transaction` depends
 * on that storage.
 * @throws TypeError for an invalid option.
 */
export async function createTestIdentity<Native = undefined>(
  options: TestIdentityOptions<Native> = {},
): Promise<TestIdentity<Native>> {
  assertKit(options);
  const { moderation, now = Date.UTC(2030, 0, 1), seed, ...given } = options;
  const outside = createFakeServices(moderation);
  const clock = createTestClock(now, () => identity.settle());
  const identity: IdentityService<Native> = await createIdentityService({
    passwordHashing: testCost,
    secret: `secret of a test ${seed}`.padEnd(32, "."),
    ...(seed !== undefined && { random: createSeededRandom(seed) }),
    ...given,
    storage: (given.storage ?? memoryStorage()) as IdentityServiceOptions<Native>["storage"],
    ...toPorts(outside, moderation !== undefined),
    // Without jitter, the pauses between attempts are exactly those of the options.
    delivery: { jitter: 0, ...given.delivery, autoStart: false },
    apiKey: bootstrapKey,
    allowWeakApiKey: true,
    clock: clock.now,
  });
  await letEventsLeave(identity, given.names?.broker);
  const { tenants } = await identity.tenants.list();
  const tenantId = (tenants.find(({ name }) => name === "Default") ?? tenants[0])?.id ?? "";
  return {
    ...describe(identity, clock, outside),
    tenantId,
    factories: createFactories(identity, tenantId),
    lambdaHarness: toHarness(options),
  };
}

type Members = Readonly<Record<string, unknown>>;

const supplied = ["apiKey", "broker", "clock", "http", "mail", "moderateUsername", "sendSms"];

// The service checks its own options, on a copy.
function assertKit(options: object): void {
  const { moderation, now, seed, ...given } = options as Members;
  assertKnownOptions<Members>("", { moderation, now, seed }, { moderation: "object", now: "number or object", seed: "text" });
  const taken = supplied.find((name) => given[name] !== undefined);
  if (taken !== undefined) throw new TypeError(`${taken} cannot be passed: createTestIdentity supplies it.`);
  for (const name in options)
    if (!Object.hasOwn(options, name)) throw new TypeError(`${name} is inherited. Pass an object that has the option itself.`);
}

function describe<Native>(
  identity: IdentityService<Native>,
  clock: TestClock,
  outside: FakeServices,
): Omit<TestIdentity<Native>, "factories" | "lambdaHarness" | "tenantId"> {
  const { broker, http, mails, moderation, texts } = outside;
  const close = (): Promise<void> => identity.close();
  return {
    ...outside,
    identity,
    clock,
    events: createTestEvents(broker, http),
    caller: toCaller(identity, bootstrapKey),
    as: (callerOptions) => createCaller(identity, callerOptions),
    settled: async () => void (await identity.settle()),
    clear: () => [broker, http, mails, moderation, texts].forEach((one) => void one.clear()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

// An enabled broker receives every event, with or without webhooks.
async function letEventsLeave(identity: IdentityService, name = "broker"): Promise<void> {
  const broker = { enabled: true, defaultTopic: "events", producer: { "bootstrap.servers": "test" } };
  const { integrations } = await identity.integrations.retrieve();
  await identity.integrations.update({ integrations: { ...integrations, [name]: broker } });
}

// The service closes the runner, so the harness must not.
function toHarness({ lambdas }: Pick<TestIdentityOptions, "lambdas">): TestIdentity["lambdaHarness"] {
  const runner = lambdas?.runner;
  if (runner === undefined) return createLambdaHarness;
  const lent = { run: runner.run.bind(runner), readState: runner.readState.bind(runner), close: async () => undefined };
  return (options) => createLambdaHarness({ runner: lent, ...options });
}
