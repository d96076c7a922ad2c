import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { LambdaRunner } from "latchkey/ports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LogQuery, readLogs } from "../../adapters/cli/lambdas/read-logs.js";

let identity: IdentityService;

/** Stands for an engine: each run writes the line that the user has. */
const runner: LambdaRunner = {
  run: async ({ argumentsJson }) => {
    const { user } = JSON.parse(argumentsJson);
    return { kind: "ok", changedJson: '{"jwt":{}}', console: [{ level: "info", text: user.data.line }] };
  },
  readState: () => ({ guests: 0, waiting: 0, killed: 0 }),
  close: async () => undefined,
};

beforeEach(async () => {
  const storage = memoryStorage();
  identity = await createIdentityService({ storage, secret: "s".repeat(32), delivery: false, lambdas: { runner } });
});
afterEach(() => identity.close());

/** Makes a lambda, and answers what runs it: each run writes one line. */
async function writer(name: string): Promise<(line: string) => Promise<unknown>> {
  const { lambda } = await identity.lambdas.create({ lambda: { name, type: "JWTPopulate", body: "function populate() {}" } });
  return (line) => identity.lambdas.run({ id: lambda.id, type: "JWTPopulate" }, { jwt: {}, user: { data: { line } } } as never);
}

const read = async (query: Partial<LogQuery>): Promise<readonly (string | undefined)[]> => {
  const { entries } = await readLogs(identity.eventLogs, { lambda: undefined, after: 0, limit: 50, ...query });
  return entries.map(({ message }) => message.split("\n").at(-1));
};

test("the lines of a lambda are found beside busier ones of similar names", async () => {
  const plan = await writer("Plan");
  const others = [await writer("Plan B"), await writer("plan"), await writer("Plan (2)")];
  await plan("first");
  for (const other of others) for (const line of ["1", "2", "3"]) await other(`other ${line}`);
  await plan("second");
  for (const other of others) for (const line of ["4", "5", "6"]) await other(`other ${line}`);
  expect(await read({ lambda: "Plan", limit: 2 })).toEqual(["first", "second"]);
  expect(await read({ lambda: "Plan", limit: 1 })).toEqual(["second"]);
  expect(await read({ lambda: "Plan (2)", limit: 2 })).toEqual(["other 5", "other 6"]);
  expect(await read({ lambda: "Plan (", limit: 2 })).toEqual([]);
  expect(await read({ limit: 3 })).toEqual(["other 4", "other 5", "other 6"]);
});

test.each(["a*", "*", "***", "a*b (*", 'say "x"', "it's", "100%", "a_b", "a\\b", "[x]", "a\nb"])(
  "the lines of a lambda %j are found, and of no other",
  async (name) => {
    await (await writer(name))("mine");
    await (await writer("a b (b"))("other");
    await (await writer(`${name} more`))("other");
    expect(await read({ lambda: name, limit: 1 })).toEqual(["mine"]);
    expect((await read({})).length).toBe(3);
  },
);

test("a query continues after the last entry that was read, also of another lambda", async () => {
  const [plan, other] = [await writer("Plan"), await writer("plan")];
  await other("other");
  const first = await readLogs(identity.eventLogs, { lambda: "Plan", after: 0, limit: 50 });
  expect(first).toEqual({ entries: [], last: 1 });
  for (const line of ["1", "2"]) await plan(line);
  const next = await readLogs(identity.eventLogs, { lambda: "Plan", after: first.last, limit: Number.POSITIVE_INFINITY });
  expect(next.entries.map(({ id }) => id)).toEqual([2, 3]);
  expect(await readLogs(identity.eventLogs, { lambda: "Plan", after: next.last, limit: 50 })).toEqual({ entries: [], last: 3 });
});
