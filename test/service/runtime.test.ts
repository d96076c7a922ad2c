// The runtime that the host hands in drives the service: docs/testing.md#your-own-runtime.
import { AsyncLocalStorage } from "node:async_hooks";
import { createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { PasswordHasher, Timers } from "latchkey/ports";
import { expect, onTestFinished, test } from "vitest";
import { Bulkheads } from "../../src/shared/bulkheads.js";
import { createRuntime } from "../../src/shared/default-runtime.js";

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
