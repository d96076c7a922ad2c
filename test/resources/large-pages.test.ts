import { memoryStorage } from "latchkey/memory";
import type { Filter, Storage } from "latchkey/ports";
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startWorld, uuid } from "../support/world.js";

/** A storage, and of how many users each read of what belongs to them was. */
function counting(inner: Storage): { readonly storage: Storage; readonly sizes: number[] } {
  const sizes: number[] = [];
  const note = (table: string, filter: Filter | undefined): void => {
    if (table === "registrations") sizes.push(filter?.op === "in" ? filter.values.length : 1);
  };
  const find: Storage["find"] = (scope, table, filter, options) => {
    note(table.name, filter);
    return inner.find(scope, table, filter, options);
  };
  const storage = new Proxy(inner, {
    get(target, name) {
      if (name === "find") return find;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { storage, sizes };
}

requirement("search.large-pages", "a large page is presented in steps between which others have their turn", async () => {
  const { sizes, storage } = counting(memoryStorage());
  const world = await startWorld(storage);
  const users = Array.from({ length: 1_100 }, (_, index) => ({ id: uuid(index), username: `user${index}` }));
  expect((await world.caller.post("/api/user/import", { users })).status).toBe(200);
  for (const [numberOfResults, expected] of [
    [25, [25]],
    [250, [250]],
    [1_100, [250, 250, 250, 250, 100]],
  ] as const) {
    sizes.length = 0;
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const search = { queryString: "*", numberOfResults, orderBy: "id" };
    const answer = expectOk(await world.caller.post("/api/user/search", { search }));
    isOver = true;
    expect(sizes).toEqual(expected);
    expect(turns).toBeGreaterThanOrEqual(expected.length - 1);
    const ids = answer.each("users", "id");
    expect(ids).toEqual(users.slice(0, numberOfResults).map(({ id }) => id));
  }
});
