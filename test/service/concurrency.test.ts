import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { makeGroup, makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { readEvents, startWorld, storages, type World } from "../support/world.js";

const everyStorage: typeof storages = [
  ...storages,
  ["a SQLite file", () => sqliteStorage({ filename: `${makeDirectory()}/identity.db` })],
];
const many = Array.from({ length: 200 }, (_, index) => index);

describe.each(everyStorage)("on %s", (_name, open) => {
  const startGroup = async (): Promise<{ world: World; path: string }> => {
    const world = await startWorld(open());
    return { world, path: `/api/group/${await makeGroup(world, world.defaultTenantId, "G")}` };
  };

  requirement("patch.concurrent", "keeps 200 patches of different keys that are made at once", async () => {
    const { world, path } = await startGroup();
    const answers = await Promise.all(
      many.map((index) => world.caller.patch(path, { group: { data: { [`k${index}`]: index } } })),
    );
    answers.forEach(expectOk);
    const expected = Object.fromEntries(many.map((index) => [`k${index}`, index]));
    expect((await world.caller.get(path)).at("group.data")).toEqual(expected);
    expect(await readEvents(world.storage, "group.update")).toHaveLength(200);
  });

  requirement("patch.concurrent", "keeps patches of all three flavours that are made at once", async () => {
    const { world, path } = await startGroup();
    const answers = await Promise.all(
      many.slice(0, 90).map((index) => {
        const key = `k${index}`;
        if (index % 3 === 0) return world.caller.patch(path, { group: { data: { [key]: index } } });
        if (index % 3 === 1) return world.caller.mergePatch(path, { group: { data: { [key]: index } } });
        return world.caller.jsonPatch(path, [{ op: "add", path: `/group/data/${key}`, value: index }]);
      }),
    );
    answers.forEach(expectOk);
    expect(Object.keys((await world.caller.get(path)).at("group.data") as object)).toHaveLength(90);
  });

  requirement("patch.concurrent", "keeps patches of a user's fields and password that are made at once", async () => {
    const world = await startWorld(open());
    const path = `/api/user/${await makeUser(world, world.defaultTenantId, "a@example.com")}`;
    const patches = [
      { password: "a long password" },
      { firstName: "F" },
      { data: { a: 1 } },
      { data: { b: 2 } },
      { lastName: "L" },
    ];
    for (const answer of await Promise.all(patches.map((user) => world.caller.patch(path, { user })))) expectOk(answer);
    const user = (await world.caller.get(path)).at("user");
    expect(user).toMatchObject({
      firstName: "F",
      lastName: "L",
      data: { a: 1, b: 2 },
      passwordLastUpdateInstant: world.clock.instant,
    });
  });

  requirement("etag.if-match", "lets one of many writers with the same tag through", async () => {
    const { world, path } = await startGroup();
    const { etag } = await world.caller.get(path);
    const answers = await Promise.all(
      many.slice(0, 20).map((index) => world.caller.put(path, { group: { name: `G${index}` } }, { "if-match": etag })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 412)).toHaveLength(19);
  });

  requirement("group.name-unique-per-tenant", "makes one of many groups that want the same name at once", async () => {
    const world = await startWorld(open());
    const answers = await Promise.all(
      many.slice(0, 20).map(() => world.caller.post("/api/group", { group: { name: "Wanted" } })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(19);
    expect((await world.caller.get("/api/group")).at("groups")).toHaveLength(1);
  });

  requirement("member.add-again", "makes one membership when many want to add the same user at once", async () => {
    const { world, path } = await startGroup();
    const groupId = path.slice("/api/group/".length);
    const userId = await makeUser(world, world.defaultTenantId, "a@example.com");
    const answers = await Promise.all(
      many.slice(0, 20).map(() => world.caller.post("/api/group/member", { members: { [groupId]: [{ userId }] } })),
    );
    const ids = new Set(answers.map((answer) => expectOk(answer).at(`members.${groupId}.0.id`)));
    expect(ids.size).toBe(1);
    expect((await world.caller.get("/api/group/member/search")).at("total")).toBe(1);
  });
});
