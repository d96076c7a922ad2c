import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { forEachStorage, type World } from "../support/world.js";

const path = "/api/lambda";

/** The names that a search finds, in order. */
async function found(world: World, criteria: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const answer = expectOk(await searchBoth(world, path, criteria));
  const names = answer.each("lambdas", "name");
  expect(answer.at("total")).toBe(names.length);
  return names;
}

forEachStorage((start) => {
  describe("a search of lambdas", () => {
    requirement("lambda.search", "finds by body and name, with stars and without case", async () => {
      const world = await start();
      await makeLambda(world, "JWTPopulate", {
        name: "Names",
        body: "function populate(jwt, user) { jwt.Name = user.fullName; }",
      });
      await makeLambda(world, "JWTPopulate", { name: "Größe", body: "// ÜBER 50%_\nfunction populate(jwt) {}" });
      await makeLambda(world, "LoginValidation", { name: "Nobody" });
      expect(await found(world, {})).toEqual(["Größe", "Names", "Nobody"]);
      expect(await found(world, { body: "JWT.NAME" })).toEqual(["Names"]);
      expect(await found(world, { body: "function*" })).toEqual(["Names", "Nobody"]);
      expect(await found(world, { body: "*jwt*user*fullname*" })).toEqual(["Names"]);
      expect(await found(world, { body: "über 50%_" })).toEqual(["Größe"]);
      expect(await found(world, { body: "validate", name: "n*" })).toEqual(["Nobody"]);
      expect(await found(world, { name: "GRÖSSE" })).toEqual([]);
      expect(await found(world, { name: "größE" })).toEqual(["Größe"]);
      expect(expectOk(await world.caller.post(`${path}/search`)).at("total")).toBe(3);
    });

    requirement(["lambda.search", "lambda.scim-names"], "finds by exact type, by either name of it", async () => {
      const world = await start();
      await makeLambda(world, "SCIMUserResponseConverter", { name: "short" });
      await makeLambda(world, "SCIMServerUserResponseConverter", { name: "long" });
      await makeLambda(world, "UserInfoPopulate", { name: "other" });
      for (const type of ["SCIMUserResponseConverter", "SCIMServerUserResponseConverter"])
        expect(await found(world, { type })).toEqual(["long", "short"]);
      expect(await found(world, { type: "UserInfoPopulate" })).toEqual(["other"]);
      expect(await found(world, { type: "HYPRReconcile" })).toEqual([]);
      expect(await found(world, { type: "" })).toEqual(["long", "other", "short"]);
      for (const type of ["userinfopopulate", "UserInfo*", "Populate", "constructor"])
        expectRefusal(await searchBoth(world, path, { type }), 400, "[couldNotConvert]type");
    });

    requirement("lambda.search-order", "is ordered by name, and by three other fields", async () => {
      const world = await start({ version: "1.48.0" });
      const made: string[] = [];
      for (const [name, engineType] of [
        ["beta", "GraalJS"],
        ["Gamma", "Nashorn"],
        ["Alpha", "GraalJS"],
      ] as const) {
        made.push(await makeLambda(world, "JWTPopulate", { name, engineType }));
        world.clock.advance(1);
      }
      const expected: Readonly<Record<string, string[]>> = {
        name: ["Alpha", "beta", "Gamma"],
        "name DESC": ["Gamma", "beta", "Alpha"],
        insertInstant: ["beta", "Gamma", "Alpha"],
        "engineType DESC, name": ["Gamma", "Alpha", "beta"],
        "engineType, name desc": ["beta", "Alpha", "Gamma"],
      };
      expect(await found(world, {})).toEqual(["Alpha", "beta", "Gamma"]);
      for (const [orderBy, names] of Object.entries(expected))
        expect({ orderBy, names: await found(world, { orderBy }) }).toEqual({ orderBy, names });
      expect((await searchBoth(world, path, { orderBy: "id" })).each("lambdas", "id")).toEqual([...made].sort());
      for (const orderBy of ["type", "body", "debug"])
        expectRefusal(await searchBoth(world, path, { orderBy }), 400, "[invalid]orderBy");
    });
  });
});
