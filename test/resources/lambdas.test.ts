import { describe, expect } from "vitest";
import { lambdaTypeAliases, lambdaTypeNames } from "../../src/availability/lambda-types.js";
import { lambdaFamily } from "../../src/records/lambdas/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { bodyOf, makeLambda, postLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/lambda";
const defaults = { debug: false, enabled: true, engineType: "GraalJS" };

forEachStorage((start) => {
  describe("making lambdas", () => {
    requirement(["lambda.fields", "lambda.enabled"], "shows the defaults and every field that is given", async () => {
      const world = await start();
      const { caller, clock } = world;
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      const least = { name: "Bare", body: "function populate(jwt) {\r\n}\u2028", type: "JWTPopulate" };
      const bare = expectOk(await caller.post(`${path}/${uuid(1)}`, { lambda: least }));
      expect(bare.body).toEqual({ lambda: { ...defaults, ...least, ...instants, id: uuid(1) } });
      const own = { ...least, debug: true, enabled: false, engineType: "GraalJS" };
      const full = expectOk(await caller.post(`${path}/${uuid(2)}`, { lambda: own }));
      expect(full.body).toEqual({ lambda: { ...own, ...instants, id: uuid(2) } });
      for (const made of [bare, full]) expect((await caller.get(`${path}/${made.textAt("lambda.id")}`)).text).toBe(made.text);
      expect((await world.identity.lambdas.retrieve({ lambdaId: uuid(2) })).lambda).toEqual(full.at("lambda"));
    });

    requirement("lambda.required", "needs a name, a body and a type, and says so of all at once", async () => {
      const { caller } = await start();
      const codes = ["[blank]lambda.name", "[blank]lambda.body", "[missing]lambda.type"];
      for (const lambda of [{}, { name: null, body: null, type: null }, { name: " ", body: "" }, { name: "", body: "\n\t" }])
        expectRefusal(await caller.post(path, { lambda }), 400, ...codes);
      expectRefusal(await caller.post(path, {}), 400, "[missing]lambda");
      const wrong = { name: "n".repeat(192), body: 7, type: "Populate", engineType: "V8", debug: "no", enabled: 1 };
      expectRefusal(
        await caller.post(path, { lambda: wrong }),
        400,
        "[invalidJSON]lambda.body",
        "[invalidJSON]lambda.debug",
        "[invalidJSON]lambda.enabled",
        "[invalidOption]lambda.engineType",
        "[invalidOption]lambda.type",
        "[tooLong]lambda.name",
      );
    });

    requirement("lambda.names", "takes one name for several lambdas", async () => {
      const world = await start();
      await makeLambda(world);
      await makeLambda(world, "LoginValidation");
      expect((await world.caller.get(path)).each("lambdas", "name")).toEqual(["Lambda", "Lambda"]);
    });

    requirement(
      ["lambda.types", "lambda.scim-names"],
      "takes every type by either name, and shows the name that was sent",
      async () => {
        const world = await start();
        expect(lambdaTypeNames).toHaveLength(27 + 4);
        for (const type of lambdaTypeNames) expect(expectOk(await postLambda(world, type)).at("lambda.type")).toBe(type);
      },
    );

    requirement("lambda.function", "wants the function of the type, by the same one for both names", async () => {
      const world = await start();
      for (const [alias, type] of Object.entries(lambdaTypeAliases))
        expect(bodyOf(alias as keyof typeof lambdaTypeAliases)).toBe(bodyOf(type));
      for (const type of lambdaTypeNames) {
        const other = bodyOf(type).startsWith("function populate") ? bodyOf("LoginValidation") : bodyOf("JWTPopulate");
        expectRefusal(await postLambda(world, type, { body: other }), 400, "[invalid]lambda.body");
      }
    });
  });

  describe("lambdas that are there", () => {
    requirement("lambda.type-fixed", "keep their type through PUT and PATCH", async () => {
      const world = await start();
      const { caller } = world;
      const type = "SCIMServerUserRequestConverter";
      const own = `${path}/${await makeLambda(world, type)}`;
      const body = bodyOf(type);
      for (const wanted of [undefined, null, "JWTPopulate", "SCIMUserRequestConverter", "Nothing", 7, []]) {
        const put = expectOk(await caller.put(own, { lambda: { name: "New", body, type: wanted } }));
        expect(put.at("lambda")).toMatchObject({ name: "New", type });
        expect(expectOk(await caller.patch(own, { lambda: { type: wanted } })).at("lambda.type")).toBe(type);
        expect(expectOk(await caller.mergePatch(own, { lambda: { type: wanted ?? null } })).at("lambda.type")).toBe(type);
      }
      const edits = [{ op: "replace", path: "/lambda/type", value: "JWTPopulate" }];
      expect(expectOk(await caller.jsonPatch(own, edits)).at("lambda.type")).toBe(type);
      expect(expectOk(await caller.jsonPatch(own, [{ op: "remove", path: "/lambda/type" }])).at("lambda.type")).toBe(type);
      const other = { name: "New", body: bodyOf("JWTPopulate"), type: "JWTPopulate" };
      expectRefusal(await caller.put(own, { lambda: other }), 400, "[invalid]lambda.body");
    });

    requirement("lambda.patch", "are checked as a whole after PATCH", async () => {
      const world = await start();
      const { caller } = world;
      const own = `${path}/${await makeLambda(world, "JWTPopulate", { debug: true })}`;
      const before = (await caller.get(own)).at("lambda") as object;
      const patched = expectOk(await caller.patch(own, { lambda: { name: "Patched" } }));
      expect(patched.at("lambda")).toEqual({ ...before, name: "Patched" });
      for (const body of ["function populate(", "function convert() {}"])
        expectRefusal(await caller.patch(own, { lambda: { body } }), 400, "[invalid]lambda.body");
      for (const field of ["name", "body"])
        expectRefusal(await caller.mergePatch(own, { lambda: { [field]: null } }), 400, `[blank]lambda.${field}`);
      expect((await caller.get(own)).text).toBe(patched.text);
      expect(expectOk(await caller.patch(own, { lambda: { debug: null } })).at("lambda.debug")).toBe(false);
    });

    requirement("lambda.list", "are listed in order of name, all or those of one type", async () => {
      const world = await start();
      expect((await world.caller.get(path)).text).toBe('{"lambdas":[]}');
      await makeLambda(world, "SCIMGroupRequestConverter", { name: "beta" });
      await makeLambda(world, "JWTPopulate", { name: "Gamma" });
      await makeLambda(world, "SCIMServerGroupRequestConverter", { name: "Alpha" });
      const names = async (query: string): Promise<unknown[]> =>
        expectOk(await world.caller.get(path + query)).each("lambdas", "name");
      for (const query of ["", "?", "?type=", "?name=beta"]) expect(await names(query)).toEqual(["Alpha", "beta", "Gamma"]);
      expect(await names("?type=JWTPopulate")).toEqual(["Gamma"]);
      expect(await names("?type=LoginValidation")).toEqual([]);
      for (const type of ["SCIMGroupRequestConverter", "SCIMServerGroupRequestConverter"])
        expect(await names(`?type=${type}`)).toEqual(["Alpha", "beta"]);
      for (const type of ["jwtpopulate", "Nothing", "constructor", "JWTPopulate,LoginValidation"])
        expectRefusal(await world.caller.get(`${path}?type=${type}`), 400, "[couldNotConvert]type");
      expect((await world.identity.lambdas.list({ type: "JWTPopulate" })).lambdas.map((lambda) => lambda.name)).toEqual([
        "Gamma",
      ]);
    });

    requirement("lambda.delete", "are gone when they are removed", async () => {
      const world = await start();
      const own = `${path}/${await makeLambda(world)}`;
      expectEmpty(await world.caller.delete(own), 200);
      expectEmpty(await world.caller.get(own), 404);
      expect((await world.caller.get(path)).text).toBe('{"lambdas":[]}');
    });

    requirement("lambda.access", "are for global keys only, and no tenant header", async () => {
      const world = await start();
      const id = await makeLambda(world);
      const bound = await callerOfTenant(world, world.defaultTenantId);
      const strangers = [
        bound,
        bound.inTenant(world.defaultTenantId),
        world.caller.inTenant(world.defaultTenantId),
        world.as("no-key"),
      ];
      for (const { method, path: route } of lambdaFamily.routes)
        for (const stranger of strangers)
          expectEmpty(await stranger.send(method, route.replace(":lambdaId", id), method === "GET" ? undefined : {}), 401);
    });
  });
});
