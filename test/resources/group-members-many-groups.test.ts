import { globalScope, type Storage, type Transaction } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { groupsTable } from "../../src/records/groups/family.js";
import { expectOk } from "../support/answer.js";
import { startCrowd } from "../support/crowd.js";
import { makeGroup, makeUser } from "../support/families.js";
import { memberPath } from "../support/members.js";
import { makeTenant, readEvents, startWorld, storagesOfRules, uuid, type World } from "../support/world.js";

const calls = new Set(["retrieve", "find", "findIds", "search", "insert", "update", "rewrite", "remove", "savepoint"]);

/** The same, which counts each call that becomes a statement. */
function counting<Target extends object>(target: Target, count: () => void): Target {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        if (calls.has(String(name))) count();
        if (name !== "transaction") return value.apply(of, given);
        const [work, ...rest] = given as [(tx: Transaction) => unknown];
        return value.call(of, (tx: Transaction) => work(counting(tx, count)), ...rest);
      };
    },
  });
}

/** Groups made of one that was made as groups are. */
async function makeGroups({ storage }: World, like: string, ids: readonly string[]): Promise<void> {
  const template = await storage.retrieve(globalScope, groupsTable, like);
  if (template === undefined) throw new Error("There is no group.");
  const records = ids.map((id, index) => ({
    ...template,
    ...{ insertInstant: 0, lastUpdateInstant: 0 },
    id,
    json: template.json.replaceAll(like, id).replace('"Crowd"', `"Crowd ${index}"`),
    columns: { nameFolded: `crowd ${index}` },
  }));
  await storage.transaction((tx) => tx.insert(globalScope, groupsTable, records));
}

const size = 500;
const users = Array.from({ length: size }, (_, index) => uuid(10_000 + index));
const groups = Array.from({ length: size }, (_, index) => uuid(20_000 + index));

/** A service with groups and users, and how many statements a call takes. */
async function start(open: () => Storage) {
  let count = 0;
  const { world, group } = await startCrowd(
    (options) =>
      startWorld(
        counting(open(), () => void count++),
        options,
      ),
    users,
  );
  await makeGroups(world, group, groups);
  const costOf = async (method: "post" | "put" | "delete", members: object): Promise<number> => {
    const before = count;
    const answer = await world.caller[method](memberPath, { members });
    expect(answer.status).toBe(200);
    return count - before;
  };
  return { world, costOf };
}

/** One user for each of the first groups. */
function name<Member>(number: number, toMember: (userId: string) => Member, shift = 0): Record<string, readonly Member[]> {
  return Object.fromEntries(groups.slice(0, number).map((id, at) => [id, [toMember(users[(at + shift) % size] ?? "")]]));
}

describe.each(storagesOfRules())("few members of many groups, on %s", (_name, open) => {
  test("take hardly more statements than of a few groups", async () => {
    const { costOf } = await start(open);
    const costs = async (number: number): Promise<readonly number[]> => [
      await costOf(
        "post",
        name(number, (userId) => ({ userId })),
      ),
      await costOf(
        "post",
        name(number, (userId) => ({ userId, data: { a: 1 } })),
      ),
      await costOf(
        "put",
        name(number, (userId) => ({ userId }), 1),
      ),
      await costOf(
        "delete",
        name(number, (userId) => userId, 1),
      ),
    ];
    const few = await costs(50);
    const many = await costs(size);
    // Sets of 50 pairs, 100 events and 500 records.
    for (const [index, cost] of many.entries()) expect(cost - (few[index] ?? 0)).toBeLessThan(25);
  });

  test("are answered and published as if group by group, in the order of the request", async () => {
    const [together, alone] = [await start(open), await start(open)];
    const shown = (answer: { readonly body: unknown }): unknown =>
      JSON.parse(JSON.stringify(answer.body, (key, value) => (key === "id" ? "" : value)));
    const steps = [
      ["post", name(30, (userId) => ({ userId, data: { a: userId } }))],
      ["post", name(30, (userId) => ({ userId, data: { b: 1 } }))],
      ["put", name(30, (userId) => ({ userId }), 3)],
    ] as const;
    for (const [method, members] of steps) {
      const answer = shown(expectOk(await together.world.caller[method](memberPath, { members })));
      const single: Record<string, unknown> = {};
      for (const [id, list] of Object.entries(members)) {
        const one = expectOk(await alone.world.caller[method](memberPath, { members: { [id]: list } }));
        Object.assign(single, (shown(one) as { readonly members: object }).members);
      }
      expect(answer).toEqual({ members: single });
      expect(Object.keys((answer as { readonly members: object }).members)).toEqual(Object.keys(members));
    }
    await together.world.caller.delete(memberPath, { members: name(30, (userId) => userId, 3) });
    for (const [id, list] of Object.entries(name(30, (userId) => userId, 3)))
      await alone.world.caller.delete(memberPath, { members: { [id]: list } });
    const told = async ({ world }: { readonly world: World }): Promise<readonly string[]> =>
      (await readEvents(world.storage))
        .filter(({ type }) => type.startsWith("group.member"))
        .map(({ members, linkedObjectId, type }) => {
          const data = (members as readonly { data: unknown; userId: string }[]).map((one) => [one.userId, one.data]);
          return JSON.stringify([type, linkedObjectId, data]);
        })
        .toSorted();
    expect(await told(together)).toEqual(await told(alone));
  });

  test("take as few statements where groups of two tenants alternate, and are answered in the order of the request", async () => {
    const { world, costOf } = await start(open);
    const tenantId = await makeTenant(world, "Other");
    const userId = await makeUser(world, tenantId, "other@example.com");
    const others: string[] = [];
    for (let index = 0; index < 60; index++) others.push(await makeGroup(world, tenantId, `Other ${index}`));
    const alternate = (toMember: (userId: string) => object): Record<string, readonly object[]> =>
      Object.fromEntries(
        others.flatMap((id, index) => [
          [groups[index] ?? "", [toMember(users[index] ?? "")]],
          [id, [toMember(userId)]],
        ]),
      );
    for (const method of ["post", "put"] as const) {
      expect(
        await costOf(
          method,
          alternate((id) => ({ userId: id, data: { method } })),
        ),
      ).toBeLessThan(60);
      const { body } = expectOk(await world.caller[method](memberPath, { members: alternate((id) => ({ userId: id })) }));
      const { members } = body as { readonly members: Record<string, readonly { readonly userId: string }[]> };
      const shown = Object.entries(members).map(([id, [member]]) => [id, member?.userId]);
      expect(shown.toSorted()).toEqual(
        Object.entries(alternate((id) => ({ id })))
          .map(([id, [one]]) => [id, (one as { id: string }).id])
          .toSorted(),
      );
    }
    // An id goes from one member to another, of another tenant, in the order of the request.
    const [red = "", blue = "", ann = ""] = [groups[0], others[0], users[0]];
    const id = uuid(77);
    expectOk(await world.caller.put(memberPath, { members: { [red]: [{ userId: ann, id }] } }));
    expectOk(await world.caller.put(memberPath, { members: { [red]: [], [blue]: [{ userId, id }] } }));
  });

  test("are refused as group by group: by the path of each user that is not there, and of the group whose id is taken", async () => {
    const { world } = await start(open);
    const [first = "", second = "", third = ""] = groups;
    const [ann = "", bob = ""] = users;
    const unknown = await world.caller.post(memberPath, {
      members: {
        [first]: [{ userId: ann }],
        [second]: [{ userId: bob }, { userId: uuid(1) }],
        nobody: [],
        [third]: [{ userId: uuid(2) }],
      },
    });
    expect(Object.keys((unknown.body as { readonly fieldErrors: object }).fieldErrors)).toEqual([
      "members.nobody",
      `members[${second}][1].userId`,
      `members[${third}][0].userId`,
    ]);
    const taken = {
      [first]: [{ userId: ann }],
      [second]: [{ userId: ann, id: uuid(7) }],
      [third]: [{ userId: bob, id: uuid(7) }],
    };
    const duplicate = await world.caller.post(memberPath, { members: taken });
    expect(Object.keys((duplicate.body as { readonly fieldErrors: object }).fieldErrors)).toEqual([`members[${third}]`]);
    expect((await world.caller.get(`${memberPath}/search`)).at("total")).toBe(0);
  });
});
