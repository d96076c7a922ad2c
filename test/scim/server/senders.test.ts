// What Okta and Entra send, as requests to the server, and the state that they lead to.
import { describe, expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { forEachStorage } from "../../support/world.js";
import { type Expected, oktaRequests } from "../okta-requests.js";
import { type Quirk, quirkGroup, quirks, quirkUser } from "../patch/quirks.js";
import { callWith, createUser, type Directory, expectStatus, patchOf, startDirectory } from "../support/directory.js";

const texts: Readonly<Record<string, string>> = {
  userName: "runscope300@atko.example",
  USERNAME: "RUNSCOPE300@ATKO.EXAMPLE",
  email: "runscope300@atko.example",
  givenName: "Runscope300",
  familyName: "Other300",
};

function fill<T>(value: T, values: Readonly<Record<string, string>>): T {
  return JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)) as T;
}

function expectAt(found: unknown, expected: Expected, path: string): void {
  if (expected === "notEmpty") expect([path, found ?? ""]).not.toEqual([path, ""]);
  else if ("equals" in expected) expect([path, found]).toEqual([path, expected.equals]);
  else expect([path, found]).toEqual([path, expect.arrayContaining([expected.contains])]);
}

async function runOktaTest({ world, call }: Directory): Promise<void> {
  const values: Record<string, string> = { ...texts };
  for (const row of oktaRequests) {
    const send = row.isUnauthorized === true ? callWith(world, { authorization: "Bearer wrong" }) : call;
    const answer = await send(row.method, fill(row.path, values).replaceAll("'", "%27"), row.body && fill(row.body, values));
    expect([row.name, answer.status]).toEqual([row.name, row.status]);
    for (const [path, expected] of Object.entries(row.expected ?? {}))
      expectAt(answer.at(path), fill(expected, values), `${row.name}: ${path}`);
    for (const [name, path] of Object.entries(row.saves ?? {})) values[name] = answer.textAt(path);
  }
}

const placeholder = /8a1e4e9c-1f4b-4d3c-9f55-00000000000(\d)/g;

/** Sends a row with the ids of real users, and returns the resource afterwards. */
async function sendQuirk(call: Directory["call"], row: Quirk): Promise<{ state: Record<string, unknown>; expected: object }> {
  const members: string[] = [];
  for (const name of ["one", "two", "three"]) members.push(await createUser(call, `${name}@members.example`));
  const real = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(placeholder, (_, at: string) => members[Number(at) - 1] ?? "")) as T;
  const endpoint = row.type === "User" ? "/Users" : "/Groups";
  const expected = real(row.expected);
  if (row.method === "POST") {
    const { id } = await expectStatus(call("POST", endpoint, real(row.sent)), 201);
    return { expected, state: await expectStatus(call("GET", `${endpoint}/${id}`), 200) };
  }
  const before = { ...(row.type === "User" ? quirkUser : quirkGroup), ...real(row.given ?? {}) };
  const { id } = await expectStatus(call("POST", endpoint, before), 201);
  const body = row.method === "PUT" ? real(row.sent) : patchOf(...(real(row.sent) as readonly unknown[]));
  const answer = await call(row.method, `${endpoint}/${id}`, body);
  expect([200, 204]).toContain(answer.status);
  return { expected, state: await expectStatus(call("GET", `${endpoint}/${id}`), 200) };
}

/** What the service adds to an expected state: who the resource is, URLs of members in any order, and neither passwords nor empty texts. */
function asShown(name: string, value: unknown): unknown {
  if (name === "password") return null;
  if (name === "id" || name === "meta") return expect.anything();
  if (name === "name") return Object.fromEntries(Object.entries(value as object).filter(([, part]) => part !== ""));
  if (name !== "members" || value === null) return value;
  const members = value as readonly { readonly value: string }[];
  return expect.toSatisfy((found: readonly { readonly value: string }[]) => {
    const ids = members.map((member) => member.value);
    expect(found.map((member) => member.value).toSorted()).toEqual(ids.toSorted());
    for (const { value: id, ...more } of found)
      expect(more).toEqual({ type: "User", $ref: expect.stringMatching(`/Users/${id}$`) });
    return true;
  });
}

forEachStorage((start) => {
  requirement("scim.okta", "the twelve requests of Okta's specification test are answered as it expects", async () => {
    const directory = await startDirectory(start);
    const name = { givenName: "Ann", familyName: "Other" };
    await createUser(directory.call, "ann@example.com", { name, emails: [{ value: "ann@example.com" }] });
    await runOktaTest(directory);
  });

  requirement("scim.me", "a client is no user: /Me is 501", async () => {
    const { call } = await startDirectory(start);
    for (const method of ["GET", "PUT", "PATCH", "DELETE", "POST"]) await expectStatus(call(method, "/Me"), 501);
  });

  describe.each(quirks)("$sender $method $type", (row) => {
    requirement("scim.senders", row.name, async () => {
      const { call } = await startDirectory(start);
      const { expected, state } = await sendQuirk(call, row);
      for (const [name, value] of Object.entries(expected))
        expect([name, state[name] ?? null]).toEqual([name, asShown(name, value)]);
    });
  });
});
