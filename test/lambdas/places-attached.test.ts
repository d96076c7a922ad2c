import { memoryStorage } from "latchkey/memory";
import type { Storage, Table, TenantScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { lambdaPaths } from "../../src/availability/lambda-paths.js";
import { lambdaTypeNames, toLambdaType } from "../../src/availability/lambda-types.js";
import { ldapFields } from "../connectors/support/connectors.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { askToken, startOffice } from "../support/clients.js";
import { testRunner } from "../support/lambda-runner.js";
import { makeLambda } from "../support/lambdas.js";
import { arrangeLogin, ids, logIn, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, startWorld, type World } from "../support/world.js";

/** What a record needs beside its name and the lambda. */
const needed: Readonly<Record<string, object>> = {
  connector: { ...ldapFields("ldap://ldap.example.com", ""), name: undefined },
};

/** The body of a record that names a lambda at a path from its wrapper. */
function bodyOf(path: string, lambdaId: string): Readonly<Record<string, object>> {
  const [wrapper = "", parent = "", name = ""] = path.split(".");
  return { [wrapper]: { ...needed[wrapper], name: path, [parent]: { [name]: lambdaId } } };
}

function collectionOf(path: string): string {
  return `/api/${path.split(".")[0]}`;
}

const inDefaultTenant = (world: World) => world.caller.inTenant(world.defaultTenantId);

forEachStorage((start) => {
  describe("a place of a lambda", () => {
    requirement("lambda-place.kind", "takes lambdas of its kind by every name, and no others", async () => {
      const world = await start();
      const lambdas = new Map<string, string>();
      for (const name of lambdaTypeNames) lambdas.set(name, await makeLambda(world, name));
      for (const [path, type] of Object.entries(lambdaPaths)) {
        const caller = path.startsWith("application.") ? inDefaultTenant(world) : world.caller;
        for (const [name, id] of lambdas) {
          const answer = await caller.post(`${collectionOf(path)}?dryRun=true`, bodyOf(path, id));
          if (toLambdaType(name as (typeof lambdaTypeNames)[number]) === type) expectOk(answer);
          else expectRefusal(answer, 400, `[invalid]${path}`);
        }
      }
    });

    requirement("lambda-place.kind", "is checked by PUT and PATCH too, with all that is wrong at once", async () => {
      const world = await start();
      await arrangeLogin(world);
      const wrong = await makeLambda(world, "LoginValidation");
      const right = await makeLambda(world, "JWTPopulate");
      const lambdaConfiguration = { accessTokenPopulateId: wrong, idTokenPopulateId: right, userinfoPopulateId: wrong };
      const codes = ["accessTokenPopulateId", "userinfoPopulateId"].map(
        (name) => `[invalid]application.lambdaConfiguration.${name}`,
      );
      const application = { name: "Shop", lambdaConfiguration };
      const path = `/api/application/${ids.application}`;
      expectRefusal(await world.caller.patch(path, { application: { lambdaConfiguration } }), 400, ...codes);
      expectRefusal(await world.caller.put(path, { application }), 400, ...codes);
      expectOk(await world.caller.patch(path, { application: { lambdaConfiguration: { accessTokenPopulateId: right } } }));
    });

    requirement("lambda-place.available", "is unknown before the version of its kind", async () => {
      const world = await start({ version: "1.27.0" });
      const lambdaId = await makeLambda(world, "JWTPopulate");
      const lambdaConfiguration = { accessTokenPopulateId: lambdaId, userinfoPopulateId: lambdaId };
      const application = { name: "Shop", lambdaConfiguration };
      const made = expectOk(await world.caller.post("/api/application", { application }));
      expect(made.at("application.lambdaConfiguration")).toEqual({ accessTokenPopulateId: lambdaId });
    });

    requirement("lambda-place.available", "needs the plan of its kind", async () => {
      const world = await start();
      const lambdaId = await makeLambda(world, "MFARequirement");
      const smaller = await startWorld(world.storage, { plan: "starter" });
      const name = "lambdaConfiguration.multiFactorRequirementId";
      const ofTenant = await smaller.caller.post("/api/tenant", bodyOf(`tenant.${name}`, lambdaId));
      expectRefusal(ofTenant, 400, `[notLicensed]tenant.${name}`);
      const ofApplication = await smaller.caller.post("/api/application", bodyOf(`application.${name}`, lambdaId));
      expectRefusal(ofApplication, 400, `[notLicensed]application.${name}`);
    });
  });
});

/** A storage, and the tables that were read from it outside of transactions. */
function noteReads(): { readonly storage: Storage; readonly tables: string[] } {
  const storage = watchStorage(memoryStorage(), {});
  const tables: string[] = [];
  const noting = <Rest extends readonly unknown[], T>(read: (scope: TenantScope, table: Table, ...rest: Rest) => Promise<T>) => {
    return (scope: TenantScope, table: Table, ...rest: Rest): Promise<T> => {
      tables.push(table.name);
      return read(scope, table, ...rest);
    };
  };
  return { storage: { ...storage, retrieve: noting(storage.retrieve), find: noting(storage.find) }, tables };
}

requirement("lambda-place.free", "nothing of lambdas is read or run for who names none", async () => {
  const { storage, tables } = noteReads();
  const run = (): never => {
    throw new Error("A lambda was run.");
  };
  const world = await startWorld(storage, { lambdas: { runner: { ...testRunner(), run } } });
  await arrangeLogin(world);
  await logIn(world);
  tables.length = 0;
  const { refreshToken } = await logIn(world);
  expect(tables.filter((name) => name === "tenants" || name === "applications")).toEqual(["applications", "tenants"]);
  expectOk(await world.caller.post("/api/jwt/refresh", { refreshToken }));
  expectEmpty(await world.caller.post("/api/login", loginBody({ password: "wrong password" })), 404);
  const { client } = await startOffice(async () => world);
  expectOk(await askToken(world, client));
  expect(tables).not.toContain("lambdas");
});
