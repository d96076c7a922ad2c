import type { Storage, StorageSignals } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { invalidateAllProcesses } from "../../src/shared/ttl-cache.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { watchStorage } from "../support/watched-storage.js";
import { startWorld, uuid, type World } from "../support/world.js";

type Listener = (word: string | undefined) => void;

/** Signals that reach every other holder at once, and what was said. */
class Ether {
  readonly said: string[] = [];
  readonly #listeners = new Map<StorageSignals, Listener[]>();
  isBroken = false;

  join(): StorageSignals {
    const own: Listener[] = [];
    const signals: StorageSignals = {
      listen: (listener) => void own.push(listener),
      send: (word) => {
        this.said.push(word);
        if (!this.isBroken) this.tell(word, own);
      },
    };
    this.#listeners.set(signals, own);
    return signals;
  }

  tell(word: string | undefined, except?: readonly Listener[]): void {
    for (const listeners of this.#listeners.values()) if (listeners !== except) for (const listener of listeners) listener(word);
  }
}

/** Two services on one file, which hear each other by the ether, and a key that both know. Time stands still. */
async function startTwo(): Promise<{ readonly ether: Ether; readonly here: World; readonly there: World }> {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const ether = new Ether();
  const filename = `${makeDirectory()}/identity.db`;
  const open = (): Storage => ({ ...watchStorage(sqliteStorage({ filename }), {}), signals: ether.join() });
  const [here, there] = [await startWorld(open()), await startWorld(open())];
  expectOk(await here.caller.post(`/api/api-key/${uuid(1)}`, { apiKey: { key: "shared" } }));
  expectOk(await there.as("shared").get("/api/group"));
  return { ether, here, there };
}

requirement("key.other-process", "a revoked key counts at once in other processes that hear of it", async () => {
  const { ether, here, there } = await startTwo();
  ether.said.length = 0;
  expectEmpty(await here.caller.delete(`/api/api-key/${uuid(1)}`), 200);
  expect(ether.said).toEqual(["forgetKeys"]);
  expectEmpty(await there.as("shared").get("/api/group"), 401);
});

requirement("key.other-process", "a revoked key counts within a second in other processes that do not hear of it", async () => {
  const { ether, here, there } = await startTwo();
  ether.isBroken = true;
  expectEmpty(await here.caller.delete(`/api/api-key/${uuid(1)}`), 200);
  expectOk(await there.as("shared").get("/api/group"));
  vi.advanceTimersByTime(1_000);
  expectEmpty(await there.as("shared").get("/api/group"), 401);
});

test("what was missed is made up for when a process hears again", async () => {
  const { ether, here, there } = await startTwo();
  ether.isBroken = true;
  expectEmpty(await here.caller.delete(`/api/api-key/${uuid(1)}`), 200);
  ether.tell(undefined);
  expectEmpty(await there.as("shared").get("/api/group"), 401);
});

test("a change that rolls back sends no invalidation", async () => {
  const { ether, here } = await startTwo();
  ether.said.length = 0;
  expectOk(await here.caller.post("/api/api-key?dryRun=true", { apiKey: { key: "another" } }));
  expect(await here.caller.post("/api/api-key", { apiKey: { key: "shared" } })).toMatchObject({ status: 400 });
  expect(ether.said).toEqual([]);
});

test("each word makes others forget one thing, an unknown one nothing, and no word everything", () => {
  const ether = new Ether();
  const calls: string[] = [];
  const toForget = (name: string) => ({ one: () => void calls.push(`${name} one`), two: () => void calls.push(`${name} two`) });
  const here = invalidateAllProcesses(ether.join(), toForget("here"));
  invalidateAllProcesses(ether.join(), toForget("there"));
  here.one();
  expect(calls.splice(0)).toEqual(["here one", "there one"]);
  for (const word of ["toString", "", "three"]) ether.tell(word);
  expect(calls).toEqual([]);
  ether.tell(undefined);
  expect(calls).toEqual(["here one", "here two", "there one", "there two"]);
});

test("alone on its storage, a process forgets by itself", () => {
  const forget = { one: () => undefined };
  expect(invalidateAllProcesses(undefined, forget)).toBe(forget);
});
