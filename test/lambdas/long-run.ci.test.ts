import { isolatedVmRunner } from "latchkey/runners";
import { expect, onTestFinished, test, vi } from "vitest";
import { jwtAfter } from "../contract/lambda-runner/kit.js";
import { growthOf, runLong } from "../soak/long-run.js";
import { guestsOf } from "../support/guests.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";

vi.setConfig({ testTimeout: 120_000 });

const runs = isLong ? 20_000 : 5_000;

requirement(["runner.flat", "runner.leaves-nothing"], "many runs leave host and guests as large as they were", async () => {
  const runner = isolatedVmRunner({ processes: 1 });
  const longRun = await runLong(runner, runs, runs);
  console.info(longRun.tenths.map(({ heap, guests }) => `${heap.toFixed(1)} + ${guests.toFixed(1)} MiB`).join(", "));
  expect(longRun.wrong).toBe(0);
  expect(runner.readState().killed).toBe(0);
  const growth = growthOf(longRun);
  expect(Math.abs(growth.heap)).toBeLessThan(0.1);
  expect(Math.abs(growth.guests)).toBeLessThan(0.1);
  await runner.close();
  expect(guestsOf(process.pid)).toEqual([]);
});

requirement("runner.flat", "what crosses into realms is freed before their guest has to be replaced", async () => {
  const runner = isolatedVmRunner({ processes: 1 });
  onTestFinished(() => runner.close());
  const given = { jwt: { long: "x".repeat(100_000) } };
  const measure = (run: number) => jwtAfter(runner, "jwt.long = jwt.long.length;", { given, tenantId: `tenant ${run % 10}` });
  for (let run = 0; run < 10; run++) await measure(run);
  const pids = guestsOf(process.pid).map(({ pid }) => pid);
  for (let run = 0; run < 2_500; run++) expect(await measure(run)).toEqual({ long: 100_000 });
  expect(guestsOf(process.pid).map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
});

test.each(["realm", "context"] as const)("no script sees what frees it (isolation: %s)", async (isolation) => {
  const runner = isolatedVmRunner({ processes: 1, isolation });
  onTestFinished(() => runner.close());
  const given = { jwt: { long: "x".repeat(1_000_000) } };
  for (let run = 0; run < 10; run++) await jwtAfter(runner, "jwt.long = '';", { given });
  expect(await jwtAfter(runner, "jwt.gc = [typeof gc, 'gc' in globalThis];")).toMatchObject({ gc: ["undefined", false] });
});
