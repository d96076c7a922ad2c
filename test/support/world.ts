import { createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { simpleWebAuthn } from "latchkey/passkeys";
import { globalScope, type Logger, type Storage } from "latchkey/ports";
import { describe, expect, onTestFailed, onTestFinished } from "vitest";
import type { RecordedEvent } from "../../src/operations/events/recorded-event.js";
import { toEvents } from "../../src/operations/outbox/publish-event.js";
import { eventsTable } from "../../src/operations/outbox/tables.js";
import { expectOk } from "./answer.js";
import { Caller } from "./caller.js";
import { conforming } from "./conformance.js";
import { isLong, isWhole } from "./properties.js";
import { openSqlite } from "./sqlite-worlds.js";

export const bootstrapKey = "bootstrap-key-of-the-tests-0123456789";
export const testSecret = "a secret of the tests with enough characters";

/** Makes hashes take microseconds. Tests of hashes use the cost of production. */
export const testCost = { memoryKib: 8, passes: 1, allowWeak: true } as const;

/** A clock that advances only when a test says so. */
export class TestClock {
  instant = 1_700_000_000_000;
  readonly now = (): number => this.instant;

  advance(ms: number): number {
    this.instant += ms;
    return this.instant;
  }
}

/** A logged line. */
export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A running service, with helpers for tests. */
export interface World {
  readonly identity: IdentityService;
  readonly storage: Storage;
  readonly clock: TestClock;
  readonly log: readonly LogLine[];
  /** A caller with the bootstrap key: global, all endpoints, key manager. */
  readonly caller: Caller;
  /** A caller with another API key. */
  readonly as: (key: string) => Caller;
  readonly defaultTenantId: string;
}

type Options = Partial<IdentityServiceOptions>;

/** Starts a service on a new storage; closes it after the test. */
export type Start = (options?: Options) => Promise<World>;

// Loaded only with a server.
const onServer = process.env.TEST_POSTGRES_URL === undefined ? undefined : await import("./postgres-worlds.js");

/** The storages that every test runs on, by name. */
export const storages: readonly (readonly [name: string, open: () => Storage])[] = [
  ["memory", () => memoryStorage()],
  ["SQLite", openSqlite],
  ...(onServer === undefined ? [] : [["Postgres", onServer.openPostgres] as const]),
];

/**
 * The storages for tests of rules, which do not depend on the storage: memory by default. CI, which has run the default before,
 * takes one of the databases for each file; `npm run release-check` takes all.
 */
export function storagesOfRules(): typeof storages {
  if (!isLong) return storages.slice(0, 1);
  const databases = storages.slice(1);
  if (isWhole) return databases;
  const file = expect.getState().testPath ?? "";
  return databases.filter((_one, index) => index === file.length % databases.length);
}

/**
 * One storage's part of a long walk that several share: together they take each step once. Another `start` begins with another
 * storage.
 */
export type Share = <Step>(steps: readonly Step[], start?: number) => readonly Step[];

/**
 * Declares the tests of `body` for the rules of the service: on {@link storagesOfRules}. For tests of a storage's behavior, use
 * {@link onEveryStorage}.
 */
export function forEachStorage(body: (start: Start, share: Share) => void, others: typeof storages = []): void {
  declareOn(isLong ? [...storagesOfRules(), ...others] : storagesOfRules(), body);
}

/** Declares the tests of `body` once for each storage, and for the given further ones, which also run by default. */
export function onEveryStorage(body: (start: Start) => void, others: typeof storages = []): void {
  declareOn([...storages, ...others], body);
}

function declareOn(chosen: typeof storages, body: (start: Start, share: Share) => void): void {
  for (const [place, [name, open]] of chosen.entries())
    describe(`on ${name}`, () =>
      body(
        (options) => startWorld(open(), options),
        (steps, start = 0) => steps.filter((_step, index) => (index + start) % chosen.length === place),
      ));
}

/** Starts a service with a bootstrap key and a stopped clock. */
export async function startWorld(storage: Storage, options: Options = {}): Promise<World> {
  const clock = new TestClock();
  const log: LogLine[] = [];
  const logger = createTestLogger(log);
  // Tests start the delivery of events themselves.
  const delivery = { ...options.delivery, autoStart: false };
  const passkeys = simpleWebAuthn();
  const given = {
    passwordHashing: testCost,
    storage,
    passkeys,
    apiKey: bootstrapKey,
    secret: testSecret,
    clock: clock.now,
    logger,
    ...options,
    delivery,
  };
  const service = await createIdentityService(given);
  // CI compares every response with the document; by default only test/openapi/answers.test.ts does.
  const identity = isLong ? conforming(service, given) : service;
  onTestFinished(() => identity.close());
  onTestFailed(() => void (log.length > 0 && console.error(log)));
  const as = (key: string): Caller => new Caller(identity, { Authorization: key });
  const { tenants } = await identity.tenants.list();
  const defaultTenantId = tenants.find((tenant) => tenant.name === "Default")?.id ?? "";
  return { identity, storage, clock, log, caller: as(bootstrapKey), as, defaultTenantId };
}

function createTestLogger(log: LogLine[]): Logger {
  const at = (level: string) => (fields: object, message: string) => void log.push({ level, fields: { ...fields }, message });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Makes a tenant; returns its id. */
export async function makeTenant(world: World, name: string): Promise<string> {
  return expectOk(await world.caller.post("/api/tenant", { tenant: { name } })).textAt("tenant.id");
}

/** A caller with a tenant's key that manages keys, so that it may call every family. */
export async function callerOfTenant(world: World, tenantId: string): Promise<Caller> {
  const key = `key-of-${tenantId}`;
  await world.identity.apiKeys.create({ apiKey: { key, tenantId, keyManager: true } });
  return world.as(key);
}

/** The events in the outbox, or only those of one type. */
export async function readEvents(storage: Storage, type?: string): Promise<readonly RecordedEvent[]> {
  const events = (await storage.find(globalScope, eventsTable, undefined)).flatMap(toEvents).map(({ event }) => event);
  return type === undefined ? events : events.filter((event) => event.type === type);
}

/** A UUID that is easy to recognize. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
