// Methods whose codes are sent: by mail and as text messages, as a person goes through them.
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { factorPath, startFactors } from "../support/factors.js";
import { anybody, arrangeLogin, ids, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid } from "../support/world.js";

const send = "/api/two-factor/send";
const login = "/api/two-factor/login";
const email = "ann@mail.example";

forEachStorage((start) => {
  describe("a method", () => {
    requirement(["two-factor.by-mail", "two-factor.method-mails"], "is added with the code of a mail, once", async () => {
      const { nextCode, nextMail, world } = await startFactors(start);
      const target = { email, method: "email" };
      expectEmpty(await world.caller.post(send, { ...target, userId: ids.user }), 200);
      const { mail, words } = await nextMail("code");
      expect([mail.to.address, words]).toEqual([email, ["code", expect.stringMatching(/^\d{6}$/)]]);
      const add = (body: object) => world.caller.post(factorPath, { ...target, code: words[1], name: "Home", ...body });
      expectEmpty(await add({ email: "eve@mail.example" }), 421);
      expectEmpty(await add({ code: "000000" }), 421);
      const answers = await Promise.all([add({}), add({})]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 200)?.at("recoveryCodes")).toHaveLength(10);
      const shown = expectOk(await world.caller.get(`/api/user/${ids.user}`)).at("user.twoFactor.methods");
      expect(shown).toEqual([{ email, id: expect.any(String), lastUsed: false, method: "email", name: "Home" }]);
      expect((await nextMail("added")).words).toEqual(["added", "email", "Home"]);
      expectEmpty(await world.caller.post(send, { email: "b@mail.example", method: "email", userId: ids.user }), 200);
      const late = { email: "b@mail.example", method: "email", code: await nextCode() };
      world.clock.advance(60_000);
      expectEmpty(await world.caller.post(factorPath, late), 421);
    });

    requirement(
      ["two-factor.by-mail", "two-factor.login"],
      "that is an address finishes a login with its mail's code",
      async () => {
        const { addEmail, begin, nextCode, world } = await startFactors(start);
        const methodId = await addEmail();
        for (const email of ["ann@mail.example", "Ann@Mail.example"])
          expectRefusal(await world.caller.post(factorPath, { code: "1", email, method: "email" }), 400, "[duplicate]email");
        const [first, second] = [await begin(), await begin()];
        const codeFor = async (twoFactorId: string) => {
          expectEmpty(await anybody(world).post(`${send}/${twoFactorId}`, { methodId }), 200);
          return nextCode();
        };
        const [code, other] = [await codeFor(first), await codeFor(second)];
        expectEmpty(await anybody(world).post(login, { code: other, twoFactorId: first }), 421);
        const finish = () => anybody(world).post(login, { code, twoFactorId: first });
        expect((await Promise.all([finish(), finish()])).map(({ status }) => status).sort()).toEqual([200, 404]);
        world.clock.advance(60_000);
        expectEmpty(await anybody(world).post(login, { code: other, twoFactorId: second }), 421);
        const user = expectOk(await world.caller.get(`/api/user/${ids.user}`));
        expect(user.each("user.twoFactor.methods", "lastUsed")).toEqual([true]);
      },
    );

    requirement("two-factor.by-text", "that is a number is added, used and removed with the codes of text messages", async () => {
      const { begin, nextMail, nextText, world } = await startFactors(start);
      const target = { method: "sms", mobilePhone: "555-0199" };
      expectEmpty(await world.caller.post(send, { ...target, userId: ids.user }), 200);
      const first = await nextText();
      expect(first).toMatchObject({ to: "555-0199", text: `Your verification code is ${first.code}` });
      expectOk(await world.caller.post(factorPath, { ...target, code: first.code }));
      for (const mobilePhone of ["555-0199", "555 0199", "(555) 0199"])
        expectRefusal(await world.caller.post(factorPath, { ...target, code: "1", mobilePhone }), 400, "[duplicate]mobilePhone");
      const waiting = await world.caller.post("/api/login", loginBody());
      expect(waiting.at("methods")).toMatchObject([target]);
      const methodId = waiting.textAt("methods.0.id");
      const codeFor = async (twoFactorId: string) => {
        expectEmpty(await anybody(world).post(`${send}/${twoFactorId}`, { methodId }), 200);
        return (await nextText()).code;
      };
      const twoFactorId = waiting.textAt("twoFactorId");
      expectOk(await anybody(world).post(login, { code: await codeFor(twoFactorId), twoFactorId }));
      const remove = (code = "") => world.caller.delete(`${factorPath}?methodId=${methodId}&code=${code}`);
      // The code of a login removes nothing.
      expectEmpty(await remove(await codeFor(await begin())), 421);
      expectEmpty(await world.caller.post(send, { methodId, userId: ids.user }), 200);
      const { code } = await nextText();
      expectEmpty(await remove(code), 200);
      expectRefusal(await remove(code), 400, "[invalid]methodId");
      expect((await nextMail("removed")).words).toEqual(["removed", "sms"]);
      expectOk(await world.caller.post("/api/login", loginBody()));
    });

    requirement("two-factor.by-text", "that is a number gets the template of the application, else the tenant's", async () => {
      const { nextText, setTenant, world } = await startFactors(start);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
      const messageTemplate = { name: "Code", defaultTemplate: "Code ${code} for ${user.email}" };
      const templateId = expectOk(await world.caller.post("/api/message/template", { messageTemplate })).textAt(
        "messageTemplate.id",
      );
      await setTenant({ multiFactorConfiguration: { sms: { templateId } } });
      const target = { method: "sms", mobilePhone: "555-0199", userId: ids.user };
      expectEmpty(await world.caller.post(send, target), 200);
      const message = await nextText();
      expect(message.text).toBe(`Code ${message.code} for ann@example.com`);
      const unknown = { multiFactorConfiguration: { sms: { messengerId: uuid(1), templateId: uuid(1) } } };
      const refused = await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: unknown });
      const paths = ["messengerId", "templateId"].map((name) => `[invalid]tenant.multiFactorConfiguration.sms.${name}`);
      expectRefusal(refused, 400, ...paths);
      const silent = await start({ version: "1.65.0" });
      await arrangeLogin(silent);
      const tenant = { multiFactorConfiguration: { sms: { enabled: true } } };
      expectOk(await silent.caller.patch(`/api/tenant/${silent.defaultTenantId}`, { tenant }));
      const code = "[notConfigured]tenant.multiFactorConfiguration.sms.messengerId";
      expectRefusal(await silent.caller.post(send, target), 400, code);
    });

    requirement("two-factor.redacted", "shows its address and number in part to a caller without a credential", async () => {
      const { addEmail, nextText, world } = await startFactors(start);
      const loginConfiguration = { requireAuthentication: false };
      expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application: { loginConfiguration } }));
      await addEmail();
      const target = { method: "sms", mobilePhone: "555-0199" };
      expectEmpty(await world.caller.post(send, { ...target, userId: ids.user }), 200);
      expectOk(await world.caller.post(factorPath, { ...target, code: (await nextText()).code }));
      const [open, closed] = [
        await anybody(world).post("/api/login", loginBody()),
        await world.caller.post("/api/login", loginBody()),
      ];
      expect(open.at("methods")).toMatchObject([{ email: "a***@mail.example" }, { mobilePhone: "***99" }]);
      expect(closed.at("methods")).toMatchObject([{ email }, target]);
      expect(open.text).not.toContain("0199");
    });

    requirement("two-factor.by-mail", "can be one of several, each with its own codes", async () => {
      const { addAuthenticator, addEmail, begin, finish, nextCode, world } = await startFactors(start);
      const authenticatorId = await addAuthenticator();
      const emailId = await addEmail();
      expectOk(await finish(await begin()));
      const twoFactorId = await begin();
      expectRefusal(
        await anybody(world).post(`${send}/${twoFactorId}`, { methodId: authenticatorId }),
        400,
        "[cannotSend]methodId",
      );
      expectEmpty(await anybody(world).post(`${send}/${twoFactorId}`, { methodId: emailId }), 200);
      expectOk(await anybody(world).post(login, { code: await nextCode(), twoFactorId }));
      expectEmpty(await world.caller.post(send, { methodId: emailId, userId: ids.user }), 200);
      const code = await nextCode();
      const remove = (id: string) => world.caller.delete(`${factorPath}?methodId=${id}&code=${code}`);
      expectEmpty(await remove(authenticatorId), 421);
      expectEmpty(await remove(emailId), 200);
    });

    requirement("two-factor.kinds", "is of a kind that the tenant allows, at a place that messages reach", async () => {
      const { setTenant, world } = await startFactors(start);
      const to = (body: object) => world.caller.post(send, { userId: ids.user, ...body });
      expectRefusal(await to({}), 400, "[missing]method");
      expectRefusal(await to({ method: "authenticator" }), 400, "[invalidOption]method");
      expectRefusal(await to({ method: "email" }), 400, "[blank]email");
      expectRefusal(await to({ method: "email", email: "no address" }), 400, "[notEmail]email");
      expectRefusal(await to({ method: "sms", mobilePhone: "call me" }), 400, "[invalid]mobilePhone");
      expectRefusal(await to({ methodId: uuid(1) }), 400, "[invalid]methodId");
      expectRefusal(await world.caller.post(send, { method: "email", email }), 400, "[missing]userId");
      await setTenant({ multiFactorConfiguration: { email: { enabled: true, templateId: null }, sms: { enabled: false } } });
      expectRefusal(await to({ method: "sms", mobilePhone: "555-0199" }), 400, "[disabled]method");
      expectRefusal(await to({ method: "email", email }), 403, "[noMailTemplate]");
      await setTenant({ multiFactorConfiguration: { authenticator: { enabled: false } } });
      const secret = { code: "123456", method: "authenticator", secret: "a secret of mine" };
      expectRefusal(await world.caller.post(factorPath, secret), 400, "[disabled]method");
    });

    requirement("two-factor.update", "gets another name", async () => {
      const { addAuthenticator, world } = await startFactors(start);
      const methodId = await addAuthenticator();
      const shownName = async () => (await world.caller.get(`/api/user/${ids.user}`)).at("user.twoFactor.methods.0.name");
      expectEmpty(await world.caller.put(factorPath, { methodId, name: "Telephone" }), 200);
      expect(await shownName()).toBe("Telephone");
      expectEmpty(await world.caller.put(factorPath, { methodId, name: "" }), 200);
      expect(await shownName()).toBeUndefined();
      expectRefusal(await world.caller.put(factorPath, { methodId: uuid(1), name: "x" }), 400, "[invalid]methodId");
      expectRefusal(await world.caller.put(factorPath, {}), 400, "[missing]methodId");
      expectEmpty(await world.caller.put(`/api/user/two-factor/${uuid(1)}`, { methodId }), 404);
    });
  });

  describe("the codes", () => {
    requirement(
      ["two-factor.codes", "two-factor.sealed"],
      "have the tenant's generator, and nobody reads them in the storage",
      async () => {
        const { nextCode, setTenant, world } = await startFactors(start);
        const twoFactorOneTimeCodeIdGenerator = { length: 12, type: "randomAlpha" };
        const lifetime = { twoFactorOneTimeCodeIdTimeToLiveInSeconds: 5 };
        await setTenant({ externalIdentifierConfiguration: { twoFactorOneTimeCodeIdGenerator, ...lifetime } });
        expectEmpty(await world.caller.post(send, { email, method: "email", userId: ids.user }), 200);
        const code = await nextCode();
        expect(code).toMatch(/^[A-Z]{12}$/);
        const stored = await world.storage.retrieve(globalScope, usersTable, ids.user);
        expect(JSON.stringify([stored, world.log])).not.toContain(code);
        const add = () => world.caller.post(factorPath, { code: ` ${code.toLowerCase()} `, email, method: "email" });
        world.clock.advance(5_000);
        expectEmpty(await add(), 421);
        world.clock.advance(-1);
        expectOk(await add());
      },
    );

    requirement(["two-factor.send-limit", "account.rate-limits"], "are sent as often as the tenant allows", async () => {
      const { setTenant, world } = await startFactors(start);
      await setTenant({ rateLimitConfiguration: { sendTwoFactor: { enabled: true, limit: 2, timePeriodInSeconds: 60 } } });
      const ask = () => world.caller.post(send, { email, method: "email", userId: ids.user });
      const answers = await Promise.all([ask(), ask(), ask()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
      world.clock.advance(60_000);
      expectEmpty(await ask(), 200);
    });

    requirement("two-factor.codes", "of one user and tenant are worth nothing to another", async () => {
      const { nextCode, world } = await startFactors(start);
      const other = expectOk(
        await world.caller.post("/api/user", { user: { email: "bob@example.com", password: "a password" } }),
      );
      expectEmpty(await world.caller.post(send, { email, method: "email", userId: ids.user }), 200);
      const body = { code: await nextCode(), email, method: "email" };
      expectEmpty(await world.caller.post(`/api/user/two-factor/${other.textAt("user.id")}`, body), 421);
      const stranger = world.caller.inTenant(await makeTenant(world, "Other"));
      expectEmpty(await stranger.post(factorPath, body), 404);
      expectRefusal(await stranger.post(send, { email, method: "email", userId: ids.user }), 400, "[invalid]userId");
      expectOk(await world.caller.inTenant(world.defaultTenantId).post(factorPath, body));
    });

    requirement("two-factor.codes", "are guessed at a few times only", async () => {
      const { addEmail, begin, nextCode, world } = await startFactors(start);
      const methodId = await addEmail();
      const twoFactorId = await begin();
      expectEmpty(await anybody(world).post(`${send}/${twoFactorId}`, { methodId }), 200);
      const code = await nextCode();
      const guess = (text: string) => anybody(world).post(login, { code: text, twoFactorId });
      const statuses: number[] = [];
      for (let number = 0; number < 6; number++) statuses.push((await guess(`00000${number}x`)).status);
      expect(statuses).toEqual([421, 421, 421, 421, 421, 423]);
      expect((await guess(code)).status).toBe(423);
    });
  });

  describe("plans and versions", () => {
    requirement("two-factor.plans", "mails and text messages need a plan, and policies of applications another", async () => {
      const settings = { email: { enabled: true }, sms: { enabled: true } };
      const world = await start({ plan: "community" });
      await arrangeLogin(world);
      const tenant = { multiFactorConfiguration: settings };
      const paths = ["email", "sms"].map((kind) => `[notLicensed]tenant.multiFactorConfiguration.${kind}.enabled`);
      expectRefusal(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }), 400, ...paths);
      const application = { multiFactorConfiguration: { loginPolicy: "Required", trustPolicy: "This" } };
      const policies = ["loginPolicy", "trustPolicy"].map((name) => `[notLicensed]application.multiFactorConfiguration.${name}`);
      expectRefusal(await world.caller.patch(`/api/application/${ids.application}`, { application }), 400, ...policies);
    });

    requirement("two-factor.versions", "before 1.26.0 there are no settings, and none of the newer calls", async () => {
      const world = await start({ version: "1.25.0" });
      const shown = expectOk(await world.caller.get(`/api/tenant/${world.defaultTenantId}`));
      expect(shown.at("tenant.multiFactorConfiguration")).toBeUndefined();
      expectEmpty(await world.caller.post("/api/two-factor/start", {}), 404);
      expectEmpty(await world.caller.get("/api/two-factor/status"), 404);
      expectEmpty(await world.caller.put(factorPath, {}), 405);
    });
  });
});
