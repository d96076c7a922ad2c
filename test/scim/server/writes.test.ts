// What a write changes, and what it leaves alone: sessions, members, and changes of others at the same time.
import { describe, expect, vi } from "vitest";
import { expectOk } from "../../support/answer.js";
import { arrangeLogin, ids, logIn } from "../../support/logins.js";
import { isLong } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import { startWorld, type World } from "../../support/world.js";
import { countRows, type RowCounts } from "../support/count-rows.js";
import {
  createGroup,
  createUser,
  type Directory,
  expectStatus,
  groupSchema,
  membersOf,
  patchOf,
  startDirectory,
} from "../support/directory.js";
import { forEachStorageInFull } from "../support/storages.js";

if (isLong) vi.setConfig({ testTimeout: 300_000 });

const memberOf = (value: string) => ({ op: "add", path: "members", value: [{ value }] });
const without = (value: string) => ({ op: "remove", path: `members[value eq "${value}"]` });

const deactivations: readonly (readonly [name: string, send: (call: Directory["call"], path: string) => Promise<unknown>])[] = [
  ["PATCH", (call, path) => expectStatus(call("PATCH", path, patchOf({ op: "replace", value: { active: false } })), 200)],
  ["PUT", (call, path) => expectStatus(call("PUT", path, { userName: "Ann", active: false }), 200)],
  ["DELETE", (call, path) => expectStatus(call("DELETE", path), 204)],
];

forEachStorageInFull(isLong, (start) => {
  describe.each(deactivations)("deactivation by %s", (_name, send) => {
    requirement("scim.deactivate", "revokes the refresh tokens of the user", async () => {
      const { call, world } = await startDirectory(start);
      await arrangeLogin(world);
      const { refreshToken, token } = await logIn(world);
      await send(call, `/Users/${ids.user}`);
      expect((await world.caller.post("/api/jwt/refresh", { refreshToken, token })).status).toBeGreaterThanOrEqual(400);
      expect(
        (await world.caller.post("/api/login", { loginId: "Ann", password: "x", applicationId: ids.application })).status,
      ).not.toBe(200);
    });
  });

  requirement("scim.deactivate", "deactivation that fails with another operation revokes nothing", async () => {
    const { call, world } = await startDirectory(start);
    await arrangeLogin(world);
    const { refreshToken, token } = await logIn(world);
    const bad = patchOf({ op: "replace", value: { active: false } }, { op: "replace", path: "userName", value: " " });
    await expectStatus(call("PATCH", `/Users/${ids.user}`, bad), 400);
    expectOk(await world.caller.post("/api/jwt/refresh", { refreshToken, token }));
    expect((await expectStatus(call("GET", `/Users/${ids.user}`), 200)).active).toBe(true);
  });

  requirement("scim.concurrent", "changes of different attributes at the same time all survive", async () => {
    const { call } = await startDirectory(start);
    const id = await createUser(call, "ann");
    const names = ["title", "displayName", "nickName", "userType", "locale", "profileUrl", "externalId", "timezone"];
    const values: Record<string, string> = { locale: "en-US", timezone: "Europe/Berlin" };
    const send = (name: string) =>
      call("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: name, value: values[name] ?? name }));
    for (const answer of await Promise.all(names.map(send))) await expectStatus(answer, 200);
    const user = await expectStatus(call("GET", `/Users/${id}`), 200);
    expect(names.map((name) => user[name])).toEqual(names.map((name) => values[name] ?? name));
  });

  requirement("scim.concurrent", "changes of members at the same time all survive", async () => {
    const { call } = await startDirectory(start);
    const users = [];
    for (const name of ["a", "b", "c", "d", "e", "f"]) users.push(await createUser(call, name));
    const id = await createGroup(call, "Crew", users.slice(0, 2));
    const changes = [
      ...users.slice(2).map(memberOf),
      without(users[0] ?? ""),
      { op: "replace", value: { displayName: "Staff" } },
    ];
    for (const answer of await Promise.all(changes.map((one) => call("PATCH", `/Groups/${id}`, patchOf(one)))))
      await expectStatus(answer, 204);
    expect((await membersOf(call, id)).toSorted()).toEqual(users.slice(1).toSorted());
    expect((await expectStatus(call("GET", `/Groups/${id}`), 200)).displayName).toBe("Staff");
  });
});

/** Makes users by import, and returns their ids. */
async function importUsers({ caller, defaultTenantId }: World, count: number): Promise<readonly string[]> {
  const users = Array.from({ length: count }, (_, at) => ({ id: idOf(at), username: `user-${at}` }));
  expectOk(await caller.inTenant(defaultTenantId).post("/api/user/import", { users, validateDbConstraints: false }));
  return users.map(({ id }) => id);
}

const idOf = (at: number): string => `00000000-0000-4000-9000-${String(at).padStart(12, "0")}`;

interface Cost {
  readonly what: string;
  readonly read: number;
  readonly written: number;
}

const sizes = isLong ? ([10, 100_000] as const) : ([10, 3_000] as const);

/** What changes of one member cost in a group with many. */
async function costsOf(size: number): Promise<readonly Cost[]> {
  const { counts, storage } = countRows();
  const { call, world } = await startDirectory((options) => startWorld(storage, options));
  const users = await importUsers(world, size + 2);
  const [one = "", two = "", ...others] = users;
  const id = await createGroup(call, "Crew", others);
  const costs: Cost[] = [];
  const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const before: RowCounts = { ...counts };
    await work();
    costs.push({ what, read: counts.read - before.read, written: counts.written - before.written });
  };
  const patch = (...operations: readonly unknown[]) => expectStatus(call("PATCH", `/Groups/${id}`, patchOf(...operations)), 204);
  await measure("warm", () => patch(memberOf(two)));
  await measure("add", () => patch(memberOf(one)));
  await measure("again", () => patch(memberOf(one)));
  await measure("remove", () => patch(without(one)));
  await measure("Entra's remove", () => patch({ op: "Remove", path: "members", value: [{ value: two }] }));
  await measure("rename", () => patch({ op: "replace", value: { displayName: "Staff" } }));
  await measure("show without members", () => expectStatus(call("GET", `/Groups/${id}?excludedAttributes=members`), 200));
  const body = { schemas: [groupSchema], displayName: "Staff", members: [...others, one].map((value) => ({ value })) };
  const before = counts.written;
  await expectStatus(call("PUT", `/Groups/${id}`, body), 200);
  costs.push({ what: "put", read: 0, written: counts.written - before });
  expect((await membersOf(call, id)).length).toBe(size + 1);
  return costs;
}

requirement("scim.large-groups", "a change of one member costs the same in a large group as in a small one", async () => {
  const [few, many] = [await costsOf(sizes[0]), await costsOf(sizes[1])];
  for (const [at, { what, read, written }] of many.entries()) {
    expect([what, written]).toEqual([what, few[at]?.written]);
    // Settings of the tenant and the caller are read again now and then.
    expect([what, read - (few[at]?.read ?? 0) <= 10, read < 40, written < 20]).toEqual([what, true, true, true]);
  }
});
