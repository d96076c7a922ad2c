// What an error of an operation shows to whoever logs it whole: its codes and texts, and nothing of a record.
import { inspect } from "node:util";
import { IdentityError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { routes } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";
import { drain, toInput } from "../support/every-operation.js";
import { setStage, toRequest } from "../support/matrix-stage.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { countWalk } from "../support/walk-counts.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, startWorld, uuid, type World } from "../support/world.js";

const shownMembers = ["cause", "code", "fieldErrors", "generalErrors", "headers", "message", "name", "status"];
const password = "a password of nobody else";
const ofOAuth = ["description", "error", "reason"];

/** Names of all members that an enumerable path from a value leads to, those of its causes included. */
function membersOf(value: unknown, seen = new Set<unknown>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null || seen.has(value)) return new Set();
  seen.add(value);
  const entries = [...Object.entries(value), ...(value instanceof Error ? [["cause", value.cause] as const] : [])];
  return new Set(entries.flatMap(([name, member]) => [name, ...membersOf(member, seen)]));
}

/** What a refusal shows beside its codes: member names that no error has, and words of records. */
function shownBy(error: IdentityError): readonly string[] {
  const own = new Set([...shownMembers, ...ofOAuth, ...Object.keys(error.fieldErrors), ...Object.keys(error.headers ?? {})]);
  const members = [...membersOf(error)].filter((name) => !/^\d+$/.test(name) && !own.has(name));
  const text = inspect(error, { depth: 20, showHidden: true });
  return [...members, ...(text.match(/passwordHash|"?salt"?:|columns:|insertInstant|hidden:/g) ?? [])];
}

/** The calls of an operation that it may refuse: the right one twice, then with other ids, without members, and with members of other kinds. */
function inputsOf(right: object): readonly object[] {
  const names = Object.keys(right);
  const of = (value: unknown): object => Object.fromEntries(names.map((name) => [name, value]));
  return [right, right, { ...right, ...unknownIds(right) }, {}, of(7), of({ a: [null] }), of("\0"), { ...right, nobody: 1 }];
}

function unknownIds(right: object): object {
  return Object.fromEntries(Object.keys(right).flatMap((name) => (/Id$/.test(name) ? [[name, uuid(404)]] : [])));
}

async function refusalOf({ identity }: World, { target }: Route<AnyOperation>, input: object): Promise<unknown> {
  const [family = "", verb = ""] = target.name.split(".");
  const families: object = identity;
  const call = (families as Record<string, Record<string, (input: object) => Promise<unknown>>>)[family]?.[verb];
  try {
    await drain(await call?.(input));
    return undefined;
  } catch (error) {
    return error;
  }
}

forEachStorage((start) => {
  requirement("errors.causes", "no refusal of any operation shows more than its codes", async () => {
    const world = await start();
    const stage = await setStage(world, world.defaultTenantId);
    const rank = ({ method }: Route<AnyOperation>): number => (method === "DELETE" ? 1 : 0);
    const wrong: unknown[] = [];
    const refused = new Set<string>();
    let count = 0;
    const visited = steps(routes, 4).toSorted((one, other) => rank(one) - rank(other));
    for (const route of visited)
      for (const input of inputsOf(toInput(route, toRequest(route, stage)))) {
        const error = await refusalOf(world, route, input);
        if (error === undefined) continue;
        count++;
        refused.add(route.target.name);
        const shown = error instanceof IdentityError && error.status < 500 ? shownBy(error) : [error];
        if (shown.length > 0) wrong.push([route.target.name, input, shown]);
      }
    countWalk("refusals of all operations, in process", count);
    expect(wrong).toEqual([]);
    expect(refused.size).toBeGreaterThan(visited.length / 3);
  });
});

requirement("errors.causes", "an error of a driver keeps its message and code, and no values", async () => {
  const failure: { now: Error | undefined } = { now: undefined };
  const storage = watchStorage(memoryStorage(), {
    beforeCall: () => {
      if (failure.now !== undefined) throw failure.now;
    },
  });
  const { identity } = await startWorld(storage);
  const detail = `Failing row contains (${password}).`;
  failure.now = Object.assign(new Error("null value", { cause: Object.assign(new Error("deeper"), { detail }) }), {
    code: "23502",
    detail,
  });
  const thrown = await identity.groups.list().catch((error: unknown) => error);
  failure.now = undefined;
  expect(thrown).toMatchObject({ message: "null value", code: "23502", cause: { message: "deeper" } });
  expect(inspect(thrown, { depth: 20 })).not.toContain(password);
});
