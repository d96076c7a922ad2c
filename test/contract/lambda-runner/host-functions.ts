import { expect } from "vitest";
import type { RunnerContractTest } from "./contract-test.js";
import { hostOf, jwtAfter, pause, runStatements } from "./kit.js";

export const hostFunctionTests: readonly RunnerContractTest[] = [
  {
    name: "calls a function of the host with its arguments, and gives the script what it answers",
    run: async (runner) => {
      const seen: unknown[] = [];
      const host = hostOf({ "host.join": (...values) => ({ count: seen.push(values), joined: values.join("-") }) });
      expect(await jwtAfter(runner, "jwt.answer = host.join('a', 2, null);", { host })).toMatchObject({
        answer: { count: 1, joined: "a-2-" },
      });
      expect(seen).toEqual([["a", 2, null]]);
    },
  },
  {
    name: "gives undefined for what a function does not answer",
    run: async (runner) => {
      const host = hostOf({ "host.nothing": () => undefined });
      expect(await jwtAfter(runner, "jwt.type = typeof host.nothing();", { host })).toMatchObject({ type: "undefined" });
    },
  },
  {
    name: "throws in the script what a function of the host rejects with",
    run: async (runner) => {
      const host = hostOf({ "host.fails": () => Promise.reject(new Error("the door is shut")) });
      const caught = "try { host.fails() } catch (error) { jwt.caught = [error instanceof Error, error.message] }";
      expect(await jwtAfter(runner, caught, { host })).toMatchObject({ caught: [true, "the door is shut"] });
      expect(await runStatements(runner, "host.fails();", { host })).toMatchObject({
        kind: "threw",
        message: expect.stringContaining("the door is shut"),
      });
    },
  },
  {
    name: "knows no function that is not named",
    run: async (runner) => {
      const host = hostOf({ "host.known": () => 1 });
      expect(await jwtAfter(runner, "jwt.types = [typeof host.known, typeof host.other];", { host })).toMatchObject({
        types: ["function", "undefined"],
      });
      expect(await runStatements(runner, "host.other();", { host })).toMatchObject({ kind: "threw" });
    },
  },
  {
    name: "tells two runs of one script apart by the functions that they may call",
    run: async (runner) => {
      const statements = "jwt.type = typeof host === 'undefined' ? 'none' : typeof host.only;";
      expect(await jwtAfter(runner, statements, { host: hostOf({ "host.only": () => 1 }) })).toMatchObject({ type: "function" });
      expect(await jwtAfter(runner, statements)).not.toMatchObject({ type: "function" });
    },
  },
  {
    name: "gives the functions of the API by their records",
    run: async (runner) => {
      const host = hostOf({
        "api.user.retrieve": (id) => ({ id }),
        "api.user.patch": () => undefined,
        "api.group.patch": () => 1,
      });
      const statements =
        "jwt.user = api.user.retrieve('a'); jwt.keys = [Object.keys(api), Object.keys(api.user)]; jwt.type = typeof host;";
      expect(await jwtAfter(runner, statements, { host })).toMatchObject({
        user: { id: "a" },
        keys: [
          ["user", "group"],
          ["retrieve", "patch"],
        ],
        type: "undefined",
      });
    },
  },
  {
    name: "answers secrets in the context, which is not part of the result",
    run: async (runner) => {
      const host = hostOf({ "secrets.get": (name) => `secret of ${name}` });
      const changed = await jwtAfter(runner, "jwt.secret = context.secrets.get('a');", { host });
      expect(changed).toEqual({ sub: "someone", secret: "secret of a" });
    },
  },
  {
    name: "freezes the constants of the context, which are among its services too",
    run: async (runner) => {
      const constants = { plans: { gold: [1, { seats: 10 }] } };
      const statements = `const { constants, services } = context;
        jwt.same = services.constants === constants; jwt.plans = constants.plans; jwt.json = JSON.stringify(context);
        jwt.isFrozen = [constants, constants.plans, constants.plans.gold, constants.plans.gold[1]].every(Object.isFrozen);`;
      const expected = { same: true, plans: constants.plans, json: '{"tenant":1}', isFrozen: true };
      const given = { jwt: {}, context: { constants, tenant: 1 } };
      for (let count = 0; count < 2; count++) expect(await jwtAfter(runner, statements, { given })).toEqual(expected);
    },
  },
  {
    name: "does not count the time that a run waits for the host",
    run: async (runner, factory) => {
      const limits = { wallClockMilliseconds: 1_000 };
      // The host takes as long as another runner takes to end a run by the same limit.
      const other = factory();
      const host = hostOf({ "host.slow": async () => (await runStatements(other, "for (;;);", { limits })).kind });
      expect(await jwtAfter(runner, "jwt.a = host.slow();", { host, limits })).toMatchObject({ a: "timedOut" });
      await other.close();
    },
  },
  {
    name: "ends a run that has waited for the host long enough, with several calls together",
    run: async (runner) => {
      const host = hostOf({ "host.slow": () => pause(150) });
      const outcome = await runStatements(runner, "for (;;) try { host.slow() } catch {}", {
        host,
        limits: { hostCallMilliseconds: 400 },
      });
      expect(outcome).toMatchObject({ kind: "timedOut", message: expect.stringContaining("host") });
      expect(await jwtAfter(runner, "jwt.a = 1;")).toEqual({ sub: "someone", a: 1 });
    },
  },
  {
    name: "does not keep others waiting while a run waits for the host",
    run: async (runner) => {
      const ended: string[] = [];
      const gate = Promise.withResolvers<void>();
      const host = hostOf({ "host.wait": () => gate.promise });
      const waiting = Array.from({ length: 4 }, () =>
        runStatements(runner, "host.wait();", { host, limits: { hostCallMilliseconds: 60_000 } }).then(() =>
          ended.push("waiting"),
        ),
      );
      await Promise.all(Array.from({ length: 8 }, () => jwtAfter(runner, "jwt.a = 1;").then(() => ended.push("quick"))));
      gate.resolve();
      await Promise.all(waiting);
      expect(ended).toEqual([...Array.from({ length: 8 }, () => "quick"), ...Array.from({ length: 4 }, () => "waiting")]);
    },
  },
];
