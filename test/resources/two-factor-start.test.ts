// Second factors that the host starts, trust tokens and policies, as a person goes through them.
import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { type Factors, startFactors } from "../support/factors.js";
import { anybody, claimsOf, ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { forEachStorage, makeTenant, type Start, uuid } from "../support/world.js";

const path = "/api/two-factor/start";
const login = "/api/two-factor/login";
const otherId = uuid(503);

async function startWithAuthenticator(start: Start): Promise<Factors & { readonly methodId: string }> {
  const factors = await startFactors(start);
  return { ...factors, methodId: await factors.addAuthenticator() };
}

/** Changes the password of a user by an id that a flow issues. */
async function changePassword({ world }: Factors, loginId: string, body: object): Promise<Answer> {
  const asked = { loginId, sendForgotPasswordMessage: false };
  const id = expectOk(await world.caller.post("/api/user/forgot-password", asked)).textAt("changePasswordId");
  return anybody(world).post(`/api/user/change-password/${id}`, { password: "a new password", ...body });
}

/** Makes a second application that the user can log in to, with these policies. */
async function addApplication({ world }: Factors, multiFactorConfiguration: object): Promise<void> {
  const application = { name: "Other shop", multiFactorConfiguration };
  expectOk(await world.caller.post(`/api/application/${otherId}`, { application }));
  const registration = { applicationId: otherId };
  expectOk(await world.caller.post(`/api/user/registration/${ids.user}`, { registration }));
}

forEachStorage((start) => {
  describe("a second factor that the host starts", () => {
    requirement("two-factor.start", "ends with the code of the answer, once, and a session with the state", async () => {
      const { methodId, world } = await startWithAuthenticator(start);
      const asked = { applicationId: ids.application, loginId: "ann@example.com", state: { to: "here" } };
      const started = expectOk(await world.caller.post(path, asked));
      const twoFactorId = started.textAt("twoFactorId");
      const code = started.textAt("code");
      expect(started.body).toMatchObject({ code: expect.stringMatching(/^\d{6}$/), methods: [{ id: methodId }] });
      const finish = () => anybody(world).post(login, { code, twoFactorId });
      const answers = await Promise.all([finish(), finish()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      const answer = answers.find(({ status }) => status === 200) ?? answers[0];
      expect(answer?.body).toMatchObject({ state: { to: "here" }, trustToken: expect.any(String), user: { id: ids.user } });
      const claims = claimsOf(answer?.textAt("token") ?? "");
      expect(claims).toMatchObject({ applicationId: ids.application, authenticationType: "TWO_FACTOR" });
    });

    requirement("two-factor.start", "takes the codes of the methods, a code of one's own, and none that is late", async () => {
      const { addEmail, finish, nextCode, world } = await startWithAuthenticator(start);
      const emailId = await addEmail();
      const begin = async (fields: object = {}) =>
        expectOk(await world.caller.post(path, { userId: ids.user, ...fields })).textAt("twoFactorId");
      expectOk(await finish(await begin()));
      const own = await begin({ code: "Open sesame" });
      expectOk(await anybody(world).post(login, { code: "OPEN SESAME", twoFactorId: own }));
      const mailed = await begin();
      expectEmpty(await anybody(world).post(`/api/two-factor/send/${mailed}`, { methodId: emailId }), 200);
      expectOk(await anybody(world).post(login, { code: await nextCode(), twoFactorId: mailed }));
      const late = expectOk(await world.caller.post(path, { userId: ids.user }));
      world.clock.advance(60_000);
      const body = { code: late.textAt("code"), twoFactorId: late.textAt("twoFactorId") };
      expectEmpty(await anybody(world).post(login, body), 421);
      world.clock.advance(240_000);
      expectEmpty(await finish(late.textAt("twoFactorId")), 404);
    });

    requirement("two-factor.start", "needs a key, a user with a method, and is of one tenant", async () => {
      const { world } = await startWithAuthenticator(start);
      expectEmpty(await anybody(world).post(path, { userId: ids.user }), 401);
      expectRefusal(await world.caller.post(path, {}), 400, "[blank]loginId");
      expectRefusal(await world.caller.post(path, { userId: ids.user, code: "1" }), 400, "[tooShort]code");
      expectRefusal(await world.caller.post(`${path}?dryRun=true`, { userId: ids.user }), 400, "[invalid]dryRun");
      expectEmpty(await world.caller.post(path, { userId: uuid(1) }), 404);
      expectEmpty(await world.caller.post(path, { loginId: "nobody" }), 404);
      const user = { email: "bob@example.com", password };
      expectOk(await world.caller.post(`/api/user/${uuid(504)}`, { user }));
      expectRefusal(await world.caller.post(path, { userId: uuid(504) }), 400, "[notConfigured]userId");
      const { caller } = world;
      const started = expectOk(await caller.post(path, { userId: ids.user }));
      const stranger = caller.inTenant(await makeTenant(world, "Other"));
      expectEmpty(await stranger.post(path, { userId: ids.user }), 404);
      const body = { code: started.textAt("code"), twoFactorId: started.textAt("twoFactorId") };
      expectEmpty(await stranger.post(login, body), 404);
      expectOk(await caller.inTenant(world.defaultTenantId).post(login, body));
    });
  });

  describe("a trust token", () => {
    requirement("two-factor.trust-token", "lets its user change the password, once and with its challenge", async () => {
      const factors = await startWithAuthenticator(start);
      const { world } = factors;
      const proveWith = async (fields: object): Promise<string> => {
        const started = expectOk(await world.caller.post(path, { userId: ids.user, ...fields }));
        return expectOk(await factors.finish(started.textAt("twoFactorId"))).textAt("trustToken");
      };
      const trustToken = await proveWith({ trustChallenge: "of this page" });
      const change = (body: object): Promise<Answer> => changePassword(factors, "ann@example.com", body);
      expectRefusal(await change({}), 400, "[TrustTokenRequired]");
      expectRefusal(await change({ trustToken }), 400, "[invalid]trustToken");
      expectRefusal(await change({ trustToken, trustChallenge: "of another" }), 400, "[invalid]trustToken");
      expectOk(await change({ trustToken, trustChallenge: "of this page" }));
      expectRefusal(await change({ trustToken, trustChallenge: "of this page" }), 400, "[invalid]trustToken");
      const late = await proveWith({});
      world.clock.advance(180_000);
      expectRefusal(await change({ trustToken: late }), 400, "[invalid]trustToken");
      const [one, other] = [await proveWith({}), await proveWith({})];
      expectOk(await change({ trustToken: one }));
      // A new password ends what the second factor proved before.
      expectRefusal(await change({ trustToken: other }), 400, "[invalid]trustToken");
    });

    requirement("two-factor.trust-token", "changes the password once when two calls present it together", async () => {
      const factors = await startWithAuthenticator(start);
      const started = expectOk(await factors.world.caller.post(path, { userId: ids.user }));
      const trustToken = expectOk(await factors.finish(started.textAt("twoFactorId"))).textAt("trustToken");
      const change = () => changePassword(factors, "ann@example.com", { trustToken });
      const answers = await Promise.all([change(), change()]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    requirement("two-factor.trust-token", "of one user is worth nothing to another", async () => {
      const factors = await startWithAuthenticator(start);
      const { world } = factors;
      const started = expectOk(await world.caller.post(path, { userId: ids.user }));
      const trustToken = expectOk(await factors.finish(started.textAt("twoFactorId"))).textAt("trustToken");
      const user = { email: "bob@example.com", password };
      expectOk(await world.caller.post(`/api/user/${uuid(504)}`, { user }));
      const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
      expectOk(await world.caller.post(`/api/user/two-factor/${uuid(504)}`, method));
      expectRefusal(await changePassword(factors, "bob@example.com", { trustToken }), 400, "[invalid]trustToken");
    });
  });

  describe("the policy", () => {
    requirement("two-factor.policy", "asks nobody, users with a method, or everybody; the application's first", async () => {
      const factors = await startWithAuthenticator(start);
      const { setTenant, world } = factors;
      const status = async (fields: object = {}) => (await world.caller.post("/api/login", loginBody(fields))).status;
      expect(await status()).toBe(242);
      await setTenant({ multiFactorConfiguration: { loginPolicy: "Disabled" } });
      expect(await status()).toBe(200);
      await setTenant({ multiFactorConfiguration: { loginPolicy: "Required" } });
      const user = { email: "bob@example.com", password };
      expectOk(await world.caller.post(`/api/user/${uuid(504)}`, { user }));
      const asBob = loginBody({ loginId: "bob@example.com", applicationId: undefined });
      const waiting = await world.caller.post("/api/login", asBob);
      const configurableMethods = ["authenticator", "email", "sms"];
      expect([waiting.status, waiting.body]).toMatchObject([242, { configurableMethods, methods: [] }]);
      await addApplication(factors, { loginPolicy: "Disabled" });
      expect(await status({ applicationId: otherId })).toBe(200);
      const twoFactorId = waiting.textAt("twoFactorId");
      const add = (userId: string, code: string) =>
        world.caller.post(`/api/user/two-factor/${userId}`, { code, method: "authenticator", secret, twoFactorId });
      const code = codeAt(secret, world.clock.instant);
      expectRefusal(await add(ids.user, code), 400, "[invalid]twoFactorId");
      expectOk(await add(uuid(504), code));
      expectOk(await factors.finish(twoFactorId));
    });
  });
});
