import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { lambdasTable } from "../../src/records/lambdas/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { addRunRoutes, makePopulate, run, withLambdas } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, uuid, type World } from "../support/world.js";

addRunRoutes();

const bodyWith = (value: unknown): string => `function populate(jwt) { jwt.answer = ${JSON.stringify(value)}; }`;

const change = async (world: World, lambdaId: string, lambda: object): Promise<Answer> =>
  expectOk(await world.caller.mergePatch(`/api/lambda/${lambdaId}`, { lambda }));

const numbersOf = async (world: World, lambdaId: string): Promise<unknown[]> =>
  expectOk(await world.caller.get(`/api/lambda/${lambdaId}/version`)).each("lambdaVersions", "version");

const answersOf = async (world: World, lambdaId: string, userIds: readonly string[]): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (const id of userIds) {
    const given = { arguments: { jwt: {}, user: { id }, context: {} } };
    answers.push(expectOk(await run(world.caller, lambdaId, given)).at("jwt.answer"));
  }
  return answers;
};

const users = Array.from({ length: 40 }, (_, index) => uuid(index));

forEachStorage((start) => {
  describe("versions of lambdas", () => {
    requirement("lambda.history", "are made by another body or other modules alone, and restored as new ones", async () => {
      const world = await start(withLambdas({}));
      const lambdaId = await makePopulate(world, "jwt.answer = 1;");
      const first = expectOk(await world.caller.get(`/api/lambda/${lambdaId}`)).textAt("lambda.body");
      expect(await numbersOf(world, lambdaId)).toEqual([1]);
      await change(world, lambdaId, { name: "Other", debug: true });
      expect(await numbersOf(world, lambdaId)).toEqual([1]);
      world.clock.advance(1_000);
      await change(world, lambdaId, { body: bodyWith(2) });
      await change(world, lambdaId, { body: bodyWith(3) });
      expect(await numbersOf(world, lambdaId)).toEqual([3, 2, 1]);
      const { lambdaVersion } = expectOk(await world.caller.get(`/api/lambda/${lambdaId}/version/1`)).body as {
        readonly lambdaVersion: object;
      };
      expect(lambdaVersion).toEqual({ version: 1, insertInstant: expect.any(Number), body: first });
      expect(expectOk(await world.caller.get(`/api/lambda/${lambdaId}/version/3`)).at("lambdaVersion.body")).toBe(bodyWith(3));
      const restored = expectOk(await world.caller.post(`/api/lambda/${lambdaId}/restore`, { version: 1 }));
      expect([restored.at("lambda.body"), restored.at("lambda.name")]).toEqual([first, "Other"]);
      expect(await numbersOf(world, lambdaId)).toEqual([4, 3, 2, 1]);
      expect(await answersOf(world, lambdaId, users.slice(0, 1))).toEqual([1]);
      // In process, and by the typed names.
      const inProcess = await world.identity.lambdas.retrieveVersion({ lambdaId, version: 2 });
      expect(inProcess.lambdaVersion.body).toBe(bodyWith(2));
    });

    requirement("lambda.history", "are refused where there are none", async () => {
      const world = await start(withLambdas({}));
      const lambdaId = await makePopulate(world, "jwt.answer = 1;");
      for (const version of ["2", "0", "-1", "1e0", "x", "9".repeat(30)])
        expectEmpty(await world.caller.get(`/api/lambda/${lambdaId}/version/${version}`), 404);
      for (const path of ["version", "version/1"]) expectEmpty(await world.caller.get(`/api/lambda/${uuid(3)}/${path}`), 404);
      expectEmpty(await world.caller.post(`/api/lambda/${uuid(3)}/restore`, { version: 1 }), 404);
      expectRefusal(await world.caller.post(`/api/lambda/${lambdaId}/restore`, { version: 2 }), 400, "[invalid]version");
      expectRefusal(await world.caller.post(`/api/lambda/${lambdaId}/restore`, {}), 400, "[missing]version");
      const stale = await world.caller.post(`/api/lambda/${lambdaId}/restore`, { version: 1 }, { "if-match": '"0"' });
      expect(stale.status).toBe(412);
    });

    requirement("lambda.history", "go on with the next number after a change by an earlier release", async () => {
      const world = await start(withLambdas({}));
      const lambdaId = await makePopulate(world, "jwt.answer = 1;");
      for (const number of [2, 3]) await change(world, lambdaId, { body: bodyWith(number) });
      // What a release without versions stores.
      await world.storage.transaction(async (tx) => {
        const stored = await tx.retrieve(globalScope, lambdasTable, lambdaId);
        await tx.replaceHidden(globalScope, lambdasTable, [{ id: lambdaId, version: stored?.version ?? 0, hidden: null }]);
      });
      await change(world, lambdaId, { body: bodyWith(4) });
      await change(world, lambdaId, { body: bodyWith(5) });
      expect(await numbersOf(world, lambdaId)).toEqual([5, 4, 3, 2, 1]);
    });

    requirement("lambda.history", "need the permissions that the lambda has, to be restored", async () => {
      const world = await start(withLambdas({}));
      const permissions = { endpoints: { "/api/user": ["GET"] } };
      const lambdaId = await makePopulate(world, "jwt.answer = 1;", { permissions });
      await change(world, lambdaId, { body: bodyWith(2) });
      const key = { permissions: { endpoints: { "/api/lambda/restore": ["POST"] } } };
      const { apiKey } = await world.identity.apiKeys.create({ apiKey: key } as never);
      const answer = await world.as(apiKey.key ?? "").post(`/api/lambda/${lambdaId}/restore`, { version: 1 });
      expectRefusal(answer, 400, "[invalid]lambda.permissions");
      expectOk(await world.as(bootstrapKey).post(`/api/lambda/${lambdaId}/restore`, { version: 1 }));
    });

    requirement("lambda.history", "are 50 beside the newest, and those that are named", async () => {
      const world = await start(withLambdas({}));
      const post = async (lambda: object) => expectOk(await world.caller.post("/api/lambda", { lambda })).textAt("lambda.id");
      const module = await post({ name: "M", type: "Module", body: "exports.number = 1;" });
      await makePopulate(world, "jwt.answer = 1;", { modules: [{ name: "m", lambdaId: module, version: 1 }] });
      await change(world, module, { body: "exports.number = 2;", rollout: { percent: 50, version: 1 } });
      await change(world, module, { body: "exports.number = 3;", rollout: { percent: 50, version: 2 } });
      for (let number = 4; number <= 60; number++) await change(world, module, { body: `exports.number = ${number};` });
      const numbers = await numbersOf(world, module);
      expect(numbers).toEqual([...Array.from({ length: 51 }, (_, index) => 60 - index), 2, 1]);
      const unused = await makePopulate(world, "jwt.answer = 1;");
      for (let number = 2; number <= 53; number++) await change(world, unused, { body: bodyWith(number) });
      expect(await numbersOf(world, unused)).toEqual(Array.from({ length: 51 }, (_, index) => 53 - index));
    });

    requirement("lambda.rollout", "gives a share of the users the newest version, and always the same users", async () => {
      const world = await start(withLambdas({}));
      const lambdaId = await makePopulate(world, "jwt.answer = 'old';");
      await change(world, lambdaId, { body: bodyWith("new"), rollout: { percent: 50, version: 1 } });
      const answers = await answersOf(world, lambdaId, users);
      const isNew = answers.filter((answer) => answer === "new").length;
      expect(isNew).toBeGreaterThan(5);
      expect(isNew).toBeLessThan(35);
      expect(await answersOf(world, lambdaId, users)).toEqual(answers);
      // More users get it, and none loses it.
      await change(world, lambdaId, { rollout: { percent: 80 } });
      const later = await answersOf(world, lambdaId, users);
      expect(later.filter((answer) => answer === "new").length).toBeGreaterThan(isNew);
      answers.forEach((answer, index) => {
        if (answer === "new") expect(later[index]).toBe("new");
      });
      for (const [percent, expected] of [
        [0, "old"],
        [100, "new"],
      ] as const) {
        await change(world, lambdaId, { rollout: { percent } });
        expect(new Set(await answersOf(world, lambdaId, users.slice(0, 5)))).toEqual(new Set([expected]));
      }
      // A test runs the newest version, whatever the rollout says.
      await change(world, lambdaId, { rollout: { percent: 0 } });
      const trial = expectOk(await world.caller.post(`/api/lambda/${lambdaId}/test`, {}));
      expect(trial.at("arguments.jwt.answer")).toBe("new");
    });

    requirement("lambda.rollout", "is refused for versions that are not there", async () => {
      const world = await start(withLambdas({}));
      const lambdaId = await makePopulate(world, "jwt.answer = 1;");
      const patch = (rollout: object) => world.caller.mergePatch(`/api/lambda/${lambdaId}`, { lambda: { rollout } });
      expectRefusal(await patch({ percent: 50, version: 2 }), 400, "[invalid]lambda.rollout.version");
      expectRefusal(await patch({ percent: 101, version: 1 }), 400, "[invalid]lambda.rollout.percent");
      expectRefusal(await patch({ percent: 0.5, version: 1 }), 400, "[invalidJSON]lambda.rollout.percent");
      const module = expectOk(await world.caller.post("/api/lambda", { lambda: { name: "M", type: "Module", body: "1;" } }));
      const modules = [{ name: "m", lambdaId: module.textAt("lambda.id") }];
      await change(world, lambdaId, { modules });
      // Version 2 requires a module that the lambda would no longer name.
      const without = { lambda: { modules: null, rollout: { percent: 50, version: 2 } } };
      expectRefusal(await world.caller.mergePatch(`/api/lambda/${lambdaId}`, without), 400, "[invalid]lambda.rollout.version");
      const body = "function populate() {}";
      const made = { lambda: { name: "A", type: "JWTPopulate", body, rollout: { percent: 1, version: 1 } } };
      expectRefusal(await world.caller.post("/api/lambda", made), 400, "[invalid]lambda.rollout.version");
    });
  });
});
