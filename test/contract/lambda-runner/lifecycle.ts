import { expect } from "vitest";
import type { RunnerContractTest } from "./contract-test.js";
import { jwtAfter, runStatements } from "./kit.js";

export const lifecycleTests: readonly RunnerContractTest[] = [
  {
    name: "starts nothing before the first run, and tells of what it has started",
    run: async (_, factory) => {
      const runner = factory();
      expect(runner.readState()).toEqual({ guests: 0, waiting: 0, killed: 0 });
      await jwtAfter(runner, "jwt.a = 1;");
      expect(runner.readState().guests).toBeGreaterThan(0);
      await runner.close();
    },
  },
  {
    name: "leaves no guest behind",
    run: async (_, factory) => {
      const runner = factory();
      await jwtAfter(runner, "jwt.a = 1;");
      await runner.close();
      expect(runner.readState()).toMatchObject({ guests: 0, waiting: 0 });
    },
  },
  {
    name: "refuses what is under way or waits when it is closed, and everything afterwards",
    run: async (_, factory) => {
      const runner = factory();
      await jwtAfter(runner, "jwt.a = 1;");
      const underWay = Array.from({ length: 20 }, () =>
        runStatements(runner, "for (;;);", { limits: { wallClockMilliseconds: 60_000 } }),
      );
      await jwtAfter(runner, "jwt.a = 1;", { tenantId: "other" });
      await runner.close();
      for (const run of underWay) expect(await run).toMatchObject({ kind: "refused", console: [] });
      expect(await runStatements(runner, "jwt.a = 1;")).toMatchObject({
        kind: "refused",
        message: expect.stringContaining("closed"),
      });
      expect(runner.readState().guests).toBe(0);
    },
  },
  {
    name: "may be closed before its first run, while it starts, and twice",
    run: async (_, factory) => {
      const unused = factory();
      await unused.close();
      const starting = factory();
      const run = runStatements(starting, "jwt.a = 1;");
      await Promise.all([starting.close(), starting.close()]);
      expect(await run).toMatchObject({ kind: "refused" });
      expect(starting.readState().guests).toBe(0);
    },
  },
];
