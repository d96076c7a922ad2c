import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { addRunRoutes, makePopulate, run, withLambdas } from "../support/lambda-runs.js";
import { messageAt } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, type World } from "../support/world.js";

addRunRoutes();

const change = async (world: World, lambdaId: string, lambda: object): Promise<Answer> =>
  expectOk(await world.caller.mergePatch(`/api/lambda/${lambdaId}`, { lambda }));

const makeModule = async (world: World, body: string, fields: object = {}): Promise<string> =>
  expectOk(await world.caller.post("/api/lambda", { lambda: { name: "M", type: "Module", body, ...fields } })).textAt(
    "lambda.id",
  );

const named = (lambdaId: string, version?: number): object => ({
  name: "m",
  lambdaId,
  ...(version !== undefined && { version }),
});
const uses = (lambdaId: string, version?: number): object => ({ modules: [named(lambdaId, version)] });
const numbered = (number: number): string => `exports.number = ${number};`;
const passes = "exports.number = require('m').number;";
const answers = "jwt.answer = require('m').number;";

/** Saves bodies until the service forgets the versions of before. */
const outgrow = async (world: World, lambdaId: string, bodyOf: (number: number) => string): Promise<void> => {
  for (let number = 100; number < 155; number++)
    await world.identity.lambdas.patch({ lambdaId, mode: "merge", patch: { lambda: { body: bodyOf(number) } } });
};

/** A lambda, the module that it comes to by one kind of reference, and what it answers once that module has grown. */
interface Named {
  readonly lambdaId: string;
  readonly module: string;
  /** A module between the two, which grows too. */
  readonly between?: string;
  readonly answer: number;
}

/** A module of which version 1 requires a version of another one, and version 2 requires nothing. */
const makeBetween = async (world: World, module: string, version?: number): Promise<string> => {
  const between = await makeModule(world, passes, uses(module, version));
  await change(world, between, { body: numbered(-1), modules: null });
  return between;
};

/** All kinds of references by which a lambda comes to a version of another one, or to its newest. */
const kinds: Readonly<Record<string, (world: World) => Promise<Named>>> = {
  "its modules": async (world) => {
    const module = await makeModule(world, numbered(1));
    return { module, lambdaId: await makePopulate(world, answers, uses(module, 1)), answer: 1 };
  },
  "modules of its modules": async (world) => {
    const module = await makeModule(world, numbered(1));
    const outer = await makeModule(world, passes, uses(module, 1));
    return { module, lambdaId: await makePopulate(world, answers, uses(outer)), answer: 1 };
  },
  "modules of a version of its modules": async (world) => {
    const module = await makeModule(world, numbered(1));
    const between = await makeBetween(world, module, 1);
    return { module, between, lambdaId: await makePopulate(world, answers, uses(between, 1)), answer: 1 };
  },
  "modules without a version of a version of its modules": async (world) => {
    const module = await makeModule(world, numbered(1));
    const between = await makeBetween(world, module);
    return { module, between, lambdaId: await makePopulate(world, answers, uses(between, 1)), answer: 154 };
  },
  "modules of the version of its rollout": async (world) => {
    const module = await makeModule(world, numbered(1));
    const lambdaId = await makePopulate(world, answers, uses(module, 1));
    await change(world, module, { body: numbered(2) });
    await change(world, lambdaId, { ...uses(module, 2), rollout: { percent: 0, version: 1 } });
    return { module, lambdaId, answer: 1 };
  },
  "modules of a version that the version of its rollout names": async (world) => {
    const module = await makeModule(world, numbered(1));
    const between = await makeBetween(world, module, 1);
    const lambdaId = await makePopulate(world, answers, uses(between, 1));
    await change(world, lambdaId, { ...uses(between, 2), rollout: { percent: 0, version: 1 } });
    return { module, between, lambdaId, answer: 1 };
  },
  "modules of a version that it was given back": async (world) => {
    const module = await makeModule(world, numbered(1));
    const lambdaId = await makePopulate(world, answers, uses(module, 1));
    await change(world, lambdaId, { body: "function populate() {}", modules: null });
    expectOk(await world.caller.post(`/api/lambda/${lambdaId}/restore`, { version: 1 }));
    return { module, lambdaId, answer: 1 };
  },
};

forEachStorage((start) => {
  describe("references to versions of lambdas", () => {
    const both = ["lambda.history", "lambda.rollout", "lambda.modules"] as const;

    requirement([...both], "keep what they name, of every kind, while the lambda runs", async () => {
      const world = await start(withLambdas({}));
      for (const [kind, make] of Object.entries(kinds)) {
        const { answer, between, lambdaId, module } = await make(world);
        await outgrow(world, module, numbered);
        if (between !== undefined) await outgrow(world, between, (number) => `exports.other = ${number};`);
        const given = { arguments: { jwt: {}, user: { id: world.defaultTenantId }, context: {} } };
        expect([kind, expectOk(await run(world.caller, lambdaId, given)).at("jwt.answer")]).toEqual([kind, answer]);
        // What runs is not removed under it, and is free once nothing runs it.
        for (const id of between === undefined ? [module] : [between, module])
          expectRefusal(await world.caller.delete(`/api/lambda/${id}`), 400, "[inUse]lambdaId");
        expectEmpty(await world.caller.delete(`/api/lambda/${lambdaId}`), 200);
        if (kind === "modules of its modules") continue;
        for (const id of between === undefined ? [module] : [between, module])
          expectEmpty(await world.caller.delete(`/api/lambda/${id}`), 200);
      }
    });

    requirement("lambda.rollout", "keep the version of a rollout itself, however often the lambda changes", async () => {
      const world = await start(withLambdas({}));
      const lambdaId = await makePopulate(world, "jwt.answer = 1;");
      await change(world, lambdaId, { body: "function populate() {}", rollout: { percent: 0, version: 1 } });
      await outgrow(world, lambdaId, (number) => `function populate(jwt) { jwt.answer = ${number}; }`);
      expect(expectOk(await run(world.caller, lambdaId)).at("jwt.answer")).toBe(1);
    });

    requirement([...both], "are refused where what they name is gone", async () => {
      const world = await start(withLambdas({}));
      const module = await makeModule(world, numbered(1));
      const removed = await makeModule(world, numbered(1));
      const lambdaId = await makePopulate(world, answers, uses(module, 1));
      const between = await makeModule(world, passes, uses(module, 1));
      const other = await makeModule(world, passes, uses(removed));
      for (const id of [between, other]) await change(world, id, uses(module));
      await change(world, lambdaId, uses(module));
      await outgrow(world, module, numbered);
      expectEmpty(await world.caller.delete(`/api/lambda/${removed}`), 200);
      // A rollout, a restored version and a module each name a version that the service has, which names one that it has not.
      const rollout = { lambda: { rollout: { percent: 50, version: 1 } } };
      const begun = await world.caller.mergePatch(`/api/lambda/${lambdaId}`, rollout);
      expectRefusal(begun, 400, "[invalid]lambda.rollout.version");
      expect(messageAt(begun, "lambda.rollout.version")).toMatch(/ requires .* gone/);
      const restored = await world.caller.post(`/api/lambda/${lambdaId}/restore`, { version: 1 });
      expectRefusal(restored, 400, "[invalid]version");
      expect(messageAt(restored, "version")).toMatch(/ requires .* gone/);
      expectRefusal(await world.caller.post(`/api/lambda/${other}/restore`, { version: 1 }), 400, "[invalid]version");
      for (const id of [between, other]) {
        const answer = await world.caller.mergePatch(`/api/lambda/${lambdaId}`, { lambda: uses(id, 1) });
        expectRefusal(answer, 400, "[invalid]lambda.modules[0].version");
        expect(messageAt(answer, "lambda.modules[0].version")).toMatch(/ requires .* gone/);
      }
      expect(expectOk(await run(world.caller, lambdaId)).at("jwt.answer")).toBe(154);
    });

    requirement("lambda.modules", "let nobody change a module of a version without the permissions of the lambda", async () => {
      const world = await start(withLambdas({}));
      const module = await makeModule(world, numbered(1));
      const between = await makeBetween(world, module);
      await makePopulate(world, answers, { ...uses(between, 1), permissions: { endpoints: { "/api/user": ["GET"] } } });
      const key = { permissions: { endpoints: { "/api/lambda": ["PATCH"] } } };
      const { apiKey } = await world.identity.apiKeys.create({ apiKey: key } as never);
      const patch = { lambda: { body: numbered(2) } };
      const answer = await world.as(apiKey.key ?? "").mergePatch(`/api/lambda/${module}`, patch);
      expectRefusal(answer, 400, "[invalid]lambda.permissions");
      expectOk(await world.as(bootstrapKey).mergePatch(`/api/lambda/${module}`, patch));
    });
  });
});
