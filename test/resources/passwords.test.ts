import { memoryStorage } from "latchkey/memory";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, ids, logIn, loginBody, password } from "../support/logins.js";
import { makeMessageTemplate } from "../support/messengers.js";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, makeTenant, readEvents, startWorld, uuid, type World } from "../support/world.js";

const forgot = "/api/user/forgot-password";
const change = "/api/user/change-password";
const newPassword = "another password of hers";
const loginId = "ann@example.com";

/** An id for the user of the tests, as a key gets it. */
async function askForId(world: World, fields: object = {}): Promise<string> {
  const body = { loginId, sendForgotPasswordMessage: false, ...fields };
  return expectOk(await world.caller.post(forgot, body)).textAt("changePasswordId");
}

async function canLogIn(world: World, given: string): Promise<boolean> {
  return (await world.caller.post("/api/login", loginBody({ password: given }))).status === 200;
}

forEachStorage(
  (start) => {
    describe("a forgotten password", () => {
      requirement(
        ["account.forgot", "account.change-ends"],
        "is changed by the link of the mail, which ends all sessions",
        async () => {
          const { nextMail, world } = await startFlows(start);
          await arrangeLogin(world, { user: { verified: false } });
          const { refreshToken } = await logIn(world);
          const state = { to: "/cart" };
          expectEmpty(
            await anybody(world).post(forgot, { loginId: "ANN@example.com", state, applicationId: ids.application }),
            200,
          );
          for (const type of ["start", "send"])
            expect(await readEvents(world.storage, `user.password.reset.${type}`)).toMatchObject([{ user: { id: ids.user } }]);
          const other = await askForId(world);
          const { mail, words } = await nextMail();
          expect([mail.to.address, words[0]]).toEqual([loginId, "forgot"]);
          const id = words[1];
          expectEmpty(await anybody(world).get(`${change}/${id}`), 200);
          const changed = expectOk(await anybody(world).post(`${change}/${id}`, { password: newPassword }));
          expect(changed.body).toEqual({ oneTimePassword: expect.any(String), state });
          expect([await canLogIn(world, password), await canLogIn(world, newPassword)]).toEqual([false, true]);
          expectRefusal(await anybody(world).post("/api/jwt/refresh", { refreshToken }), 400, "[invalid]refreshToken");
          for (const used of [id, other]) {
            expectEmpty(await anybody(world).get(`${change}/${used}`), 404);
            expectEmpty(await anybody(world).post(`${change}/${used}`, { password: "the third one" }), 404);
          }
          expect((await nextMail("reset")).words).toEqual(["reset", loginId]);
          expect(expectOk(await world.caller.get(`/api/user/${ids.user}`)).at("user.verified")).toBe(true);
        },
      );

      requirement("account.forgot", "is changed by a link to the service's own URL, not to the host of a request", async () => {
        const { nextMail, world } = await startFlows(start, {}, { publicUrl: "https://id.example.com" });
        await arrangeLogin(world);
        const forged = { Host: "evil.example.net", "X-Forwarded-Host": "evil.example.net", Origin: "https://evil.example.net" };
        expectEmpty(await new Caller(world.identity, forged).post(forgot, { loginId }), 200);
        const { mail, words } = await nextMail("forgot");
        expect(words[2]).toBe("https://id.example.com");
        expect(JSON.stringify(mail)).not.toContain("evil");
      });

      requirement("account.id-once", "is changed once by two who come at once", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world);
        const changePasswordId = await askForId(world);
        const asked = ["first password", "second password"];
        const answers = await Promise.all(asked.map((one) => anybody(world).post(change, { changePasswordId, password: one })));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
        const winner = asked[answers.findIndex(({ status }) => status === 200)] ?? "";
        expect(await canLogIn(world, winner)).toBe(true);
        expect(await readEvents(world.storage, "user.password.update")).toHaveLength(1);
        expect(await readEvents(world.storage, "user.password.reset.success")).toMatchObject([{ user: { id: ids.user } }]);
      });

      requirement(["account.id-place", "account.id-lifetime"], "keeps the place and the time of its id", async () => {
        const { world } = await startFlows(start);
        const other = await makeTenant(world, "Other");
        const { caller, clock, defaultTenantId } = world;
        const own = { ...world, caller: caller.inTenant(defaultTenantId) };
        await arrangeLogin(own);
        const id = await askForId(own);
        expectEmpty(await anybody(world).inTenant(other).post(`${change}/${id}`, { password: newPassword }), 404);
        expectEmpty(await anybody(world).inTenant(other).get(`${change}/${id}`), 404);
        expectEmpty(await anybody(world).post(`${change}/${id}x`, { password: newPassword }), 404);
        clock.advance(600_000);
        expectEmpty(await anybody(world).post(`${change}/${id}`, { password: newPassword }), 404);
        expect(await canLogIn(own, password)).toBe(true);
      });

      requirement("account.forgot-refused", "names what is missing to a key, and nothing to anybody else", async () => {
        const { setTenant, world } = await startFlows(start, {}, {});
        expectOk(await world.caller.post("/api/user", { user: { username: "nomail" } }));
        await arrangeLogin(world);
        expectEmpty(await world.caller.post(forgot, { loginId: "nobody" }), 404);
        expectRefusal(await world.caller.post(forgot, { loginId: "nomail" }), 422, "[noMailAddress]");
        expectRefusal(await world.caller.post(forgot, {}), 400, "[blank]loginId");
        expectRefusal(await anybody(world).post(forgot, { loginId, applicationId: uuid(9) }), 400, "[invalid]applicationId");
        await setTenant({ emailConfiguration: { forgotPasswordEmailTemplateId: null } });
        expectRefusal(await world.caller.post(forgot, { loginId }), 403, "[noMailTemplate]");
        for (const anyId of [loginId, "nomail", "nobody"])
          expectEmpty(await anybody(world).post(forgot, { loginId: anyId }), 200);
        const revealing = await start({ revealUnknownUsers: true });
        expectEmpty(await anybody(revealing).post(forgot, { loginId: "nobody" }), 404);
      });

      requirement("account.forgot", "lets a key alone choose the id", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world);
        const changePasswordId = "chosen".repeat(6);
        expect(await askForId(world, { changePasswordId })).toBe(changePasswordId);
        expectRefusal(
          await world.caller.post(forgot, { loginId, changePasswordId, sendForgotPasswordMessage: false }),
          400,
          "[duplicate]changePasswordId",
        );
        expectRefusal(await world.caller.post(forgot, { loginId, changePasswordId: "short" }), 400, "[tooShort]changePasswordId");
        const other = "other".repeat(8);
        expectEmpty(await anybody(world).post(forgot, { loginId, changePasswordId: other }), 200);
        expectEmpty(await anybody(world).get(`${change}/${other}`), 404);
      });
    });

    describe("a change of the password", () => {
      requirement("account.change", "needs the current password beside the user's token", async () => {
        const { nextMail, world } = await startFlows(start);
        await arrangeLogin(world);
        const { refreshToken, token } = await logIn(world);
        const own = new Caller(world.identity, { Authorization: `Bearer ${token}` });
        expectRefusal(await own.post(change, { password: newPassword }), 400, "[blank]currentPassword");
        expectEmpty(await own.post(change, { password: newPassword, currentPassword: "wrong password" }), 404);
        const changed = expectOk(await own.post(change, { password: newPassword, currentPassword: password }));
        expect(changed.body).toEqual({ oneTimePassword: expect.any(String) });
        expect(await canLogIn(world, newPassword)).toBe(true);
        expectRefusal(await anybody(world).post("/api/jwt/refresh", { refreshToken }), 400, "[invalid]refreshToken");
        expect((await nextMail()).words[0]).toBe("updated");
        expectRefusal(await anybody(world).post(change, { password: newPassword }), 400, "[missing]changePasswordId");
      });

      requirement("account.change", "needs no id from a key that names the user", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world);
        expectEmpty(await world.caller.get(`${change}?loginId=${loginId}`), 200);
        expectRefusal(await anybody(world).get(`${change}?loginId=${loginId}`), 400, "[missing]changePasswordId");
        const wrong = { loginId, password: newPassword, currentPassword: "wrong password" };
        expectRefusal(await world.caller.post(change, wrong), 400, "[invalid]currentPassword");
        expectEmpty(await world.caller.post(change, { loginId, password: newPassword }), 200);
        expect(await canLogIn(world, newPassword)).toBe(true);
        expectEmpty(await world.caller.post(change, { loginId: "nobody", password: newPassword }), 404);
        expectRefusal(await world.caller.post(change, { password: newPassword }), 400, "[missing]loginId");
      });

      requirement("account.change-ends", "by an administrator voids links and mails the user", async () => {
        const { nextMail, world } = await startFlows(start);
        await arrangeLogin(world);
        const id = await askForId(world);
        expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { password: newPassword } }));
        expectEmpty(await anybody(world).post(`${change}/${id}`, { password: "the third one" }), 404);
        expect((await nextMail()).words).toEqual(["updated", loginId]);
      });

      requirement("account.change-trust", "needs a trust token from a user with a second factor", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world);
        const enable = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
        expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, enable));
        const id = await askForId(world);
        expectRefusal(await anybody(world).get(`${change}/${id}`), 400, "[TrustTokenRequired]");
        expectRefusal(await anybody(world).post(`${change}/${id}`, { password: newPassword }), 400, "[TrustTokenRequired]");
        const wrong = { password: newPassword, trustToken: "x".repeat(40) };
        expectRefusal(await anybody(world).post(`${change}/${id}`, wrong), 400, "[invalid]trustToken");
        expectEmpty(await world.caller.post(change, { loginId, password: newPassword }), 200);
      });

      requirement("account.one-time-password", "logs in once, and not for long", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world);
        const get = async (): Promise<string> =>
          expectOk(await anybody(world).post(change, { changePasswordId: await askForId(world), password: newPassword })).textAt(
            "oneTimePassword",
          );
        const oneTimePassword = await get();
        const body = { applicationId: ids.application, oneTimePassword };
        const answers = await Promise.all([0, 1].map(() => world.caller.post("/api/login", body)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
        expectEmpty(await world.caller.post("/api/login", body), 404);
        const late = await get();
        world.clock.advance(60_000);
        expectEmpty(await world.caller.post("/api/login", { ...body, oneTimePassword: late }), 404);
      });

      requirement("account.set-password", "is offered to a new user by mail", async () => {
        const { nextMail, setTenant, world } = await startFlows(start);
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { email: loginId }, sendSetPasswordEmail: true }));
        const { words } = await nextMail();
        expect(words[0]).toBe("choose");
        world.clock.advance(86_399_000);
        expectOk(await anybody(world).post(`${change}/${words[1]}`, { password: newPassword }));
        expectEmpty(await anybody(world).post(`${change}/${words[1]}`, { password: newPassword }), 404);
        expectOk(await world.caller.post("/api/login", { loginId, password: newPassword }));
        await setTenant({ emailConfiguration: { setPasswordEmailTemplateId: null } });
        const body = { user: { email: "b@example.com" }, sendSetPasswordEmail: true };
        expectRefusal(await world.caller.post("/api/user", body), 403, "[noMailTemplate]");
        expectEmpty(await world.caller.get("/api/user?email=b@example.com"), 404);
      });
    });
  },
  isLong ? embeddedPostgres() : [],
);

describe("calls without a key", () => {
  requirement(["account.alike", "phone.alike"], "cost as many statements for unknown users as for known ones", async () => {
    stopMonotonicClock();
    const count = { read: 0, insert: 0 };
    const storage = watchStorage(memoryStorage(), {
      beforeCall: (call) => void (call === "read" && count.read++),
      onStatement: (statement) => void count[statement.startsWith("insert") ? "insert" : "read"]++,
    });
    const taken = async () => ({ kind: "ok" }) as const;
    const { setTenant, world } = await startFlows(() => startWorld(storage, { mail: taken, sendSms: taken, throttle: false }));
    const template = await makeMessageTemplate(world);
    await setTenant({ phoneConfiguration: { forgotPasswordTemplateId: template, passwordlessTemplateId: template } });
    await arrangeLogin(world, {
      user: { phoneNumber: "+1 555 0100", verified: false },
      application: { passwordlessConfiguration: { enabled: true } },
    });
    const costs = async (send: (who: string) => Promise<unknown>): Promise<void> => {
      const seen = [];
      for (const who of [loginId, "nobody@example.com", loginId, "nobody@example.com"]) {
        Object.assign(count, { read: 0, insert: 0 });
        await send(who);
        seen.push({ ...count });
      }
      const [, , known, unknown] = seen;
      expect.soft(unknown).toEqual(known);
    };
    const caller = anybody(world);
    await costs((who) => caller.post(forgot, { loginId: who }));
    await costs((who) => caller.put(`/api/user/verify-email?email=${who}`));
    await costs((who) => caller.post("/api/passwordless/send", { loginId: who, applicationId: ids.application }));
    const byPhone = (who: string) => ({ loginId: who === loginId ? "+15550100" : "+15550199", loginIdTypes: ["phoneNumber"] });
    await costs((who) => caller.post(forgot, byPhone(who)));
    await costs((who) => caller.post("/api/passwordless/send", { ...byPhone(who), applicationId: ids.application }));
  });
});
