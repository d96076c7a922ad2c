import { globalScope, type Storage, type Transaction } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { routes } from "../../src/families/index.js";
import { usersTable } from "../../src/records/users/family.js";
import { expectEmpty } from "../support/answer.js";
import { boundStorage } from "../support/bound-storage.js";
import { anybody, arrangeLogin, ids } from "../support/logins.js";
import { headersOf } from "../support/matrix-flows.js";
import { setStage, toRequest } from "../support/matrix-stage.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld, storages, type World } from "../support/world.js";

class Undone extends Error {}

/** A storage whose transactions meet removals of users: all are gone for each, or one is from the next write on. */
interface MeetingStorage {
  readonly storage: Storage;
  /** Runs work whose transactions find no user, and change nothing. */
  readonly withoutUsers: <T>(work: () => Promise<T>) => Promise<T>;
  /** Removes a user before the transaction that comes after `skipped` others. */
  readonly removeBefore: (userId: string, skipped: number) => void;
}

function meetRemovals(storage: Storage): MeetingStorage {
  let isGone = false;
  let next: { readonly userId: string; readonly skipped: number } | undefined;
  const removeUsers = (tx: Transaction, id?: string): Promise<number> =>
    tx.remove(globalScope, usersTable, id === undefined ? undefined : { op: "equals", column: "id", value: id });
  const runGone = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const results: T[] = [];
    const undone = storage.transaction(async (tx) => {
      await removeUsers(tx);
      results.push(await work(tx));
      await tx.settle?.();
      throw new Undone();
    });
    await undone.catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
    return results.at(-1) as T;
  };
  const transaction: Storage["transaction"] = async (work, options) => {
    if (isGone) return runGone(work);
    if (next?.skipped === 0) {
      const { userId } = next;
      next = undefined;
      await storage.transaction((tx) => removeUsers(tx, userId));
    }
    if (next !== undefined) next = { ...next, skipped: next.skipped - 1 };
    return storage.transaction(work, options);
  };
  return {
    storage: { ...boundStorage(storage), transaction },
    removeBefore: (userId, skipped) => {
      next = { userId, skipped };
    },
    async withoutUsers(work) {
      isGone = true;
      try {
        return await work();
      } finally {
        isGone = false;
      }
    },
  };
}

describe.each(storages)("a user who is removed between a look and a write, on %s", (_name, open) => {
  test("no operation fails", async () => {
    const { storage, withoutUsers } = meetRemovals(open());
    const world = await startWorld(storage);
    const stage = await setStage(world, world.defaultTenantId);
    const failed: string[] = [];
    for (const route of routes) {
      if (route.method === "GET") continue;
      const { body, method, url } = toRequest(route, stage);
      const headers = { authorization: bootstrapKey, ...headersOf(body) };
      const request = { method, url: url.replace(/[?&]dryRun=true/, ""), headers, body };
      const { status } = await withoutUsers(() => world.identity.inject(request));
      if (status >= 500) failed.push(`${method} ${url} ${status}`);
    }
    expect(failed).toEqual([]);
  });

  requirement("account.alike", "each call answers as for a user who is not there", async () => {
    const { removeBefore, storage } = meetRemovals(open());
    const world = await startWorld(storage);
    await arrangeLogin(world, { application: { passwordlessConfiguration: { enabled: true } } });
    const { applicationId, loginId } = { applicationId: ids.application, loginId: "ann@example.com" };
    const calls = [
      ["/api/user/forgot-password", { loginId, sendForgotPasswordMessage: false }],
      ["/api/passwordless/start", { applicationId, loginId }],
      ["/api/login", { applicationId, loginId, password: "correct horse battery" }],
    ] as const;
    for (const [path, body] of calls)
      for (const skipped of [0, 1, 2]) {
        removeBefore(ids.user, skipped);
        expect([200, 404]).toContain((await world.caller.post(path, body)).status);
        await again(world);
      }
    for (const skipped of [0, 1, 2]) {
      removeBefore(ids.user, skipped);
      expectEmpty(await anybody(world).post("/api/user/forgot-password", { loginId }), 200);
      await again(world);
    }
  });
});

// The user, where the call before met the removal.
async function again(world: World): Promise<void> {
  const user = { email: "ann@example.com", password: "correct horse battery" };
  if ((await world.caller.get(`/api/user/${ids.user}`)).status === 200) return;
  await world.caller.post(`/api/user/${ids.user}`, { user });
  await world.caller.post(`/api/user/registration/${ids.user}`, { registration: { applicationId: ids.application } });
}
