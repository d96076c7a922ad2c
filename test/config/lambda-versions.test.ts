import type { ConfigDocument, IdentityService } from "latchkey";
import { describe, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const numbered = (number: number): string => `exports.number = ${number};`;
const body = "function populate(jwt) { jwt.answer = require('m').number; }";
const digest = expect.stringMatching(/^sha256:[\da-f]{64}$/);

const patch = (identity: IdentityService, lambdaId: string, lambda: object) =>
  identity.lambdas.patch({ lambdaId, mode: "merge", patch: { lambda } });

/** Claims, which names version 2 of 3 of the module Text, in a rollout. */
const populate = async (identity: IdentityService): Promise<{ readonly module: string; readonly lambdaId: string }> => {
  const { lambda: module } = await identity.lambdas.create({ lambda: { name: "Text", type: "Module", body: numbered(1) } });
  for (const number of [2, 3]) await patch(identity, module.id, { body: numbered(number) });
  const modules = [{ name: "m", lambdaId: module.id, version: 2 }];
  const { lambda } = await identity.lambdas.create({ lambda: { name: "Claims", type: "JWTPopulate", body, modules } });
  await patch(identity, lambda.id, { body: `${body}//`, rollout: { percent: 10, version: 1 } });
  return { module: module.id, lambdaId: lambda.id };
};

const exportLambdas = async (identity: IdentityService): Promise<ConfigDocument> =>
  JSON.parse(JSON.stringify(await identity.config.export({ families: ["lambdas"] })));

const find = async (identity: IdentityService, name: string) => {
  const found = (await identity.lambdas.list({})).lambdas.find((lambda) => lambda.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};

forEachStorage((start) => {
  describe("versions of lambdas in documents", () => {
    requirement("config.round-trip", "are digested once, however many ways lead to them", async () => {
      const { identity } = await start();
      let modules: readonly { readonly name: string; readonly lambdaId: string; readonly version: number }[] = [];
      for (let level = 1; level <= 18; level++) {
        const lambda = { name: `Level ${level}`, type: "Module", body: numbered(level), modules } as const;
        const { id } = (await identity.lambdas.create({ lambda })).lambda;
        modules = ["one", "two"].map((name) => ({ name, lambdaId: id, version: 1 }));
      }
      const document = await exportLambdas(identity);
      expect((await identity.config.plan(document)).changes).toEqual([]);
    });

    requirement("config.round-trip", "are the same in the same service, whose rollout goes on", async () => {
      const { identity } = await start();
      const { lambdaId } = await populate(identity);
      const document = await exportLambdas(identity);
      expect(document.lambdas).toEqual([
        { name: "Claims", type: "JWTPopulate", body: `${body}//`, modules: [{ name: "m", lambdaId: "Text", version: digest }] },
        { name: "Text", type: "Module", body: numbered(3) },
      ]);
      expect((await identity.config.plan(document)).changes).toEqual([]);
      const { rollout, modules } = await find(identity, "Claims");
      // Another change leaves both as they are.
      const [claims, text] = document.lambdas as readonly object[];
      await identity.config.apply({ ...document, lambdas: [{ ...claims, debug: true }, text] } as ConfigDocument);
      expect(await find(identity, "Claims")).toMatchObject({ debug: true, rollout, modules });
      // A version with the same content is the same in documents, and the lambda retains its number.
      await identity.lambdas.restore({ lambdaId: (await find(identity, "Text")).id, version: 2 });
      expect((await identity.config.plan(await exportLambdas(identity))).changes).toEqual([]);
      await identity.config.apply({ ...document, lambdas: [{ ...claims, rollout: null }] } as ConfigDocument);
      const after = (await identity.lambdas.retrieve({ lambdaId })).lambda;
      expect([after.rollout, after.modules]).toEqual([undefined, modules]);
    });

    requirement("config.keys", "lead to the same content in another service, or are refused", async () => {
      const source = await start();
      const { lambdaId, module } = await populate(source.identity);
      const older = await exportLambdas(source.identity);
      await patch(source.identity, lambdaId, { modules: [{ name: "m", lambdaId: module, version: 3 }] });
      const newest = await exportLambdas(source.identity);
      const target = await start();
      // Another content under the same numbers.
      const made = await target.identity.lambdas.create({ lambda: { name: "Text", type: "Module", body: numbered(8) } });
      await patch(target.identity, made.lambda.id, { body: numbered(9) });
      await expect(target.identity.config.plan(older)).rejects.toMatchObject({
        code: "[invalid]lambdas[0].modules[0].version",
        message: expect.stringContaining("No version of the module has the content"),
      });
      const { changes } = await target.identity.config.apply(newest);
      expect(changes.map(({ action, key }) => [action, key])).toEqual([
        ["update", "Text"],
        ["create", "Claims"],
      ]);
      const claims = await find(target.identity, "Claims");
      expect(claims.modules).toEqual([{ name: "m", lambdaId: made.lambda.id, version: 3 }]);
      expect(claims.rollout).toBeUndefined();
      expect((await target.identity.config.plan(newest)).changes).toEqual([]);
      expect((await source.identity.config.plan(await exportLambdas(target.identity))).changes).toEqual([]);
      const empty = await start();
      await empty.identity.config.apply(newest);
      expect((await find(empty.identity, "Claims")).modules).toMatchObject([{ version: 1 }]);
    });

    requirement("config.refusals", "are numbers of this service, or digests, and nothing else", async () => {
      const { identity } = await start();
      await populate(identity);
      const document = await exportLambdas(identity);
      const [claims] = document.lambdas as readonly object[];
      const withVersion = (version: unknown) =>
        ({ ...document, lambdas: [{ ...claims, modules: [{ name: "m", lambdaId: "Text", version }] }] }) as ConfigDocument;
      expect((await identity.config.plan(withVersion(2))).changes).toEqual([]);
      for (const version of ["sha256:", "2", "", 9])
        await expect(identity.config.plan(withVersion(version))).rejects.toMatchObject({
          code: "[invalid]lambdas[0].modules[0].version",
        });
    });
  });
});
