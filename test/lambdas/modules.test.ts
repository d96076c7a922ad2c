import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { addRunRoutes, makePopulate, run, withLambdas } from "../support/lambda-runs.js";
import { messageAt } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

addRunRoutes();

const post = (world: World, fields: object): Promise<Answer> =>
  world.caller.post("/api/lambda", { lambda: { name: "M", ...fields } });

const makeModule = async (world: World, body: string, fields: object = {}): Promise<string> =>
  expectOk(await post(world, { type: "Module", body, ...fields })).textAt("lambda.id");

const change = async (world: World, lambdaId: string, lambda: object): Promise<Answer> =>
  expectOk(await world.caller.mergePatch(`/api/lambda/${lambdaId}`, { lambda }));

const answerOf = async (world: World, lambdaId: string): Promise<unknown> =>
  expectOk(await run(world.caller, lambdaId)).at("jwt.answer");

forEachStorage((start) => {
  describe("modules of lambdas", () => {
    requirement("lambda.modules", "are required by name, run once and may require others", async () => {
      const world = await start(withLambdas({}));
      const words = await makeModule(world, "exports.join = (all) => all.join('-');\n// a comment at the end");
      const text = await makeModule(
        world,
        `const { join } = require("words"); let runs = 0; runs++;
         module.exports = { slug: (value) => join(value.toLowerCase().split(" ")), runs };`,
        { modules: [{ name: "words", lambdaId: words }] },
      );
      const body = `jwt.answer = [require("text").slug("Ann Lee"), require("again").runs, require("w").join([1, 2])];`;
      const lambdaId = await makePopulate(world, body, {
        modules: [
          { name: "text", lambdaId: text },
          { name: "again", lambdaId: text },
          { name: "w", lambdaId: words },
        ],
      });
      expect(await answerOf(world, lambdaId)).toEqual(["ann-lee", 1, "1-2"]);
      // Nothing of one run is left for the next.
      expect(await answerOf(world, lambdaId)).toEqual(["ann-lee", 1, "1-2"]);
    });

    requirement("lambda.modules", "may require each other in a circle", async () => {
      const world = await start(withLambdas({}));
      const one = await makeModule(world, "exports.name = 'one';");
      const two = await makeModule(world, "exports.of = () => require('one').name;", {
        modules: [{ name: "one", lambdaId: one }],
      });
      await change(world, one, {
        body: "exports.name = 'one'; exports.two = require('two');",
        modules: [{ name: "two", lambdaId: two }],
      });
      const lambdaId = await makePopulate(world, "jwt.answer = require('one').two.of();", {
        modules: [{ name: "one", lambdaId: one }],
      });
      expect(await answerOf(world, lambdaId)).toBe("one");
    });

    requirement("lambda.modules", "are the newest, or the version that is named", async () => {
      const world = await start(withLambdas({}));
      const module = await makeModule(world, "exports.number = 1;");
      const text = "jwt.answer = require('m').number;";
      const newest = await makePopulate(world, text, { modules: [{ name: "m", lambdaId: module }] });
      const pinned = await makePopulate(world, text, { modules: [{ name: "m", lambdaId: module, version: 1 }] });
      for (const number of [2, 3]) {
        await change(world, module, { body: `exports.number = ${number};` });
        expect(await answerOf(world, newest)).toBe(number);
        expect(await answerOf(world, pinned)).toBe(1);
      }
      await change(world, pinned, { modules: [{ name: "m", lambdaId: module, version: 2 }] });
      expect(await answerOf(world, pinned)).toBe(2);
    });

    requirement("lambda.modules", "exist under their names alone, and say where they failed", async () => {
      const world = await start(withLambdas({}));
      const module = await makeModule(world, "exports.fail = () => {\n\n  throw new Error('no');\n};");
      const lambdaId = await makePopulate(world, "require('m').fail();", { modules: [{ name: "m", lambdaId: module }] });
      const { outcome } = expectOk(await world.caller.post(`/api/lambda/${lambdaId}/test`, {})).body as {
        readonly outcome: object;
      };
      expect(outcome).toMatchObject({ kind: "threw", message: "In the module m: no", line: 3 });
      for (const name of ["other", "__proto__", "constructor"]) {
        await change(world, lambdaId, { body: `function populate(jwt) { require(${JSON.stringify(name)}); }` });
        const answer = expectOk(await world.caller.post(`/api/lambda/${lambdaId}/test`, {}));
        expect(answer.at("outcome")).toMatchObject({
          kind: "threw",
          message: expect.stringContaining(`There is no module ${name}.`),
        });
      }
    });

    requirement("lambda.modules", "are tried out with bodies that nobody has saved", async () => {
      const world = await start(withLambdas({}));
      const module = await makeModule(world, "exports.number = 7;");
      const lambda = {
        type: "JWTPopulate",
        body: "function populate(jwt) { jwt.answer = require('m').number; }",
        modules: [{ name: "m", lambdaId: module }],
      };
      const answer = expectOk(await world.caller.post("/api/lambda/test", { lambda }));
      expect([answer.at("outcome.kind"), answer.at("arguments.jwt.answer")]).toEqual(["ok", 7]);
      const missing = { ...lambda, modules: [{ name: "m", lambdaId: uuid(4) }] };
      expectRefusal(await world.caller.post("/api/lambda/test", { lambda: missing }), 400, "[invalid]lambda.modules");
      expectRefusal(await world.caller.post(`/api/lambda/${module}/test`, {}), 400, "[invalid]lambda.type");
      await expect(world.identity.lambdas.run(module, {})).rejects.toMatchObject({ status: 400 });
    });

    requirement("lambda.modules", "are refused where they cannot be", async () => {
      const world = await start(withLambdas({}));
      const module = await makeModule(world, "exports.number = 1;");
      const plain = await makePopulate(world, "jwt.a = 1;");
      const type = "JWTPopulate";
      const body = "function populate() {}";
      const named = (name: string, lambdaId = module, version?: number) => ({ name, lambdaId, version });
      const cases: readonly (readonly [fields: object, code: string])[] = [
        [{ type, body, modules: [named("a", plain)] }, "[invalid]lambda.modules[0].lambdaId"],
        [{ type, body, modules: [named("a", uuid(1))] }, "[invalid]lambda.modules[0].lambdaId"],
        [{ type, body, modules: [named("a", module, 2)] }, "[invalid]lambda.modules[0].version"],
        [{ type, body, modules: [named("a", module, 0)] }, "[invalid]lambda.modules[0].version"],
        [{ type, body, modules: [named("__proto__")] }, "[invalid]lambda.modules[0].name"],
        [{ type, body, modules: [named("a"), named("a")] }, "[duplicate]lambda.modules"],
        [{ type, body, modules: Array.from({ length: 11 }, (_, index) => named(`m${index}`)) }, "[tooMany]lambda.modules"],
        [{ type, body: `const require = 1;${body}`, modules: [named("a")] }, "[invalid]lambda.body"],
        [{ type: "Module", body: "}, {" }, "[invalid]lambda.body"],
        [{ type: "Module", body: "return 1;" }, "[invalid]lambda.body"],
        [{ type: "Module", body: "exports.a = 1;", chain: [module] }, "[invalid]lambda.chain[0]"],
      ];
      for (const [fields, code] of cases) expectRefusal(await post(world, fields), 400, code);
      const refused = await post(world, { type: "Module", body: "\n  }, {" });
      expect(messageAt(refused, "lambda.body")).toContain("line 2, column 3");
      // Where a module stands, no trigger point finds it.
      const tenant = { lambdaConfiguration: { loginValidationId: module } };
      expectRefusal(
        await world.caller.mergePatch(`/api/tenant/${world.defaultTenantId}`, { tenant }),
        400,
        "[invalid]tenant.lambdaConfiguration.loginValidationId",
      );
      const holder = await makePopulate(world, "jwt.a = 1;", { modules: [named("a")] });
      expectRefusal(await world.caller.delete(`/api/lambda/${module}`), 400, "[inUse]lambdaId");
      expectEmpty(await world.caller.delete(`/api/lambda/${holder}`), 200);
      expectEmpty(await world.caller.delete(`/api/lambda/${module}`), 200);
    });

    requirement("lambda.modules", "count with the body, and are 20 at most with those that they require", async () => {
      const world = await start(withLambdas({ limits: { bodyBytes: 4_000 } }));
      let previous = await makeModule(world, "exports.depth = 1;");
      for (let depth = 2; depth <= 20; depth++)
        previous = await makeModule(world, "exports.depth = require('m').depth + 1;", {
          modules: [{ name: "m", lambdaId: previous }],
        });
      const body = "function populate(jwt) { jwt.answer = require('m').depth; }";
      const use = (lambdaId: string) => post(world, { type: "JWTPopulate", body, modules: [{ name: "m", lambdaId }] });
      expect(await answerOf(world, expectOk(await use(previous)).textAt("lambda.id"))).toBe(20);
      const deeper = await makeModule(world, "exports.depth = require('m').depth + 1;", {
        modules: [{ name: "m", lambdaId: previous }],
      });
      expectRefusal(await use(deeper), 400, "[tooMany]lambda.modules");
      const large = await makeModule(world, `exports.text = "${"x".repeat(3_900)}";`);
      expectRefusal(await use(large), 400, "[tooLong]lambda.modules");
      // What grows behind a lambda that was saved is a failure of its run, and a populate lambda changes nothing then.
      const small = await makeModule(world, "exports.depth = 1;");
      const lambdaId = expectOk(await use(small)).textAt("lambda.id");
      await change(world, small, { body: `exports.text = "${"x".repeat(3_900)}";` });
      expect(expectOk(await run(world.caller, lambdaId)).at("jwt")).toEqual({});
    });
  });
});
