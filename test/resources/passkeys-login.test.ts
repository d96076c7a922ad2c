import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { flagBits, testPage } from "../support/authenticator.js";
import { makeLambda } from "../support/lambdas.js";
import { anybody, claimsOf, ids } from "../support/logins.js";
import {
  asUser,
  base,
  beginLogin,
  registered,
  sendLogin,
  setTenant,
  startPasskeys,
  webAuthnConfiguration,
} from "../support/passkeys.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { forEachStorage, makeTenant, readEvents, type World } from "../support/world.js";

const unverified = { flags: flagBits.userPresent };

async function enableSecondFactor(world: World): Promise<void> {
  const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
  expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, method));
}

/** Lets authenticators leave the user unverified. */
function preferVerification(world: World): Promise<void> {
  const workflow = { enabled: true, userVerificationRequirement: "preferred" };
  return setTenant(world, { webAuthnConfiguration: { bootstrapWorkflow: workflow, reauthenticationWorkflow: workflow } });
}

forEachStorage(
  (start) => {
    describe("a login with a passkey", () => {
      requirement("passkey.login", "names the user by the passkey, and answers as any login", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        const options = await beginLogin(world.caller, { state: { to: "here" } });
        expect(options).toEqual({
          allowCredentials: [],
          challenge: expect.any(String),
          rpId: "example.com",
          timeout: 180_000,
          userVerification: "required",
        });
        world.clock.advance(1_000);
        const answer = expectOk(await sendLogin(world, authenticator.get(options), { metaData: { device: 1 } }));
        expect(claimsOf(answer.textAt("token"))).toMatchObject({ authenticationType: "WEBAUTHN", sub: ids.user });
        expect(answer.at("refreshToken")).toEqual(expect.any(String));
        expect(answer.at("state")).toEqual({ to: "here" });
        expect(answer.at("user.lastLoginInstant")).toBe(world.clock.instant);
        const [event] = await readEvents(world.storage, "user.login.success");
        expect(event).toMatchObject({ applicationId: ids.application, authenticationType: "WEBAUTHN" });
        const [passkey] = expectOk(await world.caller.get(`${base}?userId=${ids.user}`)).at("credentials") as unknown[];
        expect(passkey).toMatchObject({ lastUseInstant: world.clock.instant, signCount: 0 });
      });

      requirement("passkey.login", "may be for a user or one passkey, and without an application or tokens", async () => {
        const world = await startPasskeys(start);
        const first = await registered(world);
        world.clock.advance(1_000);
        const second = await registered(world);
        const ofUser = await beginLogin(world.caller, { loginId: "ANN@example.com" });
        expect(ofUser.allowCredentials).toMatchObject([{ id: first.credentialId }, { id: second.credentialId }]);
        const [record] = expectOk(await world.caller.get(`${base}?userId=${ids.user}`)).at("credentials") as { id: string }[];
        const ofOne = await beginLogin(world.caller, { applicationId: undefined, credentialId: record?.id });
        expect(ofOne.allowCredentials).toMatchObject([{ id: first.credentialId }]);
        const answer = expectOk(await sendLogin(world, first.get(ofOne), { noJWT: true }));
        expect(Object.keys(answer.body as object)).toEqual(["user"]);
        expectEmpty(await sendLogin(world, second.get(await beginLogin(world.caller, { credentialId: record?.id }))), 404);
        expectEmpty(await world.caller.post(`${base}/start`, { loginId: "nobody" }), 404);
        expectEmpty(await world.caller.post(`${base}/start`, { credentialId: ids.user }), 404);
        expectEmpty(await anybody(world).post(`${base}/start`, {}), 401);
        expectEmpty(await world.caller.delete(`${base}?userId=${ids.user}`), 200);
        expectRefusal(await world.caller.post(`${base}/start`, { userId: ids.user }), 400, "[notConfigured]userId");
      });

      requirement("passkey.login-rules", "is refused to users who are inactive or expired, and by a lambda", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        const patch = (user: object) => world.caller.patch(`/api/user/${ids.user}`, { user });
        const options = await beginLogin(world.caller);
        const tenantLambda = await makeLambda(world, "LoginValidation", {
          body: "function validate(result, user, registration, context) { result.errors.generalErrors = [{ code: context.authenticationType, message: 'No.' }]; }",
        });
        await setTenant(world, { lambdaConfiguration: { loginValidationId: tenantLambda } });
        expectRefusal(await sendLogin(world, authenticator.get(options)), 400, "WEBAUTHN");
        const late = await beginLogin(world.caller);
        expectOk(await patch({ expiry: world.clock.instant }));
        expectEmpty(await sendLogin(world, authenticator.get(late)), 410);
        const last = await beginLogin(world.caller);
        expectEmpty(await world.caller.delete(`/api/user/${ids.user}`), 200);
        expectEmpty(await sendLogin(world, authenticator.get(last)), 404);
        expectEmpty(await world.caller.post(`${base}/start`, { userId: ids.user }), 404);
      });

      requirement("passkey.login-rules", "asks for a password that must be changed", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { passwordChangeRequired: true } }));
        const answer = await sendLogin(world, authenticator.get(await beginLogin(world.caller)));
        expect(answer.status).toBe(203);
        expect(answer.at("changePasswordReason")).toBe("Administrative");
      });

      requirement("passkey.second-factor", "is both factors where the authenticator verified the user", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        await enableSecondFactor(world);
        expectOk(await sendLogin(world, authenticator.get(await beginLogin(world.caller))));
        await preferVerification(world);
        const asked = await sendLogin(world, authenticator.get(await beginLogin(world.caller), unverified));
        expect(asked.status).toBe(242);
        world.clock.advance(30_000);
        const code = codeAt(secret, world.clock.instant);
        const twoFactorId = asked.textAt("twoFactorId");
        expectOk(await world.caller.post("/api/two-factor/login", { code, twoFactorId }));
        await setTenant(world, { multiFactorConfiguration: { loginPolicy: "Required" } });
        expectOk(await sendLogin(world, authenticator.get(await beginLogin(world.caller))));
      });

      requirement("passkey.challenge", "uses its challenge up once, however many present it", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        const credential = authenticator.get(await beginLogin(world.caller));
        const answers = await Promise.all([0, 1, 2].map(() => sendLogin(world, credential)));
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
        expectEmpty(await sendLogin(world, credential), 404);
      });

      requirement("passkey.challenge", "keeps the time, the tenant and the purpose of its challenge", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        const own = { ...world, caller: world.caller.inTenant(world.defaultTenantId) };
        const other = await makeTenant(world, "Other");
        const credential = authenticator.get(await beginLogin(own.caller));
        expectEmpty(
          await anybody(world)
            .inTenant(other)
            .post(`${base}/login`, { credential, ...testPage }),
          404,
        );
        const body = { displayName: "Another", userId: ids.user };
        const creation = expectOk(await own.caller.post(`${base}/register/start`, body)).at("options") as { challenge: string };
        expectEmpty(await sendLogin(own, authenticator.get(creation)), 404);
        expectEmpty(await sendLogin(own, authenticator.get({ challenge: "made-up" })), 404);
        expectOk(await sendLogin(own, credential));
        const late = authenticator.get(await beginLogin(own.caller));
        world.clock.advance(180_000);
        expectEmpty(await sendLogin(own, late), 404);
      });

      requirement("passkey.counter", "counts up, and a copy is refused and in the event log", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        const use = async (signCount: number) =>
          sendLogin(world, authenticator.get(await beginLogin(world.caller), { signCount }));
        expectOk(await use(5));
        expectOk(await use(7));
        for (const count of [7, 6, 0]) expectEmpty(await use(count), 404);
        expectOk(await use(8));
        const found = expectOk(await world.caller.get("/api/system/event-log/search?type=Error"));
        expect(found.at("total")).toBe(3);
        expect(found.at("eventLogs.0.message")).toContain("may have been copied");
        const failures = await readEvents(world.storage, "user.login.failed");
        expect(failures).toHaveLength(3);
        expect(failures[0]).toMatchObject({ authenticationType: "WEBAUTHN", reason: { code: "credentials" } });
      });
    });

    describe("an assertion", () => {
      requirement("passkey.assert", "shows the passkey and logs nobody in", async () => {
        const world = await startPasskeys(start);
        const authenticator = await registered(world);
        const user = await asUser(world);
        const before = (await readEvents(world.storage, "user.login.success")).length;
        const body = { state: { step: 2 }, workflow: "reauthentication" };
        const options = expectOk(await user.post(`${base}/start`, body)).at("options") as { challenge: string };
        const credential = authenticator.get(options);
        const answer = expectOk(await anybody(world).post(`${base}/assert`, { credential, ...testPage }));
        expect(answer.body).toMatchObject({
          credential: { credentialId: authenticator.credentialId, userId: ids.user },
          state: { step: 2 },
        });
        expectEmpty(await anybody(world).post(`${base}/assert`, { credential, ...testPage }), 404);
        expect(await readEvents(world.storage, "user.login.success")).toHaveLength(before);
      });
    });

    describe("workflows", () => {
      requirement("passkey.workflows", "are the tenant's, or the application's in its place", async () => {
        const world = await startPasskeys(start);
        await setTenant(world, { webAuthnConfiguration: { bootstrapWorkflow: { enabled: false } } });
        const body = { applicationId: ids.application, workflow: "bootstrap" };
        expectRefusal(await world.caller.post(`${base}/start`, body), 400, "[disabled]workflow");
        const ofApplication = { bootstrapWorkflow: { enabled: true }, enabled: true };
        const patch = { application: { webAuthnConfiguration: ofApplication } };
        expectOk(await world.caller.patch(`/api/application/${ids.application}`, patch));
        expectOk(await world.caller.post(`${base}/start`, body));
        const again = { ...body, workflow: "reauthentication" };
        expectRefusal(await world.caller.post(`${base}/start`, again), 400, "[disabled]workflow");
        expectOk(await world.caller.post(`${base}/start`, { ...body, workflow: "general" }));
      });

      requirement("passkey.setup", "say what is not set up", async () => {
        const world = await startPasskeys(start);
        await setTenant(world, { webAuthnConfiguration: { ...webAuthnConfiguration, enabled: false } });
        const disabled = "[disabled]tenant.webAuthnConfiguration.enabled";
        expectRefusal(await world.caller.post(`${base}/start`, {}), 400, disabled);
        await setTenant(world, { webAuthnConfiguration: { enabled: true } });
        const tenant = { name: "Default", webAuthnConfiguration: { enabled: true } };
        expectOk(await world.caller.put(`/api/tenant/${world.defaultTenantId}`, { tenant }));
        const missing = "[notConfigured]tenant.webAuthnConfiguration.relyingPartyId";
        expectRefusal(await world.caller.post(`${base}/start`, {}), 400, missing);
        for (const relyingPartyId of ["https://example.com", "EXAMPLE.com", "127.0.0.1", "example.com:8443", "a..b"]) {
          const wrong = { tenant: { webAuthnConfiguration: { relyingPartyId } } };
          const answer = await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, wrong);
          expectRefusal(answer, 400, "[invalid]tenant.webAuthnConfiguration.relyingPartyId");
        }
      });
    });
  },
  isLong ? embeddedPostgres() : [],
);
