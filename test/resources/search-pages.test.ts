import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { makeNamed, namedFamilies, searchBoth } from "../support/search.js";
import { forEachStorage, uuid } from "../support/world.js";

forEachStorage((start) => {
  describe.each(namedFamilies)("$name", (family) => {
    const numbered = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => `n${String(index).padStart(3, "0")}`);

    requirement(["search.default-order", "search.order-names"], "orders names by code point of their folded form", async () => {
      const world = await start();
      const names = ["b", "A", "_", "ä", "Z", "\u{1F642}", "\uFB00", "10", "9"];
      await makeNamed(world, family, names);
      const expected = ["10", "9", "_", "A", "b", "Z", "ä", "\uFB00", "\u{1F642}"];
      expect((await searchBoth(world, family.path, {})).each(family.name, "name")).toEqual(expected);
      expect((await searchBoth(world, family.path, { orderBy: "name DESC" })).each(family.name, "name")).toEqual(
        expected.toReversed(),
      );
    });

    requirement("search.order", "takes ASC and DESC in any case, and several fields", async () => {
      const world = await start();
      await makeNamed(world, family, ["b"]);
      world.clock.advance(1);
      await makeNamedAgain(world, ["a", "c"]);
      const order = async (orderBy: string): Promise<unknown[]> =>
        expectOk(await searchBoth(world, family.path, { orderBy })).each(family.name, "name");
      expect(await order("name")).toEqual(["a", "b", "c"]);
      expect(await order("name asc")).toEqual(["a", "b", "c"]);
      expect(await order("name   desc")).toEqual(["c", "b", "a"]);
      expect(await order("insertInstant, name Desc")).toEqual(["b", "c", "a"]);
      expect(await order("insertInstant DESC , name ASC")).toEqual(["a", "c", "b"]);
      const ids = expectOk(await searchBoth(world, family.path, { orderBy: "id" })).each(family.name, "id");
      expect(ids).toEqual([...ids].sort());
    });

    async function makeNamedAgain(world: Awaited<ReturnType<typeof start>>, names: readonly string[]): Promise<void> {
      for (const name of names) expectOk(await world.caller.post(family.path, wrap(name)));
    }

    const wrap = (name: string): object => ({ [family.wrapper]: { ...family.needs, name } });

    requirement("search.order-unknown", "refuses an orderBy that it does not know", async () => {
      const world = await start();
      const unknown = [
        "shoeSize",
        "name sideways",
        "name asc asc",
        "name;",
        ",",
        "name,,id",
        "__proto__",
        "constructor",
        "data",
        " ",
      ];
      for (const orderBy of [...unknown, "x".repeat(1_001)])
        expectRefusal(await searchBoth(world, family.path, { orderBy }), 400, "[invalid]orderBy");
      for (const orderBy of [7, {}, ["name"]])
        expectRefusal(await world.caller.post(`${family.path}/search`, { search: { orderBy } }), 400, "[invalid]orderBy");
    });

    requirement(["search.page", "search.total"], "returns pages of 25 by default, and counts all matches", async () => {
      const world = await start();
      const names = numbered(30);
      await makeNamed(world, family, names);
      const page = async (criteria: object): Promise<unknown> => {
        const answer = expectOk(await searchBoth(world, family.path, { ...criteria }));
        return [answer.each(family.name, "name"), answer.at("total")];
      };
      expect(await page({})).toEqual([names.slice(0, 25), 30]);
      expect(await page({ startRow: 25 })).toEqual([names.slice(25), 30]);
      expect(await page({ startRow: 10, numberOfResults: 3 })).toEqual([names.slice(10, 13), 30]);
      expect(await page({ startRow: 30 })).toEqual([[], 30]);
      expect(await page({ numberOfResults: 0 })).toEqual([[], 30]);
      expect(await page({ numberOfResults: 10_000 })).toEqual([names, 30]);
      expect(await page({ name: "n00*", numberOfResults: 4 })).toEqual([names.slice(0, 4), 10]);
    });

    requirement("search.page-limits", "refuses pages outside of the limits", async () => {
      const world = await start();
      for (const numberOfResults of [-1, 10_001]) {
        const answer = await searchBoth(world, family.path, { numberOfResults });
        expectRefusal(answer, 400, "[invalid]numberOfResults");
      }
      expectRefusal(await searchBoth(world, family.path, { startRow: -1 }), 400, "[invalid]startRow");
      const words = { numberOfResults: "many", startRow: "1.5" };
      expectRefusal(
        await searchBoth(world, family.path, words),
        400,
        "[couldNotConvert]numberOfResults",
        "[couldNotConvert]startRow",
      );
      expectRefusal(
        await world.caller.post(`${family.path}/search`, { search: { numberOfResults: {}, startRow: [1] } }),
        400,
        "[couldNotConvert]numberOfResults",
        "[couldNotConvert]startRow",
      );
    });

    requirement("search.next-results", "walks all rows once by nextResults, also while rows come and go", async () => {
      const world = await start();
      const names = numbered(20);
      await makeNamed(world, family, names);
      for (const orderBy of ["name DESC", "insertInstant, name", "id"]) {
        const seen: unknown[] = [];
        let nextResults: unknown = "";
        for (let pages = 0; nextResults !== undefined && pages < 10; pages++) {
          const answer = expectOk(await searchBoth(world, family.path, { orderBy, numberOfResults: 6, nextResults }));
          seen.push(...answer.each(family.name, "name"));
          expect(answer.at("total")).toBe(20);
          nextResults = answer.at("nextResults");
        }
        expect(seen).toHaveLength(20);
        expect([...seen].sort()).toEqual(names);
      }
    });

    requirement("search.next-results", "refuses a token that is not its own or of another search", async () => {
      const world = await start();
      await makeNamed(world, family, numbered(5));
      const first = expectOk(await searchBoth(world, family.path, { numberOfResults: 2 }));
      const nextResults = first.textAt("nextResults");
      expectOk(await searchBoth(world, family.path, { numberOfResults: 1, nextResults }));
      const foreign = [
        { nextResults: "nonsense" },
        { nextResults: "W10" },
        { nextResults, name: "n" },
        { nextResults, orderBy: "id" },
      ];
      for (const criteria of foreign) expectRefusal(await searchBoth(world, family.path, criteria), 400, "[invalid]nextResults");
      for (const token of [7, {}, []])
        expectRefusal(
          await world.caller.post(`${family.path}/search`, { search: { nextResults: token } }),
          400,
          "[invalid]nextResults",
        );
    });

    requirement("search.fresh", "sees what was acknowledged before", async () => {
      const world = await start();
      await makeNamed(world, family, ["first"]);
      await makeNamedAgain(world, ["second"]);
      const found = await searchBoth(world, family.path, { name: "second" });
      expect(found.at("total")).toBe(1);
      const id = (found.at(family.name) as { readonly id: string }[])[0]?.id;
      expectOk(await world.caller.patch(`${family.path}/${id}`, wrap("third")));
      expect((await searchBoth(world, family.path, { name: "second" })).at("total")).toBe(0);
      expect((await searchBoth(world, family.path, { name: "third" })).at("total")).toBe(1);
    });
  });

  describe("groups of the same instant", () => {
    requirement("search.order-ties", "are ordered by id, so that pages never overlap", async () => {
      const world = await start();
      const [, , groups] = namedFamilies;
      if (groups === undefined) throw new Error("There are groups.");
      const ids = [uuid(5), uuid(3), uuid(9), uuid(1)];
      await makeNamed(world, groups, ["a", "b", "c", "d"], ids);
      for (const orderBy of ["insertInstant", "insertInstant DESC", "tenant"]) {
        const pages = await Promise.all(
          [0, 1, 2, 3].map((startRow) => searchBoth(world, "/api/group", { orderBy, startRow, numberOfResults: 1 })),
        );
        expect(pages.map((page) => page.textAt("groups.0.id"))).toEqual([...ids].sort());
      }
    });
  });
});
