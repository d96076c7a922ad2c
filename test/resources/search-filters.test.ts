import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { makeNamed, namedFamilies, searchBoth } from "../support/search.js";
import { forEachStorage } from "../support/world.js";

forEachStorage((start) => {
  describe.each(namedFamilies)("$name", (family) => {
    /** The names that each filter finds, in order. */
    async function expectFinds(names: readonly string[], finds: readonly (readonly [filter: string, string[]])[]): Promise<void> {
      const world = await start();
      await makeNamed(world, family, names);
      for (const [filter, expected] of finds) {
        const answer = expectOk(await searchBoth(world, family.path, { name: filter }));
        expect({ filter, names: answer.each(family.name, "name"), total: answer.at("total") }).toEqual({
          filter,
          names: expected,
          total: expected.length,
        });
      }
    }

    requirement("search.contains", "finds names that contain a filter without a star", async () => {
      await expectFinds(
        ["Alpha beta", "beta", "gamma"],
        [
          ["beta", ["Alpha beta", "beta"]],
          ["a b", ["Alpha beta"]],
          ["mm", ["gamma"]],
          ["delta", []],
        ],
      );
    });

    requirement("search.wildcards", "anchors a filter with stars at both ends", async () => {
      await expectFinds(
        ["abc", "abcd", "xabc", "aXc"],
        [
          ["abc*", ["abc", "abcd"]],
          ["*abc", ["abc", "xabc"]],
          ["a*c", ["abc", "aXc"]],
          ["*b*d", ["abcd"]],
          ["*", ["abc", "abcd", "aXc", "xabc"]],
          ["a*b*c*d", ["abcd"]],
          ["abc*abc", []],
        ],
      );
    });

    requirement("search.literal-star", "takes two stars as one literal star, without which the filter is anchored", async () => {
      await expectFinds(
        ["a*b", "xa*bx", "aXb"],
        [
          ["a**b", ["a*b"]],
          ["*a**b*", ["a*b", "xa*bx"]],
          ["a*b", ["a*b", "aXb"]],
          ["**", []],
        ],
      );
    });

    requirement("search.literals", "takes the wildcards and escapes of databases literally", async () => {
      await expectFinds(
        ["100%", "1000", "a_b", "aXb", "c\\d", "[e]", "e"],
        [
          ["100%", ["100%"]],
          ["100%*", ["100%"]],
          ["a_b", ["a_b"]],
          ["a_*", ["a_b"]],
          ["c\\d", ["c\\d"]],
          ["c\\*", ["c\\d"]],
          ["[e]*", ["[e]"]],
          ["'", []],
          ['"; drop table', []],
        ],
      );
    });

    requirement("search.trimmed", "trims filters, and filters nothing with an empty one", async () => {
      await expectFinds(
        ["one", "two"],
        [
          ["  one\t", ["one"]],
          ["", ["one", "two"]],
          ["   ", ["one", "two"]],
        ],
      );
    });

    requirement("search.case", "ignores case, in every alphabet", async () => {
      await expectFinds(
        ["Ärzte", "ΣΊΣΥΦΟΣ", "straße", "Жук", "ASCII"],
        [
          ["äRZ", ["Ärzte"]],
          ["σίσυφος", ["ΣΊΣΥΦΟΣ"]],
          ["STRAẞE", ["straße"]],
          ["ж*", ["Жук"]],
          ["ascii", ["ASCII"]],
        ],
      );
    });

    requirement("search.bad-criteria", "refuses criteria of a wrong type, too long or with too many stars", async () => {
      const { caller } = await start();
      for (const name of [7, true, {}, ["x"]])
        expectRefusal(await caller.post(`${family.path}/search`, { search: { name } }), 400, "[invalidJSON]name");
      expectRefusal(await caller.post(`${family.path}/search`, { search: { name: "x".repeat(1_001) } }), 400, "[tooLong]name");
      expectRefusal(await caller.post(`${family.path}/search`, { search: { name: "a*".repeat(17) } }), 400, "[invalid]name");
      for (const search of [7, "x", [], true])
        expectRefusal(await caller.post(`${family.path}/search`, { search }), 400, "[invalidJSON]search");
    });

    requirement("errors.not-an-object", "refuses a body that is no object", async () => {
      const { caller } = await start();
      for (const text of ["[]", "7", '"text"', "true"])
        expectRefusal(await caller.post(`${family.path}/search`, text), 400, "[invalidJSON]");
    });

    requirement("search.get-and-post", "takes no criteria at all as the defaults", async () => {
      const world = await start();
      await makeNamed(world, family, ["one", "two"]);
      const { text } = expectOk(await world.caller.get(`${family.path}/search`));
      for (const body of [undefined, {}, { search: null }, { search: {} }, { search: { unknown: null } }])
        expect((await world.caller.post(`${family.path}/search`, body)).text).toBe(text);
    });

    requirement("search.unknown", "refuses a criterion that it does not know where there is no other", async () => {
      const world = await start();
      await makeNamed(world, family, ["one", "two"]);
      const search = (criteria: object) => world.caller.post(`${family.path}/search`, { search: criteria });
      expectRefusal(await search({ nmae: "one", numberOfResults: 5 }), 400, "[unknown]search.nmae");
      expect(expectOk(await search({ nmae: "one", name: "one" })).at("total")).toBe(1);
    });
  });
}, embeddedPostgres());
