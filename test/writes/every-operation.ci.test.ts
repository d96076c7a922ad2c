// The hook onWrite follows what the audit log records: every operation is called, with the hook and the log side by side.
import type { InjectedRequest } from "latchkey";
import { type ApiResponse, globalScope } from "latchkey/ports";
import { describe, expect, vi } from "vitest";
import { families, tables } from "../../src/families/index.js";
import { readEntries } from "../support/audit-entries.js";
import { callEveryOperation, drain, failuresOf, type Outcome } from "../support/every-operation.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, type World } from "../support/world.js";
import { type HostHook, type HostTable, hostHook, nameOf } from "../support/write-hook.js";

// Each of its tests calls every operation four times.
vi.setConfig({ testTimeout: 120_000 });

const options = {
  auditChanges: true,
  throttle: false,
  sendSms: async () => ({ kind: "ok" as const }),
  mail: async () => ({ kind: "ok" as const }),
} as const;

const verbs = { Created: "create", Changed: "update", Removed: "remove" } as const;
const familyOf = new Map(Object.entries(families).map(([name, { row }]) => [row.auditName, name]));

/** What the audit log says of changes, as the hook names them. */
async function readAudited(world: World): Promise<readonly string[]> {
  const entries = await readEntries(world);
  return entries.flatMap(({ message, newValue, oldValue }) => {
    const [, verb = "", noun = "", id = ""] = /^(\w+) the (.*?)(?: ([\da-f-]{36}))?$/.exec(message) ?? [];
    const family = familyOf.get(noun);
    if (family === undefined || !Object.hasOwn(verbs, verb) || (newValue ?? oldValue) === undefined) return [];
    return [nameOf({ action: verbs[verb as keyof typeof verbs], family, id })];
  });
}

/** What has transactions of its own: numbers of entries before, records of logins and the chain of entries later, jobs meanwhile. */
const others: ReadonlySet<string> = new Set([
  ...["auditLogNumbers", "loginRecords"],
  ...["auditChain", "auditDigests", "auditQueue"],
  ...["importJobs", "importParts"],
]);

/** All that is stored, by table. */
async function readAll({ storage }: World): Promise<ReadonlyMap<string, string>> {
  const read = tables
    .filter(({ name }) => !others.has(name))
    .map(async (table) => {
      const records = await storage.find(globalScope, table, undefined);
      return [table.name, JSON.stringify(records.toSorted((a, b) => (a.id < b.id ? -1 : 1)))] as const;
    });
  return new Map(await Promise.all(read));
}

interface Stage {
  readonly world: World;
  readonly hook: HostHook;
  readonly table: HostTable | undefined;
}

async function arrange(start: Start): Promise<Stage> {
  const hook = hostHook();
  const world = await start({ ...options, onWrite: hook.onWrite });
  const table = await hook.open(world.storage);
  hook.calls.length = 0;
  return { world, hook, table };
}

async function send({ identity }: World, request: InjectedRequest): Promise<ApiResponse> {
  const response = await identity.inject(request);
  await drain(response.stream);
  return response;
}

/** Calls every operation; answers the requests over HTTP that called the hook. */
async function followAll({ hook, table, world }: Stage): Promise<readonly string[]> {
  const before = (await readAudited(world)).length;
  const isFollowed: boolean[] = [];
  const { inProcess, overHttp } = await callEveryOperation(world, async (request) => {
    const known = hook.calls.length;
    const { status } = await send(world, request);
    isFollowed.push(hook.calls.length > known);
    return status;
  });
  expect(failuresOf([...inProcess, ...overHttp])).toEqual([]);
  const audited = (await readAudited(world)).slice(before);
  expect(audited.length).toBeGreaterThan(100);
  if (table !== undefined) expect([...(await table.read())].sort()).toEqual([...audited].sort());
  // Besides, it is called for dry runs, and for calls that are refused afterwards.
  const called = Map.groupBy(hook.calls.map(nameOf), (name) => name);
  for (const [name, entries] of Map.groupBy(audited, (one) => one))
    expect([name, called.get(name)?.length]).toEqual([name, expect.toSatisfy((count) => count >= entries.length)]);
  return toNames(overHttp, isFollowed);
}

// Jobs are worked on beside the requests, so that it depends on the time what their calls find.
const toNames = (outcomes: readonly Outcome[], isNamed: readonly boolean[]): readonly string[] =>
  outcomes.flatMap(([call], index) => {
    const [, operation = ""] = /\((.*)\)$/.exec(call) ?? [];
    return isNamed[index] && !operation.startsWith("importJobs.") ? [`${index} ${operation}`] : [];
  });

/** Calls every operation while the hook throws; answers the requests over HTTP that it undid. */
async function failAll({ hook, table, world }: Stage): Promise<readonly string[]> {
  const isUndone: boolean[] = [];
  let rows: readonly string[] | undefined;
  const { inProcess, overHttp } = await callEveryOperation(world, async (request) => {
    // From here on: what is called about is made before.
    if (isUndone.length === 0) rows = await table?.read();
    hook.atEnd = () => {
      throw new Error("The host cannot follow.");
    };
    const isKept = request.method !== "GET" && !request.url.includes("dryRun");
    const before = isKept ? await readAll(world) : undefined;
    const { body, status } = await send(world, request);
    isUndone.push(body.includes("[writeHookFailed]"));
    if (before !== undefined && isUndone.at(-1)) {
      const changed = [...(await readAll(world))].flatMap(([name, text]) => (text === before.get(name) ? [] : [name]));
      expect([request.url, changed]).toEqual([request.url, []]);
    }
    return status;
  });
  expect(inProcess.filter(([, status]) => typeof status === "string")).toEqual([]);
  expect(await table?.read()).toEqual(rows);
  return toNames(overHttp, isUndone);
}

forEachStorage((start) => {
  describe("the hook onWrite", () => {
    let followed: readonly string[];

    requirement("on-write.changes", "follows each change of every operation once", async () => {
      followed = await followAll(await arrange(start));
      expect(followed.length).toBeGreaterThan(150);
    });

    requirement("on-write.undone", "undoes every operation that it follows where it throws", async () => {
      const undone = new Set(await failAll(await arrange(start)));
      expect(followed.filter((call) => !undone.has(call))).toEqual([]);
    });
  });
}, embeddedPostgres());
