import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeAccessList } from "../support/families/access-lists.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, type Start, uuid, type World } from "../support/world.js";

const uiList = (id: unknown): object => ({ accessControlConfiguration: { uiIPAccessControlListId: id } });

/** The records that can name an access list: how each is made and changed, and the path of the field. */
const holders = [
  {
    kind: "apiKey",
    path: "/api/api-key",
    field: "apiKey.ipAccessControlListId",
    body: (id: unknown) => ({ apiKey: { name: "Holder", ipAccessControlListId: id } }),
    remove: "",
  },
  {
    kind: "tenant",
    path: "/api/tenant",
    field: "tenant.accessControlConfiguration.uiIPAccessControlListId",
    body: (id: unknown) => ({ tenant: { name: "Holder", ...uiList(id) } }),
    remove: "",
  },
  {
    kind: "application",
    path: "/api/application",
    field: "application.accessControlConfiguration.uiIPAccessControlListId",
    body: (id: unknown) => ({ application: { name: "Holder", ...uiList(id) } }),
    remove: "?hardDelete=true",
  },
] as const;

async function startWithLists(start: Start): Promise<World> {
  const world = await start();
  await makeAccessList(world, uuid(1), "First");
  await makeAccessList(world, uuid(2), "Second");
  return world;
}

const listPath = (number: number): string => `/api/ip-acl/${uuid(number)}`;

forEachStorage((start) => {
  describe.each(holders)("an access list of an $kind", ({ kind, path, field, body, remove }) => {
    const holder = `${path}/${uuid(9)}`;

    requirement(["access-list.assigned", "key.access-list"], "must exist, on POST, PUT and PATCH", async () => {
      const { caller } = await startWithLists(start);
      for (const id of [uuid(3), uuid(9)])
        expectRefusal(await caller.post(`${path}/${uuid(9)}`, body(id)), 400, `[invalid]${field}`);
      expect(expectOk(await caller.post(holder, body(uuid(1).toUpperCase()))).at(field)).toBe(uuid(1));
      expectRefusal(await caller.put(holder, body(uuid(3))), 400, `[invalid]${field}`);
      expectRefusal(await caller.patch(holder, body(uuid(3))), 400, `[invalid]${field}`);
      expectRefusal(await caller.mergePatch(holder, body("x")), 400, `[couldNotConvert]${field}`);
      expect((await caller.get(holder)).at(field)).toBe(uuid(1));
    });

    requirement("access-list.in-use", "cannot be removed until nothing names it any more", async () => {
      const { caller } = await startWithLists(start);
      expectOk(await caller.post(holder, body(uuid(1))));
      const refusal = await caller.delete(listPath(1));
      expectRefusal(refusal, 400, "[inUse]ipAccessControlListId");
      expect(refusal.text).toContain(`${kind} Holder`);
      expectRefusal(await caller.delete(`${listPath(1)}?dryRun=true`), 400, "[inUse]ipAccessControlListId");
      expectOk(await caller.put(listPath(1), { ipAccessControlList: { name: "New", entries: [{ startIPAddress: "*" }] } }));
      expectOk(await caller.put(holder, body(uuid(2))));
      expectEmpty(await caller.delete(listPath(1)), 200);
      expectRefusal(await caller.delete(listPath(2)), 400, "[inUse]ipAccessControlListId");
      expectOk(await caller.patch(holder, body(null)));
      expectEmpty(await caller.delete(listPath(2)), 200);
    });

    requirement("access-list.in-use", "is free when what named it is removed", async () => {
      const { caller } = await startWithLists(start);
      expectOk(await caller.post(holder, body(uuid(1))));
      expectEmpty(await caller.delete(`${holder}${remove}`), 200);
      expectEmpty(await caller.delete(listPath(1)), 200);
    });

    requirement("access-list.plan", "needs the plan enterprise", async () => {
      const { caller } = await start({ plan: "essentials" });
      expectRefusal(await caller.post(holder, body(uuid(1))), 400, `[notLicensed]${field}`);
      expectOk(await caller.post(holder, body(null)));
      expectRefusal(await caller.put(holder, body(uuid(1))), 400, `[notLicensed]${field}`);
      expectRefusal(await caller.patch(holder, body(uuid(1))), 400, `[notLicensed]${field}`);
    });

    requirement("access-list.version", "is an unknown property before 1.30.0", async () => {
      const { caller } = await start({ version: "1.29.9" });
      const made = expectOk(await caller.post(holder, body(uuid(1))));
      expect(made.text).not.toContain("AccessControlListId");
      expectOk(await caller.patch(holder, body("x")));
    });
  });

  describe("the access lists of a tenant's records", () => {
    requirement("access-list.in-use", "are free when the tenant is removed with its keys and applications", async () => {
      const world = await startWithLists(start);
      const tenantId = await makeTenant(world, "Other");
      const caller = world.caller.inTenant(tenantId);
      expectOk(await caller.post("/api/application", { application: { name: "A", ...uiList(uuid(1)) } }));
      expectOk(await world.caller.post("/api/api-key", { apiKey: { tenantId, ipAccessControlListId: uuid(1) } }));
      expectOk(await world.caller.patch(`/api/tenant/${tenantId}`, { tenant: uiList(uuid(1)) }));
      const refusal = await world.caller.delete(listPath(1));
      expectRefusal(refusal, 400, "[inUse]ipAccessControlListId");
      for (const user of ["application A", "tenant Other", "apiKey "]) expect(refusal.text).toContain(user);
      expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
      expectEmpty(await world.caller.delete(listPath(1)), 200);
    });
  });

  describe("what a tenant and an application refer to", () => {
    requirement("tenant.references", "must exist, each field by itself, all of them at once", async () => {
      const { caller } = await start();
      const lambdaIds = [
        "loginValidationId",
        "multiFactorRequirementId",
        "scimEnterpriseUserRequestConverterId",
        "scimEnterpriseUserResponseConverterId",
        "scimGroupRequestConverterId",
        "scimGroupResponseConverterId",
        "scimUserRequestConverterId",
        "scimUserResponseConverterId",
      ];
      const tenant = {
        name: "T",
        ...uiList(uuid(1)),
        formConfiguration: { adminUserFormId: uuid(2) },
        jwtConfiguration: { accessTokenKeyId: uuid(3), idTokenKeyId: uuid(4) },
        lambdaConfiguration: Object.fromEntries(lambdaIds.map((name) => [name, uuid(5)])),
        oauthConfiguration: { clientCredentialsAccessTokenPopulateLambdaId: uuid(6) },
      };
      const paths = [
        "accessControlConfiguration.uiIPAccessControlListId",
        "formConfiguration.adminUserFormId",
        "jwtConfiguration.accessTokenKeyId",
        "jwtConfiguration.idTokenKeyId",
        ...lambdaIds.map((name) => `lambdaConfiguration.${name}`),
        "oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId",
      ];
      expectRefusal(await caller.post("/api/tenant", { tenant }), 400, ...paths.map((path) => `[invalid]tenant.${path}`));
    });

    requirement("application.references", "must exist, each field by itself, all of them at once", async () => {
      const { caller } = await start();
      const lambdaIds = [
        "accessTokenPopulateId",
        "idTokenPopulateId",
        "multiFactorRequirementId",
        "samlv2PopulateId",
        "selfServiceRegistrationValidationId",
        "userinfoPopulateId",
      ];
      const application = {
        name: "A",
        ...uiList(uuid(1)),
        formConfiguration: { adminRegistrationFormId: uuid(2), selfServiceFormId: uuid(2) },
        jwtConfiguration: { accessTokenKeyId: uuid(3), idTokenKeyId: uuid(3) },
        lambdaConfiguration: Object.fromEntries(lambdaIds.map((name) => [name, uuid(4)])),
        registrationConfiguration: { formId: uuid(5) },
      };
      const paths = [
        "accessControlConfiguration.uiIPAccessControlListId",
        "formConfiguration.adminRegistrationFormId",
        "formConfiguration.selfServiceFormId",
        "jwtConfiguration.accessTokenKeyId",
        "jwtConfiguration.idTokenKeyId",
        ...lambdaIds.map((name) => `lambdaConfiguration.${name}`),
        "registrationConfiguration.formId",
      ];
      const answer = await caller.post("/api/application", { application });
      expectRefusal(answer, 400, ...paths.map((path) => `[invalid]application.${path}`));
    });
  });
});
