import { globalScope } from "latchkey/ports";
import { describe, expect, onTestFinished, vi } from "vitest";
import { attemptsTable } from "../../src/records/tables.js";
import { expectEmpty, expectRefusal } from "../support/answer.js";
import { addAttemptRoute, attemptAs, failAs as fail, callerFrom as from, withFew } from "../support/attempts.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const timesTried = addAttemptRoute();

forEachStorage((start) => {
  describe("too many failures", () => {
    requirement("throttle.refused", "for one subject from one source are an empty 423 until the lock ends", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      await fail(caller, "ann", 3);
      const tried = timesTried();
      for (const isRight of [false, true]) {
        const answer = await attemptAs(caller, "ann", isRight);
        expectEmpty(answer, 423);
        expect(answer.headers["retry-after"]).toBe("60");
      }
      world.clock.advance(59_001);
      expect((await attemptAs(caller, "ann", true)).headers["retry-after"]).toBe("1");
      expect(timesTried()).toBe(tried);
      world.clock.advance(999);
      expectEmpty(await attemptAs(caller, "ann", true), 200);
      await fail(caller, "bob", 3);
    });

    requirement("throttle.refused", "from one source are 429 for every user", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      for (const id of ["a", "b", "c", "d"]) await fail(caller, id, 2);
      const answer = await attemptAs(caller, "somebody else", true);
      expectRefusal(answer, 429, "[tooManyAttempts]");
      expect(answer.headers["retry-after"]).toBe("60");
      expectEmpty(await attemptAs(from(world, "10.0.0.2"), "a", true), 200);
    });

    requirement("throttle.refused", "of a client are 429, and counted apart from those of users", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      await fail(caller, "x", 3, { kind: "clientSecret" });
      expectRefusal(await attemptAs(caller, "x", true, { kind: "clientSecret" }), 429, "[tooManyAttempts]");
      await fail(caller, "x", 3);
      expectEmpty(await attemptAs(caller, "x", true), 423);
      await fail(caller, "x", 3, { kind: "twoFactor" });
      expectEmpty(await attemptAs(caller, "x", true, { kind: "twoFactor" }), 423);
    });

    requirement("throttle.refused", "are those of a window: older ones do not count", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      await fail(caller, "ann", 2);
      world.clock.advance(600_000);
      await fail(caller, "ann", 2);
      expectEmpty(await attemptAs(caller, "ann", true), 200);
    });

    requirement("throttle.refused", "of IPv6 addresses are counted for the network that one host has", async () => {
      const world = await start(withFew);
      for (const address of ["2001:db8::1", "2001:db8::ffff", "2001:db8:0:0:1::9%eth0"])
        await fail(from(world, address), "ann", 1);
      expectEmpty(await attemptAs(from(world, "2001:db8::abcd"), "ann", true), 423);
      expectEmpty(await attemptAs(from(world, "2001:db8:0:1::1"), "ann", true), 200);
    });
  });

  describe("attempts side by side", () => {
    requirement("throttle.counted-first", "get no more tries than those one after the other", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      const before = timesTried();
      const answers = await Promise.all(Array.from({ length: 50 }, () => attemptAs(caller, "ann", false)));
      expect(timesTried() - before).toBe(3);
      expect(answers.map((answer) => answer.status).sort()).toEqual([404, 404, 404, ...Array(47).fill(423)]);
      expectEmpty(await attemptAs(caller, "ann", true), 423);
    });

    requirement(
      "throttle.counted-first",
      "that are right are all let in, however many, for one subject and for many",
      async () => {
        const world = await start(withFew);
        const caller = from(world, "10.0.0.1");
        for (const idOf of [() => "ann", (index: number) => `user ${index}`])
          for (let round = 0; round < 2; round++) {
            const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => attemptAs(caller, idOf(index), true)));
            expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
          }
        await fail(caller, "ann", 3);
      },
    );

    requirement("throttle.counted-first", "get no more tries from where the subject is known", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      expectEmpty(await attemptAs(caller, "ann", true), 200);
      const before = timesTried();
      const answers = await Promise.all(Array.from({ length: 50 }, () => attemptAs(caller, "ann", false)));
      expect(timesTried() - before).toBe(3);
      expect(answers.filter((answer) => answer.status === 423)).toHaveLength(47);
      expectEmpty(await attemptAs(caller, "ann", true), 423);
    });
  });

  describe("success", () => {
    requirement("throttle.reset", "forgives the subject all failures", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      for (let round = 0; round < 3; round++) {
        await fail(caller, "ann", 2);
        expectEmpty(await attemptAs(caller, "ann", true), 200);
      }
    });

    requirement("throttle.reset", "forgives the source none", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      for (const id of ["a", "b", "c"]) {
        await fail(caller, id, 2);
        expectEmpty(await attemptAs(caller, "attacker", true), 200);
      }
      await fail(caller, "d", 2);
      expectRefusal(await attemptAs(caller, "attacker", true), 429, "[tooManyAttempts]");
    });

    requirement("throttle.reset", "may be the last attempt that is allowed", async () => {
      const world = await start(withFew);
      const caller = from(world, "10.0.0.1");
      for (let round = 0; round < 3; round++) {
        await fail(caller, "ann", 2);
        expectEmpty(await attemptAs(caller, "ann", true), 200);
        await attemptAs(caller, `other ${round}`, true);
      }
      expectEmpty(await attemptAs(caller, "ann", true), 200);
    });
  });

  describe("failures from elsewhere", () => {
    requirement("throttle.from-elsewhere", "refuse nobody until there are very many", async () => {
      const world = await start(withFew);
      await fail(from(world, "10.0.0.1"), "ann", 3);
      expectEmpty(await attemptAs(from(world, "10.0.0.2"), "ann", true), 200);
      await fail(from(world, "10.0.0.3"), "ann", 3);
      await fail(from(world, "10.0.0.4"), "ann", 3);
      expectEmpty(await attemptAs(from(world, "10.0.0.5"), "ann", true), 423);
      world.clock.advance(60_000);
      expectEmpty(await attemptAs(from(world, "10.0.0.5"), "ann", true), 200);
    });

    requirement("throttle.from-elsewhere", "never refuse a source from which the subject succeeded", async () => {
      const world = await start(withFew);
      const home = from(world, "10.0.0.1");
      expectEmpty(await attemptAs(home, "ann", true), 200);
      await fail(from(world, "10.0.0.3"), "ann", 3);
      await fail(from(world, "10.0.0.4"), "ann", 3);
      expectEmpty(await attemptAs(from(world, "10.0.0.5"), "ann", true), 423);
      await fail(home, "ann", 2);
      expectEmpty(await attemptAs(home, "ann", true), 200);
      await fail(home, "ann", 3);
      expectEmpty(await attemptAs(home, "ann", true), 423);
    });

    requirement("throttle.from-elsewhere", "are distinguished by the ipAddress that a caller with a key names", async () => {
      const world = await start(withFew);
      const { caller } = world;
      await fail(caller, "ann", 3, { ipAddress: "192.0.2.1" });
      expectEmpty(await attemptAs(caller, "ann", true, { ipAddress: "192.0.2.1" }), 423);
      expectEmpty(await attemptAs(caller, "ann", true, { ipAddress: "192.0.2.2" }), 200);
      for (const ipAddress of ["nonsense", "", "127.0.0.1"]) await fail(caller, "bob", 1, { ipAddress });
      expectEmpty(await attemptAs(caller, "bob", true), 423);
      const stranger = from(world, "10.0.0.1");
      for (const ipAddress of ["192.0.2.3", "192.0.2.4", "192.0.2.5"]) await fail(stranger, "cid", 1, { ipAddress });
      expectEmpty(await attemptAs(stranger, "cid", true, { ipAddress: "192.0.2.6" }), 423);
    });

    requirement("throttle.from-elsewhere", "count as those of one source where nobody knows the source", async () => {
      const world = await start(withFew);
      const nowhere = from(world, undefined);
      await fail(nowhere, "ann", 3);
      expectEmpty(await attemptAs(nowhere, "ann", true), 423);
      expectEmpty(await attemptAs(nowhere, "bob", true), 200);
      expectEmpty(await attemptAs(from(world, "10.0.0.1"), "ann", true), 200);
    });
  });

  requirement("throttle.dry-run", "a dry run counts like any attempt", async () => {
    const world = await start(withFew);
    const caller = from(world, "10.0.0.1");
    await fail(caller, "ann", 3, { query: "?dryRun=true" });
    expectEmpty(await attemptAs(caller, "ann", true, { query: "?dryRun=true" }), 423);
  });

  requirement("throttle.options", "each kind is counted by default, and can be switched off", async () => {
    const on = await start({
      throttle: { login: { maxDelayMs: 0 }, twoFactor: { maxDelayMs: 0 }, clientSecret: { maxDelayMs: 0 } },
    });
    for (const [kind, limit, status] of [
      ["login", 10, 423],
      ["twoFactor", 5, 423],
      ["clientSecret", 20, 429],
    ] as const) {
      const caller = from(on, `10.0.0.${limit}`);
      await fail(caller, "ann", limit, { kind });
      expect([kind, (await attemptAs(caller, "ann", true, { kind })).status]).toEqual([kind, status]);
    }
    for (const throttle of [false, { login: false }] as const) {
      const off = await start({ throttle });
      await fail(from(off, "10.0.0.1"), "ann", 30);
    }
  });

  requirement("throttle.refused", "what was counted goes when it counts no more, and holds no name and no address", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const world = await start(withFew);
    const rows = (): Promise<readonly unknown[]> => world.storage.find(globalScope, attemptsTable, undefined);
    await fail(from(world, "10.11.12.13"), "ann@example.com", 3);
    expectEmpty(await attemptAs(from(world, "10.11.12.14"), "bob", true), 200);
    expect(await rows()).toHaveLength(4);
    expect(JSON.stringify(await rows())).not.toMatch(/ann|10\.11/);
    for (const [days, left] of [
      [0, 4],
      [1, 1],
      [31, 0],
    ] as const) {
      world.clock.advance(days * 24 * 3_600_000);
      vi.advanceTimersByTime(3_600_000);
      await vi.waitFor(async () => expect([days, (await rows()).length]).toEqual([days, left]), 10_000);
    }
  });

  requirement(
    "throttle.counted-first",
    "an attempt costs a write when it fails, none when it is refused, and two when it succeeds for the first time in a day",
    async () => {
      const world = await start(withFew);
      const watched = vi.spyOn(world.storage, "transaction");
      const caller = from(world, "10.0.0.1");
      const costOf = async (isRight: boolean): Promise<number> => {
        watched.mockClear();
        await attemptAs(caller, "ann", isRight);
        return watched.mock.calls.length;
      };
      expect(await costOf(true)).toBe(2);
      for (let count = 0; count < 5; count++) expect(await costOf(true)).toBe(0);
      world.clock.advance(24 * 3_600_000);
      expect(await costOf(true)).toBe(2);
      expect(await costOf(true)).toBe(0);
      for (let count = 0; count < 3; count++) expect(await costOf(false)).toBe(1);
      expectEmpty(await attemptAs(caller, "ann", true), 423);
    },
  );
});
