import { ClientError, createClient, unwrap } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { expect, vi } from "vitest";
import { forEachWay } from "../support/client.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld, uuid, type World } from "../support/world.js";

async function startWithGroups(count: number): Promise<World> {
  const world = await startWorld(memoryStorage());
  for (let number = 0; number < count; number++)
    await world.identity.groups.create({ group: { name: `Group ${String(number).padStart(3, "0")}` } });
  return world;
}

const namesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => `Group ${String(number).padStart(3, "0")}`);

forEachWay((connect) => {
  requirement("client.search-all", "a loop gets each record once and in order, however large the pages are", async () => {
    const client = await connect(await startWithGroups(23));
    for (const numberOfResults of [1, 7, 23, 100]) {
      const names: string[] = [];
      for await (const { name } of client.groups.searchAll({ search: { numberOfResults, orderBy: "name" } })) names.push(name);
      expect(names).toEqual(namesOf(23));
    }
    const all: string[] = [];
    for await (const group of client.groups.searchAll()) all.push(group.name);
    expect(all).toEqual(namesOf(23));
  });

  requirement("client.search-all", "pages come as they are answered", async () => {
    const client = await connect(await startWithGroups(5));
    const pages: unknown[] = [];
    for await (const { groups, total } of client.groups.searchAll({ search: { name: "group", numberOfResults: 2 } }).pages())
      pages.push([groups.length, total]);
    expect(pages).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
    ]);
  });

  requirement("client.search-all", "criteria, page size zero and another begin are the search's own", async () => {
    const client = await connect(await startWithGroups(4));
    const none: unknown[] = [];
    for await (const group of client.groups.searchAll({ search: { numberOfResults: 0 } })) none.push(group);
    expect(none).toEqual([]);
    const search = { numberOfResults: 1, orderBy: "name" };
    const { nextResults = "" } = unwrap(await client.groups.search({ search }));
    const rest: string[] = [];
    for await (const group of client.groups.searchAll({ search: { ...search, nextResults } })) rest.push(group.name);
    expect(rest).toEqual(namesOf(4).slice(1));
  });
});

requirement("client.search-all", "a loop that is left asks for no further page, and can be begun again", async () => {
  const { identity } = await startWithGroups(5);
  const inject = vi.fn(identity.inject);
  const client = createClient({ inject, apiKey: bootstrapKey });
  const found = client.groups.searchAll({ search: { numberOfResults: 2 } });
  expect(inject).not.toHaveBeenCalled();
  let count = 0;
  for await (const group of found) {
    expect(group.name).toMatch(/^Group/);
    if (++count === 3) break;
  }
  expect(inject).toHaveBeenCalledTimes(2);
  for await (const _group of found) count++;
  expect([count, inject.mock.calls.length]).toEqual([8, 5]);
});

requirement("client.search-all", "a page that fails is thrown, after what came before", async () => {
  const { identity } = await startWithGroups(4);
  let pages = 0;
  const failing: typeof identity.inject = async (request) =>
    ++pages === 2 ? { status: 503, headers: {}, body: "" } : identity.inject(request);
  const client = createClient({ inject: failing, apiKey: bootstrapKey, retry: false });
  const seen: string[] = [];
  const loop = async (): Promise<void> => {
    for await (const { name } of client.groups.searchAll({ search: { numberOfResults: 2 } })) seen.push(name);
  };
  await expect(loop()).rejects.toThrow(ClientError);
  expect(seen).toEqual(namesOf(2));
  const refused = client.groupMembers
    .searchAll({ search: { groupId: "no id" } })
    [Symbol.asyncIterator]()
    .next();
  await expect(refused).rejects.toMatchObject({ status: 400, code: "[couldNotConvert]groupId" });
});

requirement("client.search-all", "records of every family with a search are found", async () => {
  const world = await startWithGroups(1);
  const client = createClient({ inject: world.identity.inject, apiKey: bootstrapKey });
  unwrap(await client.users.create({ userId: uuid(1), user: { email: "ana@example.com" } }));
  unwrap(await client.entityTypes.create({ entityType: { name: "Service" } }));
  const firstOf = async <Item>(found: AsyncIterable<Item>): Promise<Item | undefined> => {
    for await (const item of found) return item;
    return undefined;
  };
  expect((await firstOf(client.users.searchAll({ search: { queryString: "*" } })))?.id).toBe(uuid(1));
  expect((await firstOf(client.entityTypes.searchAll()))?.name).toMatch(/\w/);
  expect((await firstOf(client.tenants.searchAll()))?.name).toBe("Default");
});
