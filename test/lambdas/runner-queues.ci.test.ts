import { isolatedVmRunner } from "latchkey/runners";
import { expect, test } from "vitest";
import { TenantQueues } from "../../adapters/runners/lambda-guest/tenant-queues.js";
import { jwtAfter, runStatements } from "../contract/lambda-runner/kit.js";
import { requirement } from "../support/requirement.js";

requirement("runner.bounded", "runs beyond those that may wait are refused, those of a tenant before all", async () => {
  const runner = isolatedVmRunner({ maxWaiting: 5, maxWaitingPerTenant: 3 });
  const outcomes = ["a", "b", "c"].flatMap((tenantId) =>
    Array.from({ length: 4 }, () => runStatements(runner, "jwt.a = 1;", { tenantId }).then(({ kind }) => `${tenantId} ${kind}`)),
  );
  expect(await Promise.all(outcomes)).toEqual([
    ...["a ok", "a ok", "a ok", "a refused"],
    ...["b ok", "b ok", "b refused", "b refused"],
    ...["c refused", "c refused", "c refused", "c refused"],
  ]);
  expect(await jwtAfter(runner, "jwt.a = 1;", { tenantId: "c" })).toMatchObject({ a: 1 });
  await runner.close();
});

requirement("runner.flat", "many runs of mixed kinds leave the memory of the host as it was", async () => {
  const runner = isolatedVmRunner();
  const bodies = [
    "jwt.text = 'x'.repeat(1_000);",
    "throw new Error('no');",
    "console.log('line', jwt);",
    "jwt.list = Array.from({ length: 500 }, (_, i) => ({ i }));",
    "(function again() { again(); })();",
  ];
  const round = async (runs: number): Promise<number> => {
    for (let done = 0; done < runs; done += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          runStatements(runner, bodies[i % 25 === 4 ? 4 : i % 4] ?? "", { tenantId: `tenant ${i % 5}` }),
        ),
      );
    return process.memoryUsage().rss;
  };
  await round(1_000);
  const before = await round(500);
  const after = await round(3_500);
  expect(after - before).toBeLessThan(48 * 1_048_576);
  expect(runner.readState().killed).toBe(0);
  await runner.close();
});

interface Item {
  readonly tenant: string;
  queue: string;
  readonly name: string;
}

const item = (tenant: string, name: string): Item => ({ tenant, queue: tenant, name });

function takenFrom(queues: TenantQueues<Item>, canServe: (item: Item) => boolean = () => true): string[] {
  const names: string[] = [];
  const next = () => queues.take((waiting) => (canServe(waiting) ? "someone" : undefined));
  for (let taken = next(); taken !== undefined; taken = next()) names.push(taken.item.name);
  return names;
}

requirement("runner.turns", "queues take turns, and returned items come first", () => {
  const queues = new TenantQueues<Item>();
  for (const name of ["a1", "a2", "a3", "b1", "c1"]) queues.push(item(name.slice(0, 1), name));
  expect([queues.size, queues.sizeOf("a"), queues.sizeOf("d")]).toEqual([5, 3, 0]);
  const first = queues.take(() => 1)?.item;
  expect(first?.name).toBe("a1");
  queues.putBack([first ?? item("a", "none"), item("b", "b0")]);
  expect(takenFrom(queues)).toEqual(["b0", "c1", "a1", "b1", "a2", "a3"]);
  expect([queues.size, queues.sizeOf("a")]).toEqual([0, 0]);
});

test("a queue that cannot be served holds up no other one", () => {
  const queues = new TenantQueues<Item>();
  for (const name of ["a1", "b1", "a2", "b2"]) queues.push(item(name.slice(0, 1), name));
  expect(takenFrom(queues, ({ tenant }) => tenant === "b")).toEqual(["b1", "b2"]);
  expect(queues.takeAll().map(({ name }) => name)).toEqual(["a1", "a2"]);
  expect([queues.size, queues.sizeOf("a")]).toEqual([0, 0]);
});

test("an item whose queue has changed waits in the new one", () => {
  const queues = new TenantQueues<Item>();
  const items = [item("a", "a1"), item("a", "a2"), item("a", "a3")];
  for (const one of items) queues.push(one);
  for (const one of items.slice(0, 2)) one.queue = "slow";
  expect(takenFrom(queues, ({ queue }) => queue !== "slow")).toEqual(["a3"]);
  expect([queues.size, queues.sizeOf("a")]).toEqual([2, 2]);
  expect(takenFrom(queues)).toEqual(["a1", "a2"]);
});
