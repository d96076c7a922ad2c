import { describe, expect } from "vitest";
import { expectEmpty, expectOk } from "../support/answer.js";
import { addRunRoutes, makePopulate, readLog, run, runBare, withLambdas } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

addRunRoutes();

const secretOf = (name: string): string => `the crm secret of ${name}, which nobody else may see`;

/** A tenant whose lambdas find its name in a secret and in a constant. */
async function makeOwner(world: World, name: string): Promise<string> {
  const tenantId = await makeTenant(world, name);
  await setValues(world, tenantId, { constants: { owner: name }, secrets: { crm: secretOf(name) } });
  return tenantId;
}

async function setValues(world: World, tenantId: string, lambdaConfiguration: object): Promise<void> {
  expectOk(await world.caller.mergePatch(`/api/tenant/${tenantId}`, { tenant: { lambdaConfiguration } }));
}

const readBoth = "jwt.read = [context.constants.owner, context.secrets?.get('crm')];";

forEachStorage((start) => {
  describe("what a lambda reads of its tenant", () => {
    requirement("lambda.tenant-values", "is in the context of its runs, and changes with the tenant at once", async () => {
      const world = await start(withLambdas());
      const tenantId = await makeOwner(world, "A");
      const text = `const { constants, secrets, services } = context;
        jwt.read = [services.constants === constants, services.secrets.get('crm'), secrets.get('none') === undefined, constants.plans];`;
      const lambdaId = await makePopulate(world, text);
      const plans = { gold: { seats: 10, tags: ["a", "b"] }, free: 0 };
      await setValues(world, tenantId, { constants: { plans } });
      const read = async (): Promise<unknown> => expectOk(await run(world.caller, lambdaId, { tenantId })).at("jwt.read");
      expect(await read()).toEqual([true, secretOf("A"), true, plans]);
      await setValues(world, tenantId, { constants: { plans: ["other"] }, secrets: { crm: "next", none: null } });
      expect(await read()).toEqual([true, "next", true, ["other"]]);
      await setValues(world, tenantId, { constants: { plans: null }, secrets: { crm: null, other: "one" } });
      expect(await read()).toEqual([true, null, true, null]);
    });

    requirement("lambda.tenant-values", "cannot be changed, and stands in no JSON of the context", async () => {
      const world = await start(withLambdas());
      const tenantId = await makeTenant(world, "A");
      await setValues(world, tenantId, { constants: { plans: { gold: [{ seats: 1 }] } } });
      const text = `const { plans } = context.constants;
        const attempts = [
          () => { context.constants.added = 1; }, () => { plans.gold = 1; }, () => { plans.gold.push(1); },
          () => { plans.gold[0].seats = 2; }, () => { delete context.constants.plans; },
        ];
        jwt.thrown = attempts.map((attempt) => { try { attempt(); return "done"; } catch (error) { return error instanceof TypeError; } });
        jwt.left = plans; jwt.json = JSON.stringify(context); jwt.secrets = typeof context.secrets;`;
      const lambdaId = await makePopulate(world, text);
      for (let count = 0; count < 2; count++)
        expect(expectOk(await run(world.caller, lambdaId, { tenantId })).at("jwt")).toEqual({
          thrown: [true, true, true, true, true],
          left: { gold: [{ seats: 1 }] },
          json: "{}",
          secrets: "undefined",
        });
    });

    requirement(
      "lambda.tenant-values",
      "is its own: another tenant's is out of reach, and a run without a tenant has none",
      async () => {
        const world = await start(withLambdas());
        const [a, b, none] = [await makeOwner(world, "A"), await makeOwner(world, "B"), await makeTenant(world, "None")];
        const lambdaId = await makePopulate(world, readBoth);
        const readIn = async (tenantId: string | undefined): Promise<unknown> =>
          expectOk(await run(world.caller, lambdaId, { tenantId })).at("jwt.read");
        // In turns and side by side: guests and realms are shared.
        for (let count = 0; count < 3; count++)
          expect(await Promise.all([readIn(a), readIn(b), readIn(none), readIn(undefined), readIn(a)])).toEqual([
            ["A", secretOf("A")],
            ["B", secretOf("B")],
            [null, null],
            [null, null],
            ["A", secretOf("A")],
          ]);
        // No name leads out of the tenant.
        const names = ["__proto__", "constructor", "toString", `../${b}/lambdaConfiguration.secrets.crm`, "crm.crm", ""];
        const probe = await makePopulate(
          world,
          `jwt.read = ${JSON.stringify(names)}.map((name) => { try { return context.secrets.get(name) ?? "none"; } catch { return "refused"; } });`,
        );
        const found = expectOk(await run(world.caller, probe, { tenantId: a })).at("jwt.read");
        expect(found).toEqual(["none", "none", "none", "none", "none", "refused"]);
      },
    );

    requirement("lambda.tenant-values", "is the same in modules and in each lambda of a chain", async () => {
      const world = await start(withLambdas());
      const [a, b] = [await makeOwner(world, "A"), await makeOwner(world, "B")];
      const body = "exports.read = ({ constants, secrets }) => [constants.owner, secrets.get('crm')];";
      const made = await world.caller.post("/api/lambda", { lambda: { name: "M", type: "Module", body } });
      const module = expectOk(made).textAt("lambda.id");
      const last = await makePopulate(world, "jwt.last = require('m').read(context);", {
        modules: [{ name: "m", lambdaId: module }],
      });
      const first = await makePopulate(world, readBoth, { chain: [last] });
      for (const [tenantId, name] of [
        [a, "A"],
        [b, "B"],
      ] as const) {
        const ran = expectOk(await run(world.caller, first, { tenantId }));
        expect([ran.at("jwt.read"), ran.at("jwt.last")]).toEqual(new Array(2).fill([name, secretOf(name)]));
      }
    });

    requirement(
      "lambda.tenant-values",
      "is read in trials of the tenant that is said, which a key of a tenant may not make",
      async () => {
        const world = await start(withLambdas());
        const [a, b] = [await makeOwner(world, "A"), await makeOwner(world, "B")];
        const body = `function populate(jwt, user, registration, context) { ${readBoth} console.log(context.secrets?.get('crm')); }`;
        const lambda = { type: "JWTPopulate", body };
        const lambdaId = await makeLambda(world, "JWTPopulate", { body });
        const bound = await callerOfTenant(world, b);
        for (const path of ["/api/lambda/test", `/api/lambda/${lambdaId}/test`]) {
          const trial = expectOk(await world.caller.post(path, { lambda, tenantId: a }));
          expect([trial.at("arguments.jwt.read"), trial.each("console", "text")]).toEqual([["A", secretOf("A")], ["***"]]);
          // What a caller says of the context is no constant.
          const given = { lambda, arguments: { context: { constants: { owner: "X" } } } };
          expect(expectOk(await world.caller.post(path, given)).at("arguments.jwt.read")).toEqual([null, null]);
          for (const tenantId of [a, b, undefined]) expectEmpty(await bound.post(path, { lambda, tenantId }), 401);
        }
      },
    );

    requirement("lambda.tenant-values", "comes before what the host resolves, in its own tenant alone", async () => {
      const resolveSecret = (name: string): string | undefined => (name === "none" ? undefined : `${name} of the host`);
      const world = await start(withLambdas({ resolveSecret }));
      const [a, b] = [await makeOwner(world, "A"), await makeTenant(world, "B")];
      const lambdaId = await makePopulate(world, "jwt.read = ['crm', 'other', 'none'].map((name) => context.secrets.get(name));");
      const readIn = async (tenantId: string | undefined): Promise<unknown> =>
        expectOk(await run(world.caller, lambdaId, { tenantId })).at("jwt.read");
      expect(await readIn(a)).toEqual([secretOf("A"), "other of the host", null]);
      for (const tenantId of [b, undefined])
        expect(await readIn(tenantId)).toEqual(["crm of the host", "other of the host", null]);
    });

    requirement("lambda.secrets-redacted", "is in no line, message, event or log as a secret of a tenant", async () => {
      const world = await start(withLambdas());
      const tenantId = await makeOwner(world, "A");
      const text =
        "const key = context.secrets.get('crm'); console.log('it is', key); throw new Error(`no ${encodeURIComponent(key)}`);";
      const lambdaId = await makePopulate(world, text, { debug: true });
      expectOk(await run(world.caller, lambdaId, { tenantId }));
      const outcome = await runBare(world, lambdaId, { tenantId });
      expect([outcome.each("console", "text"), outcome.at("message")]).toEqual([["it is ***"], "no ***"]);
      const written = JSON.stringify([await readLog(world), await readEvents(world.storage), world.log]);
      expect(written).toContain("***");
      expect(written).not.toMatch(/crm(?: |%20)secret/);
    });

    requirement("lambda.tenant-values", "costs no read of the storage with each run", async () => {
      const world = await start(withLambdas());
      const tenantId = await makeOwner(world, "A");
      const lambdaId = await makePopulate(world, readBoth);
      let reads = 0;
      const { retrieve } = world.storage;
      const counting: typeof retrieve = (scope, table, id) => {
        if (table.name === "tenants") reads++;
        return retrieve.call(world.storage, scope, table, id);
      };
      Object.assign(world.storage, { retrieve: counting });
      stopMonotonicClock();
      for (let count = 0; count < 40; count++) expectOk(await run(world.caller, lambdaId, { tenantId }));
      expect(reads).toBe(1);
    });

    requirement("lambda.tenant-values", "is gone with its tenant", async () => {
      const world = await start(withLambdas());
      const tenantId = await makeOwner(world, "A");
      const lambdaId = await makePopulate(world, readBoth);
      expectOk(await run(world.caller, lambdaId, { tenantId }));
      await world.identity.tenants.remove({ tenantId });
      expect(expectOk(await run(world.caller, lambdaId, { tenantId })).at("jwt.read")).toEqual([null, null]);
      expect(expectOk(await run(world.caller, lambdaId, { tenantId: uuid(99) })).at("jwt.read")).toEqual([null, null]);
    });
  });
});
