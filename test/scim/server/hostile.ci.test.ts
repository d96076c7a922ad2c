// Hostile requests: each is refused or bounded, none is a 500, and nothing secret is written anywhere.
import { memoryStorage } from "latchkey/memory";
import { describe, expect, vi } from "vitest";
import { maxShown } from "../../../adapters/scim/groups/members.js";
import { showGroups } from "../../../adapters/scim/groups/show-groups.js";
import type { TypeCall } from "../../../adapters/scim/server/call.js";
import { toApiResponse } from "../../../adapters/scim/server/responses.js";
import { readLog } from "../../support/lambda-runs.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, startWorld } from "../../support/world.js";
import {
  callWith,
  createGroup,
  createUser,
  expectStatus,
  listPath,
  membersOf,
  patchOf,
  refusalOf,
  startDirectory,
} from "../support/directory.js";

vi.setConfig({ testTimeout: 300_000 });

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const inUser = (member: string): string => `{"userName":"ann",${member}}`;

/** Bodies that are refused, and the status. */
const bodies: readonly (readonly [name: string, body: string])[] = [
  ["no JSON", "{"],
  ["names in two cases", '{"userName":"a","username":"b"}'],
  ["__proto__", inUser('"__proto__":{"active":false}')],
  ["__proto__ inside", inUser('"name":{"__proto__":{"givenName":"x"}}')],
  ["65 levels", inUser(`"name":${deep(65)}`)],
  ["10,001 emails", inUser(`"emails":[${Array.from({ length: 10_001 }, (_, at) => `"${at}@x.example"`).join(",")}]`)],
  ["10,001 schemas", `{"userName":"a","schemas":[${Array.from({ length: 10_001 }, () => '"urn:x"').join(",")}]}`],
  ["NUL", inUser('"title":"a\\u0000b"')],
  ["NUL in the name", '{"userName":"a\\u0000b"}'],
  ["a lone surrogate", inUser('"title":"\\ud800"')],
  ["a lone surrogate in the name", '{"userName":"\\udfff"}'],
  ["a long name", `{"userName":"${"a".repeat(100_000)}"}`],
  ["a user of 2 MiB", inUser(`"title":"${"x".repeat(2 ** 21)}"`)],
];

/** Paths of attributes that reach for prototypes, or are long. */
const paths: readonly string[] = [
  "__proto__",
  "__proto__.x",
  "constructor.prototype.x",
  "toString",
  "name.__proto__",
  'emails[__proto__ eq "x"].value',
  "a".repeat(5_000),
  `${"(".repeat(2_000)}`,
  `emails[${"(".repeat(40)}type pr${")".repeat(40)}]`,
  `emails[type eq "${"x".repeat(5_000)}"]`,
  "emails\u0000",
  "\ud800",
  "urn:".repeat(1_000),
  'emails[type eq "a\\"]',
  "name..x",
  ".",
];

const filters: readonly string[] = [
  "__proto__ pr",
  'constructor eq "x"',
  "name.__proto__ pr",
  `${"(".repeat(33)}title pr${")".repeat(33)}`,
  `${"not (".repeat(40)}title pr${")".repeat(40)}`,
  Array.from({ length: 500 }, () => "title pr").join(" or "),
  'title eq "\\ud800',
  `title eq "${"x".repeat(5_000)}"`,
  "title[",
  "\u0000",
  "title eq \u0000",
];

const odd: readonly string[] = [
  "/Users/%",
  "/Users/%00",
  "/Users/%ED%A0%80",
  "/Users/..%2f..",
  "/Users/__proto__",
  "/__proto__",
  "/constructor",
  "/Users/constructor",
  "/Schemas/%",
  "/Schemas/%E0%A4%A",
  `/Users/${"a".repeat(10_000)}`,
  `/${"a/".repeat(5_000)}`,
  "/Users?filter=%",
  "/Users?filter=%00",
  "/Users?attributes=__proto__,constructor",
  "/Users?sortBy=__proto__",
  `/Users?attributes=${"a,".repeat(5_000)}`,
  "/Users?count=1&count=2",
  "/Users?excludedAttributes=%ED%A0%80",
];

forEachStorage((start) => {
  requirement("scim.hostile", "bodies that are too deep, too long or none are refused, and nothing is stored", async () => {
    const { call } = await startDirectory(start);
    for (const [name, body] of bodies)
      for (const path of ["/Users", "/EnterpriseUsers"]) {
        const { status } = await call("POST", path, body);
        expect([name, status === 400 || status === 413]).toEqual([name, true]);
      }
    expect((await expectStatus(call("GET", "/Users"), 200)).totalResults).toBe(0);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  requirement("scim.hostile", "the same within PATCH and bulk changes nothing", async () => {
    const { call } = await startDirectory(start);
    const id = await createUser(call, "bob");
    const before = await expectStatus(call("GET", `/Users/${id}`), 200);
    const schemas =
      '"schemas":["urn:ietf:params:scim:api:messages:2.0:BulkRequest","urn:ietf:params:scim:api:messages:2.0:PatchOp"]';
    // Names in two cases are two operations there.
    for (const [name, body] of bodies.filter(([one]) => one !== "names in two cases")) {
      const patched = await call("PATCH", `/Users/${id}`, `{${schemas},"Operations":[{"op":"replace","value":${body}}]}`);
      expect([name, patched.status === 400 || patched.status === 413, patched.text.length < 1_000]).toEqual([name, true, true]);
      const bulk = await call(
        "POST",
        "/Bulk",
        `{${schemas},"Operations":[{"method":"POST","path":"/Users","bulkId":"a","data":${body}}]}`,
      );
      expect([name, bulk.status >= 400 || /^4/.test(bulk.textAt("Operations.0.status"))]).toEqual([name, true]);
    }
    for (const path of paths)
      for (const op of ["add", "replace", "remove"])
        expect([path, op, ...(await refusalOf(call("PATCH", `/Users/${id}`, patchOf({ op, path, value: "x" }))))]).toEqual([
          path,
          op,
          400,
          expect.stringMatching(/^invalid/),
        ]);
    expect(await expectStatus(call("GET", `/Users/${id}`), 200)).toEqual(before);
    expect((await expectStatus(call("GET", "/Users"), 200)).totalResults).toBe(1);
  });

  requirement("scim.hostile", "filters and paths of any form are answered or refused", async () => {
    const { call } = await startDirectory(start);
    await createUser(call, "bob", { title: "x" });
    for (const filter of filters)
      for (const path of ["/Users/.search", "/Groups/.search", "/.search"])
        expect([200, 400]).toContain((await call("POST", path, { filter })).status);
    for (const path of odd)
      expect([200, 400, 404]).toContain((await call("GET", path.includes("%") ? path : `${path}%20`.slice(0, -3))).status);
  });

  requirement("scim.hostile", "records grow to no more than the API accepts, however they are sent", async () => {
    const { call } = await startDirectory(start);
    const id = await createUser(call, "bob");
    const names = ["title", "displayName", "nickName", "userType", "locale", "profileUrl"];
    const statuses: number[] = [];
    for (const name of names)
      statuses.push(
        (await call("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: name, value: "x".repeat(300_000) }))).status,
      );
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    expect(statuses.at(-1)).toBe(413);
    const group = { displayName: "Crew", externalId: "x".repeat(2 ** 21) };
    expect((await call("POST", "/Groups", group)).status).toBe(413);
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"];
    const Operations = [{ method: "POST", path: "/Users", bulkId: "a", data: { userName: "cid", title: "x".repeat(2 ** 21) } }];
    expect((await call("POST", "/Bulk", { schemas, Operations })).textAt("Operations.0.status")).toBe("413");
  });

  requirement("scim.hostile", "the event log has at most 60 entries a minute, none of them with a secret", async () => {
    const { call, token, world } = await startDirectory(start);
    const id = await createUser(call, "bob", { password: "correct horse battery" });
    const secret = "tr0ub4dor-and-3";
    for (let time = 0; time < 70; time++)
      await call("PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { password: `${secret}\u0000` } }));
    await call("PUT", `/Users/${id}`, { userName: "bob", password: 5, undeclared: secret });
    await callWith(world, { authorization: `Bearer ${token}x` })("GET", "/Users");
    const refused = await call("POST", "/Users", { userName: "bob", password: secret });
    // Those of the test before may arrive late, on the same database.
    const isOwn = ({ message }: { readonly message: string }) => message.startsWith("SCIM") && message.includes(id);
    const readEntries = async () => (await readLog(world)).filter(isOwn);
    // Entries are written beside the answer.
    await vi.waitFor(async () => expect(await readEntries()).toHaveLength(60), { timeout: 10_000 });
    const entries = await readEntries();
    for (const { message } of entries) expect(message.length).toBeLessThanOrEqual(2_000);
    const written = JSON.stringify([await readLog(world), world.log, refused.text]);
    for (const hidden of [secret, token, "correct horse", token.split(".")[2] ?? token]) expect(written).not.toContain(hidden);
    world.clock.advance(60_000);
    await call("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: "nothing", value: 1 }));
    const isOfNext = ({ message }: { readonly message: string }) => message.includes("nothing");
    await vi.waitFor(async () => expect((await readEntries()).filter(isOfNext)).toHaveLength(1), { timeout: 10_000 });
    expect(await readEntries()).toHaveLength(61);
  });
});

requirement("scim.large-groups", "as many members as the limit of imports allows are accepted in each verb", async () => {
  const { call, world } = await startDirectory((options) => startWorld(memoryStorage(), options));
  const count = 100_000;
  const users = Array.from({ length: count }, (_, at) => ({
    id: `00000000-0000-4000-9000-${String(at).padStart(12, "0")}`,
    username: `user-${at}`,
  }));
  await world.caller.inTenant(world.defaultTenantId).post("/api/user/import", { users });
  const members = users.map(({ id: value }) => ({ value }));
  const id = await createGroup(
    call,
    "Crew",
    users.map(({ id: value }) => value),
  );
  expect((await membersOf(call, id)).length).toBe(count);
  await expectStatus(
    call("PUT", `/Groups/${id}?excludedAttributes=members`, { displayName: "Crew", members: members.slice(1) }),
    200,
  );
  await expectStatus(
    call("PATCH", `/Groups/${id}`, patchOf({ op: "Remove", path: "members", value: members.slice(0, -1) })),
    204,
  );
  expect(await membersOf(call, id)).toEqual([members.at(-1)?.value]);
  await expectStatus(call("PATCH", `/Groups/${id}`, patchOf({ op: "replace", value: { members } })), 204);
  const shown = await expectStatus(call("GET", listPath("/Users", { filter: `groups.value eq "${id}"`, count: 1 })), 200);
  expect([shown.totalResults, shown.itemsPerPage]).toEqual([count, 1]);
  expect(await refusalOf(call("GET", listPath("/Users", { filter: 'nickName eq "x"' })))).toEqual([400, "tooMany"]);
  expect(await refusalOf(call("GET", "/Users?sortBy=nickName"))).toEqual([400, "tooMany"]);
  expect((await call("GET", listPath("/Users", { filter: 'userName eq "user-5"' }))).status).toBe(200);
});

describe("answers over the limit", () => {
  requirement("scim.too-many", "of 64 MiB are refused by their bytes", () => {
    const answerOf = (text: string) => () => toApiResponse({ status: 200, body: { text } });
    expect(answerOf("ü".repeat(2 ** 24))).not.toThrow();
    expect(answerOf("ü".repeat(2 ** 25))).toThrow(/too long/);
  });

  requirement("scim.too-many", "of groups with many members are refused before they are read", async () => {
    let read = 0;
    const page = { members: Array.from({ length: 10_000 }, (_, at) => ({ userId: `u${at}` })) };
    const search = async () => ({ ...page, total: 100_000, nextResults: ++read % 10 === 0 ? undefined : "next" });
    const group = { id: "g", name: "Crew", data: {}, insertInstant: 0, lastUpdateInstant: 0 };
    const { createResourceTypes } = await import("../../../adapters/scim/schema/schemas.js");
    const types = createResourceTypes({});
    const call = {
      api: { groupMembers: { search } },
      options: {},
      root: "",
      type: types.group,
      tenant: { types, converters: {} },
    };
    await expect(showGroups(call as unknown as TypeCall, Array(100).fill(group), true)).rejects.toMatchObject({
      scimType: "tooMany",
    });
    expect(read * 10_000).toBeLessThanOrEqual(maxShown + 100_000);
  });
});
