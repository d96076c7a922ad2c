import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { addRunRoutes, makePopulate, run, withLambdas } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

addRunRoutes();

const note = (letter: string): string => `jwt.trace = (jwt.trace ?? "") + "${letter}";`;

/** A lambda that is followed by these. */
const makeChain = (world: World, text: string, chain: readonly string[]) => makePopulate(world, text, { chain });

forEachStorage((start) => {
  describe("chains of lambdas", () => {
    requirement("lambda.chain", "run in order, on what the one before changed", async () => {
      const world = await start(withLambdas({}));
      const b = await makePopulate(world, note("b"));
      const c = await makePopulate(world, note("c"));
      const a = await makeChain(world, note("a"), [c, b]);
      expect(expectOk(await run(world.caller, a)).at("jwt.trace")).toBe("acb");
      // The chain of a lambda in a chain is its own.
      const outer = await makeChain(world, note("o"), [a]);
      expect(expectOk(await run(world.caller, outer)).at("jwt.trace")).toBe("oa");
    });

    requirement("lambda.chain", "go on behind a populate lambda that failed, which changes nothing", async () => {
      const world = await start(withLambdas({}));
      const broken = await makePopulate(world, `${note("x")} throw new Error("no");`);
      const c = await makePopulate(world, note("c"));
      const a = await makeChain(world, note("a"), [broken, c]);
      expect(expectOk(await run(world.caller, a)).at("jwt.trace")).toBe("ac");
    });

    requirement("lambda.chain", "end with a lambda that must not fail, and collect the errors of validations", async () => {
      const world = await start(withLambdas({}));
      const validate = (text: string, fields: object = {}) =>
        makeLambda(world, "LoginValidation", { body: `function validate(result, user) { ${text} }`, ...fields });
      const refuse = (code: string) => `result.errors.generalErrors.push({ code: "${code}", message: "No." });`;
      const second = await validate(refuse("[two]"));
      const first = await validate(refuse("[one]"), { chain: [second] });
      const given = {
        type: "LoginValidation" as const,
        arguments: { result: { errors: { fieldErrors: {}, generalErrors: [] } }, user: {} },
      };
      const { generalErrors } = expectOk(await run(world.caller, first, given)).at("result.errors") as {
        readonly generalErrors: readonly { readonly code: string }[];
      };
      expect(generalErrors.map(({ code }) => code)).toEqual(["[one]", "[two]"]);
      const broken = await validate("throw new Error();", {});
      const failing = await validate(refuse("[one]"), { chain: [broken, second] });
      expectRefusal(await run(world.caller, failing, given), 400, "[LambdaFailed]");
    });

    requirement("lambda.chain", "hold lambdas of one type that exist and stay", async () => {
      const world = await start(withLambdas({}));
      const other = await makeLambda(world, "LoginValidation");
      const own = await makePopulate(world, note("b"));
      const post = (chain: unknown) =>
        world.caller.post("/api/lambda", { lambda: { name: "A", type: "JWTPopulate", body: "function populate() {}", chain } });
      expectRefusal(await post([own, other]), 400, "[invalid]lambda.chain[1]");
      expectRefusal(await post([uuid(9)]), 400, "[invalid]lambda.chain[0]");
      expectRefusal(await post(["a"]), 400, "[couldNotConvert]lambda.chain[0]");
      expectRefusal(await post(Array.from({ length: 11 }, (_, index) => uuid(index))), 400, "[tooMany]lambda.chain");
      const holder = expectOk(await post([own, own])).textAt("lambda.id");
      expect(expectOk(await world.caller.get(`/api/lambda/${holder}`)).at("lambda.chain")).toEqual([own]);
      expectRefusal(await world.caller.delete(`/api/lambda/${own}`), 400, "[inUse]lambdaId");
      const itself = await world.caller.mergePatch(`/api/lambda/${holder}`, { lambda: { chain: [own, holder] } });
      expectRefusal(itself, 400, "[invalid]lambda.chain[1]");
      expectOk(await world.caller.mergePatch(`/api/lambda/${holder}`, { lambda: { chain: null } }));
      expectEmpty(await world.caller.delete(`/api/lambda/${own}`), 200);
    });
  });
});
