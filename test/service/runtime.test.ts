// The runtime that the host hands in drives the service: docs/testing.md#your-own-runtime.
import { AsyncLocalStorage } from "node:async_hooks";
import { createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { PasswordHasher, RecordToStore, Storage, Timers } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { StorageRuntime } from "../../adapters/internal/storage-runtime.js";
import { Bulkheads } from "../../src/shared/bulkheads.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { watchStorage } from "../support/watched-storage.js";
import { testCost, testSecret } from "../support/world.js";

interface FakeTimer {
  readonly milliseconds: number;
  readonly callback: () => void;
}

/** Timers that the test lets run. */
function createFakeTimers(): Timers & { readonly waiting: Set<FakeTimer>; turns: number } {
  const waiting = new Set<FakeTimer>();
  const start = (milliseconds: number, callback: () => void) => {
    const timer = { milliseconds, callback };
    waiting.add(timer);
    return () => void waiting.delete(timer);
  };
  const timers = {
    waiting,
    turns: 0,
    after: start,
    every: start,
    async nextTurn() {
      timers.turns++;
    },
  };
  return timers;
}

async function startService(options: Partial<IdentityServiceOptions>): Promise<IdentityService> {
  const identity = await createIdentityService({ storage: memoryStorage(), ...options });
  onTestFinished(() => identity.close());
  return identity;
}

test("a service starts its timers by those of the host, and cancels all of them when it closes", async () => {
  const timers = createFakeTimers();
  const identity = await createIdentityService({ storage: memoryStorage(), timers });
  expect([...timers.waiting].map(({ milliseconds }) => milliseconds)).toContain(60_000);
  await identity.start();
  expect([...timers.waiting].map(({ milliseconds }) => milliseconds)).toContain(1_000);
  await identity.close();
  expect([...timers.waiting]).toEqual([]);
});

test("long lists take the turns of the host", async () => {
  const timers = createFakeTimers();
  const identity = await startService({ timers });
  const { group } = await identity.groups.create({ group: { name: "G" }, tenantId: undefined } as never);
  const before = timers.turns;
  await identity.groupMembers
    .add({ members: { [group.id]: Array.from({ length: 2_500 }, () => ({ userId: crypto.randomUUID() })) } })
    .catch(() => undefined);
  expect(timers.turns).toBeGreaterThan(before);
});

test("passwords are hashed and checked by the hasher of the host", async () => {
  const asked: string[] = [];
  const passwordHasher: PasswordHasher = {
    hash: async (password, { memoryKib, salt }) => {
      asked.push(`hash ${memoryKib} ${salt.length}`);
      return `$argon2id$v=19$m=${memoryKib},t=2,p=1$${password}`;
    },
    verify: async (password, hash) => {
      asked.push("verify");
      return hash.endsWith(`$${password}`);
    },
    digest: async () => undefined,
  };
  const identity = await startService({ passwordHasher });
  const { tenants } = await identity.tenants.list();
  const { application } = await identity.applications.create(
    { application: { name: "A" } },
    { tenantId: String(tenants[0]?.id) },
  );
  const password = "a long password";
  await identity.registrations.create({
    user: { email: "ana@example.com", password },
    registration: { applicationId: application.id },
  } as never);
  expect(asked).toEqual(["hash 19456 16"]);
});

test("callbacks of timers of the host see the context of their caller", async () => {
  const fake = createFakeTimers();
  const context = new AsyncLocalStorage<string>();
  const { timers } = createRuntime({ timers: fake });
  const seen: (string | undefined)[] = [];
  context.run("caller", () => timers.after(5, () => seen.push(context.getStore())));
  for (const { callback } of fake.waiting) callback();
  expect(seen).toEqual(["caller"]);
});

test("a caller waits for a seat as long as the timers of the host say", async () => {
  const fake = createFakeTimers();
  const bulkheads = new Bulkheads(fake, { seats: 1, queue: 1 });
  const first = Promise.withResolvers<void>();
  const running = bulkheads.run("a", 100, () => first.promise);
  const second = bulkheads.run("a", 100, async () => undefined);
  for (const { callback } of fake.waiting) callback();
  await expect(second).rejects.toThrow("Too many calls are under way.");
  first.resolve();
  await running;
});

const storages: Readonly<Record<string, () => Storage>> = {
  memory: memoryStorage,
  SQLite: () => sqliteStorage({ filename: ":memory:" }),
};

/** A runtime that has nothing of the machine: time stands still until the test moves it. */
function createSeededRuntime(seed: number) {
  const timers = createFakeTimers();
  let instant = Date.UTC(2030, 0, 1);
  let state = seed;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return {
    timers,
    clock: () => instant,
    monotonic: () => instant,
    random: (length: number) => Uint8Array.from({ length }, draw),
    advance: (milliseconds: number) => {
      instant += milliseconds;
    },
  };
}

/** What a service writes, besides keys: OpenSSL draws those by itself. */
async function recordWrites(
  storage: Storage,
  seed: number,
): Promise<{ readonly turns: number; readonly written: readonly RecordToStore[] }> {
  const { advance, ...runtime } = createSeededRuntime(seed);
  const written: RecordToStore[] = [];
  const watched = watchStorage(storage, { onWrite: (record) => void ("kid" in record.columns || written.push(record)) });
  const common = { secret: testSecret, passwordHashing: testCost, auditChanges: true };
  const identity = await createIdentityService({ ...common, ...runtime, storage: watched });
  const { application } = await identity.applications.create({ application: { name: "A" } });
  const user = { email: "ann@example.com", password: "a good password 12" };
  await identity.registrations.create({ user, registration: { applicationId: application.id } });
  advance(60_000);
  await Promise.all(Array.from({ length: 20 }, (_, index) => identity.groups.create({ group: { name: `G ${index}` } })));
  await identity.logins.login({ loginId: user.email, password: user.password, applicationId: application.id });
  await identity.settle();
  await identity.close();
  return { turns: runtime.timers.turns, written };
}

for (const [name, open] of Object.entries(storages))
  test(`two runs with one seed write the same records on ${name}`, async () => {
    // A module that is imported for the first time takes turns that nobody can repeat.
    await recordWrites(open(), 1);
    const first = await recordWrites(open(), 7);
    // Memory commits at once; SQLite waits a turn for others to join.
    expect(first.turns > 0).toBe(name === "SQLite");
    expect(await recordWrites(open(), 7)).toEqual(first);
    expect(await recordWrites(open(), 8)).not.toEqual(first);
  });

test("a storage takes its timers, durations and shares from the service that opens it", async () => {
  const { timers, ...runtime } = createRuntime({
    timers: createFakeTimers(),
    monotonic: () => 5,
    random: (n) => new Uint8Array(n),
  });
  const held = new StorageRuntime();
  held.adopt({ ...runtime, timers });
  held.adopt(undefined);
  expect([held.monotonic(), held.randomShare()]).toEqual([5, 0]);
  expect(held.timers).toBe(timers);
});
