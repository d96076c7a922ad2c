import { type RecordToStore, tenantScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { tenantsTable } from "../../src/records/tenants/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startFlows, templateId } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody } from "../support/logins.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, uuid, type World } from "../support/world.js";

const verifying = { emailConfiguration: { verifyEmail: true } };
const user = { email: "Ann@example.com", password: "correct horse battery" };

async function isVerified(world: World, id = ids.user): Promise<unknown> {
  const answer = expectOk(await world.caller.get(`/api/user/${id}`));
  expect(answer.at("user.identities.0.verified")).toBe(answer.at("user.verified"));
  expect(answer.at("user.verifiedInstant") !== undefined).toBe(answer.at("user.verified"));
  return answer.at("user.verified");
}

forEachStorage(
  (start) => {
    describe("the verification of a registration", () => {
      const application = {
        verifyRegistration: true,
        verificationEmailTemplateId: templateId("verification"),
        unverified: { behavior: "Gated" },
      };
      const registrationPath = `/api/user/registration/${ids.user}/${ids.application}`;

      requirement(["account.verify-registration", "account.gated"], "ends with the link, and verifies the address", async () => {
        const { nextMail, world } = await startFlows(start);
        await arrangeLogin(world, { application, user: { verified: false } });
        const [, verificationId = ""] = (await nextMail()).words;
        const waiting = await world.caller.post("/api/login", loginBody());
        expect([waiting.status, waiting.body]).toEqual([213, {}]);
        expectEmpty(await anybody(world).post("/api/user/verify-registration", { verificationId }), 200);
        expectEmpty(await anybody(world).post("/api/user/verify-registration", { verificationId }), 404);
        expect((await world.caller.get(registrationPath)).at("registration.verified")).toBe(true);
        expect(await isVerified(world)).toBe(true);
        expectOk(await world.caller.post("/api/login", loginBody()));
      });

      requirement("account.verify-registration", "publishes its event", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world, { application });
        const query = `?email=ann@example.com&applicationId=${ids.application}&sendVerifyPasswordEmail=false`;
        const verificationId = expectOk(await world.caller.put(`/api/user/verify-registration${query}`)).textAt("verificationId");
        expectEmpty(await anybody(world).post("/api/user/verify-registration", { verificationId }), 200);
        const [event] = await readEvents(world.storage, "user.registration.verified");
        expect(event).toMatchObject({ applicationId: ids.application, registration: { verified: true }, user: { id: ids.user } });
      });

      requirement("account.verify-registration", "is sent once more, skipped, and not implicit where that is off", async () => {
        const { nextMail, world } = await startFlows(start, { emailConfiguration: { implicitEmailVerificationAllowed: false } });
        await arrangeLogin(world, { application, user: { verified: false } });
        await nextMail();
        const query = `?email=ann@example.com&applicationId=${ids.application}`;
        expectEmpty(await anybody(world).put(`/api/user/verify-registration${query}`), 200);
        const [, verificationId = ""] = (await nextMail()).words;
        expectEmpty(await anybody(world).post(`/api/user/verify-registration/${verificationId}`), 200);
        expect(await isVerified(world)).toBe(false);
        const body = { registration: { applicationId: ids.application }, user: { email: "b@example.com" } };
        const made = expectOk(await world.caller.post("/api/user/registration", { ...body, skipRegistrationVerification: true }));
        expect([made.at("registration.verified"), made.at("registrationVerificationId")]).toEqual([true, undefined]);
        const asked = { ...body, user: { email: "c@example.com" } };
        const answer = expectOk(await world.caller.post("/api/user/registration", asked));
        expect([answer.at("registration.verified"), answer.textAt("registrationVerificationId")]).toEqual([
          false,
          expect.any(String),
        ]);
      });
    });

    describe("the verification of a login id", () => {
      const base = "/api/identity/verify";

      requirement("account.verify-identity", "starts, sends and completes", async () => {
        const { nextMail, world } = await startFlows(start);
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { ...user, verified: false } }));
        const identity = { loginId: "ann@example.com", loginIdType: "email" };
        const started = expectOk(
          await world.caller.post(`${base}/start`, { ...identity, state: { to: "here" }, verificationStrategy: "FormField" }),
        );
        const verificationId = started.textAt("verificationId");
        expectEmpty(await world.caller.post(`${base}/send`, { verificationId }), 200);
        const { words } = await nextMail();
        expect(words).toEqual(["check", verificationId, started.at("oneTimeCode")]);
        expectEmpty(await world.caller.post(`${base}/complete`, { verificationId, oneTimeCode: "AAAAAA" }), 404);
        const complete = { verificationId, oneTimeCode: words[2] };
        expect(expectOk(await world.caller.post(`${base}/complete`, complete)).body).toEqual({ state: { to: "here" } });
        expectEmpty(await world.caller.post(`${base}/complete`, complete), 404);
        expect(await isVerified(world)).toBe(true);
        expectEmpty(await world.caller.post(`${base}/start`, { ...identity, loginId: "nobody@example.com" }), 404);
        expectRefusal(
          await world.caller.post(`${base}/start`, { ...identity, existingUserStrategy: "mustNotExist" }),
          400,
          "[duplicate]loginId",
        );
      });

      requirement("account.verify-identity", "proves an address before there is a user, once", async () => {
        const { world } = await startFlows(start, verifying);
        const identity = { loginId: "Ann@Example.com", loginIdType: "email", existingUserStrategy: "mustNotExist" };
        const started = expectOk(await world.caller.post(`${base}/start`, identity));
        const verificationId = started.textAt("verificationId");
        const body = { user, verificationIds: [verificationId] };
        expectRefusal(await world.caller.post("/api/user", body), 400, "[invalid]verificationIds");
        const statuses = await Promise.all([0, 1].map(() => world.caller.post(`${base}/complete`, { verificationId })));
        expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
        const stranger = { user: { ...user, email: "other@example.com" }, verificationIds: [verificationId] };
        expectRefusal(await world.caller.post("/api/user", stranger), 400, "[invalid]verificationIds");
        expect(expectOk(await world.caller.post(`/api/user/${ids.user}`, body)).at("user.verified")).toBe(true);
        const again = { user: { ...user, email: "again@example.com" }, verificationIds: [verificationId] };
        expectRefusal(await world.caller.post("/api/user", again), 400, "[invalid]verificationIds");
      });

      requirement("account.verify-identity", "is marked by a key, from 1.59.0 on", async () => {
        const { world } = await startFlows(start);
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { ...user, verified: false } }));
        const identity = { loginId: "ann@example.com", loginIdType: "email" };
        expectEmpty(await anybody(world).post(`${base}/verify`, identity), 401);
        expectEmpty(await world.caller.post(`${base}/verify`, identity), 200);
        expect(await isVerified(world)).toBe(true);
        expectEmpty(await world.caller.post(`${base}/verify`, { ...identity, loginId: "x@example.com" }), 404);
        const earlier = await start({ version: "1.58.0" });
        expectEmpty(await earlier.caller.post(`${base}/verify`, identity), 404);
      });
    });

    describe("the settings of account flows", () => {
      requirement("account.templates-in-use", "name templates that exist and stay", async () => {
        const { setTenant, world } = await startFlows(start);
        expectRefusal(
          await world.caller.delete(`/api/email/template/${templateId("forgotPassword")}`),
          400,
          "[inUse]emailTemplateId",
        );
        const tenant = { emailConfiguration: { verificationEmailTemplateId: uuid(999) } };
        expectRefusal(
          await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }),
          400,
          "[invalid]tenant.emailConfiguration.verificationEmailTemplateId",
        );
        const application = { name: "Shop", verificationEmailTemplateId: uuid(999) };
        expectRefusal(
          await world.caller.post("/api/application", { application }),
          400,
          "[invalid]application.verificationEmailTemplateId",
        );
        await setTenant({ emailConfiguration: { forgotPasswordEmailTemplateId: templateId("verification") } });
        expectEmpty(await world.caller.delete(`/api/email/template/${templateId("forgotPassword")}`), 200);
      });

      requirement("account.settings", "have their defaults in tenants that an earlier version stored", async () => {
        const { world } = await startFlows(start);
        const scope = tenantScope(world.defaultTenantId);
        const [stored] = await world.storage.find(scope, tenantsTable, undefined);
        const { passwordValidationRules, rateLimitConfiguration, ...earlier } = JSON.parse(stored?.json ?? "");
        const json = JSON.stringify({
          ...earlier,
          emailConfiguration: {},
          externalIdentifierConfiguration: { twoFactorIdTimeToLiveInSeconds: 300 },
        });
        const columns = { nameFolded: "default", state: "Active" };
        const record = {
          ...stored,
          columns,
          json,
          insertInstant: 1,
          lastUpdateInstant: 1,
          version: (stored?.version ?? 0) + 1,
        } as RecordToStore;
        await world.storage.transaction((tx) => tx.update(scope, tenantsTable, record));
        await arrangeLogin(world);
        expectOk(await world.caller.post("/api/login", loginBody()));
        expectEmpty(await anybody(world).post("/api/user/forgot-password", { loginId: "ann@example.com" }), 200);
        const rules = expectOk(await anybody(world).get("/api/tenant/password-validation-rules"));
        expect(rules.at("passwordValidationRules")).toEqual(passwordValidationRules);
        const patched = await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { name: "Renamed" } });
        expect(expectOk(patched).at("tenant.rateLimitConfiguration")).toEqual(rateLimitConfiguration);
      });
    });
  },
  isLong ? embeddedPostgres() : [],
);
