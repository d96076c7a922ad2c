import { memoryStorage } from "latchkey/memory";
import { UniqueViolation } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, vi } from "vitest";
import { type Answer, expectEmpty, expectRefusal } from "../support/answer.js";
import {
  addAttemptRoute,
  attemptAs,
  attemptInProcess,
  failAs as fail,
  few,
  callerFrom as from,
  withFew,
} from "../support/attempts.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { watchStorage } from "../support/watched-storage.js";
import { startWorld, storagesOfRules } from "../support/world.js";

const timesTried = addAttemptRoute();
const many = { ...few, maxFailures: 1_000, maxFailuresPerSource: 1_000, maxFailuresPerSubject: 1_000 };

describe("slowing", () => {
  requirement("throttle.slowed", "each failure after some makes the next attempt wait twice as long, up to a bound", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const world = await startWorld(memoryStorage(), { throttle: { login: { ...many, maxDelayMs: 1_500 } } });
    const caller = from(world, "10.0.0.1");
    const waited: number[] = [];
    for (let count = 0; count < 8; count++) waited.push(await waitFor(attemptAs(caller, "ann", false)));
    expect(waited).toEqual([0, 0, 0, 250, 500, 1_000, 1_500, 1_500]);
  });

  requirement("throttle.slowed", "only so many calls wait: the next is refused at once, and nobody else", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const world = await startWorld(memoryStorage(), { throttle: { login: { ...many, maxDelayMs: 1_000 } } });
    const caller = from(world, "10.0.0.1");
    await fail(caller, "ann", 3);
    const waiting = Array.from({ length: 100 }, () => attemptAs(caller, "ann", false));
    for (let turn = 0; turn < 1_000 && vi.getTimerCount() < 100; turn++) await new Promise(setImmediate);
    const refused = await attemptAs(caller, "ann", true);
    expectRefusal(refused, 429, "[tooManyAttempts]");
    expect(refused.headers["retry-after"]).toBe("1");
    expectEmpty(await attemptAs(caller, "bob", true), 200);
    vi.advanceTimersByTime(1_000);
    for (const answer of await Promise.all(waiting)) expectEmpty(answer, 404);
  });
});

requirement("throttle.counted-first", "two processes on one file count together", async () => {
  const filename = `${makeDirectory()}/identity.db`;
  const worlds = [await startWorld(sqliteStorage({ filename }), withFew), await startWorld(sqliteStorage({ filename }), withFew)];
  const before = timesTried();
  await Promise.all(
    worlds.flatMap((world) => Array.from({ length: 10 }, () => attemptAs(from(world, "10.0.0.1"), "ann", false))),
  );
  expect(timesTried() - before).toBe(3);
});

requirement("throttle.counted-first", "an attempt that another process counts in the same moment is counted again", async () => {
  let collisions = 2;
  const storage = watchStorage(memoryStorage(), {
    onWrite: (record) => {
      if ("expiryInstant" in record.columns && !record.json.includes("name") && collisions-- > 0)
        throw new UniqueViolation("attempts", ["id"]);
    },
  });
  const world = await startWorld(storage, withFew);
  collisions = 2;
  await fail(from(world, "10.0.0.1"), "ann", 3);
  expectEmpty(await attemptAs(from(world, "10.0.0.1"), "ann", true), 423);
});

describe.each(storagesOfRules())("in process on %s", (_name, open) => {
  requirement("throttle.refused", "too many failures are refused too, with the time in the error's headers", async () => {
    const { identity } = await startWorld(open(), withFew);
    for (let count = 0; count < 3; count++) expect(await attemptInProcess(identity, "ann", false)).toEqual({ isProven: false });
    const refusal = { status: 423, code: "[locked]", headers: { "retry-after": "60" } };
    await expect(attemptInProcess(identity, "ann", true)).rejects.toMatchObject(refusal);
  });

  requirement("throttle.in-process", "failures without an address count as those of one source", async () => {
    const { identity } = await startWorld(open(), withFew);
    for (const id of ["a", "b", "c", "d"])
      for (let count = 0; count < 2; count++) expect(await attemptInProcess(identity, id, false)).toEqual({ isProven: false });
    const refusal = { status: 429, code: "[tooManyAttempts]", headers: { "retry-after": "60" } };
    await expect(attemptInProcess(identity, "somebody else", true)).rejects.toMatchObject(refusal);
    const principal = { kind: "host" } as const;
    await expect(attemptInProcess(identity.as(principal), "e", true)).rejects.toMatchObject(refusal);
  });

  requirement(
    "throttle.refused",
    "attempts inside of the host's transaction and outside of it do not wait for each other",
    async () => {
      const { identity } = await startWorld(open(), withFew);
      const { promise: isOpen, resolve: begin } = Promise.withResolvers<void>();
      const outside = isOpen.then(() => attemptInProcess(identity, "ann", true));
      await identity.transaction(async (tx) => {
        begin();
        await new Promise(setImmediate);
        expect(await attemptInProcess(tx, "ann", true)).toEqual({ isProven: true });
      });
      expect(await outside).toEqual({ isProven: true });
    },
  );

  requirement("throttle.refused", "attempts inside of the host's transaction commit or roll back with it", async () => {
    const { identity } = await startWorld(open(), withFew);
    const failInside = (): Promise<void> =>
      identity.transaction(async (tx) => {
        for (let count = 0; count < 3; count++) expect(await attemptInProcess(tx, "ann", false)).toEqual({ isProven: false });
        await expect(attemptInProcess(tx, "ann", true)).rejects.toMatchObject({ status: 423 });
        throw new Error("undone");
      });
    await expect(failInside()).rejects.toThrow("undone");
    expect(await attemptInProcess(identity, "ann", true)).toEqual({ isProven: true });
  });
});

/** For how many milliseconds of the time that stands still an attempt waits. */
async function waitFor(answer: Promise<Answer>): Promise<number> {
  let isOver = false;
  const done = answer.finally(() => {
    isOver = true;
  });
  let waited = 0;
  for (; !isOver; await new Promise(setImmediate))
    if (vi.getTimerCount() > 0) {
      vi.advanceTimersByTime(250);
      waited += 250;
    }
  expectEmpty(await done, 404);
  return waited;
}
