import type { IdentityServiceOptions } from "latchkey";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { keysTable } from "../../src/records/keys/family.js";
import { pendingLoginsTable } from "../../src/records/two-factor/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { enable, secret, startTwoFactor, stepMs, type TwoFactorWorld } from "../support/two-factor.js";
import { forEachStorage, makeTenant, readEvents, type Start } from "../support/world.js";

const credentials = { loginId: "ada@example.com", password: "correct horse" };
const path = "/api/two-factor/login";

async function startEnabled(start: Start, version?: string, options?: Partial<IdentityServiceOptions>): Promise<TwoFactorWorld> {
  const world = await startTwoFactor(start, version, options);
  await enable(world, "TextMessage");
  world.clock.advance(stepMs);
  return world;
}

async function logIn(world: TwoFactorWorld, fields: object = {}): Promise<Answer> {
  const answer = await world.caller.post("/api/login", { ...credentials, ...fields });
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 242 });
  return answer;
}

async function beginLogin(world: TwoFactorWorld, fields: object = {}): Promise<string> {
  return (await logIn(world, fields)).textAt("twoFactorId");
}

forEachStorage((start) => {
  describe("a login", () => {
    requirement("two-factor.challenge", "of a user with a second factor is 242 with nothing but an id", async () => {
      const world = await startTwoFactor(start);
      expectOk(await world.caller.post("/api/login", credentials));
      await enable(world);
      const answer = await logIn(world);
      expect(answer.body).toEqual({ twoFactorId: expect.stringMatching(/^[\w-]{43}$/) });
      expect([answer.cookies, answer.headers.authorization]).toEqual([[], undefined]);
      expectEmpty(await world.caller.post("/api/login", { ...credentials, password: "wrong horse" }), 404);
      expect(await readEvents(world.storage, "user.login.success")).toHaveLength(1);
    });

    requirement("two-factor.login", "is finished by code and id, without credentials too, and once", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world, { metaData: { device: { name: "phone" } } });
      const body = { code: world.codeOf(secret), twoFactorId };
      const answer = expectOk(await anybody(world).post(path, body));
      expect(claimsOf(answer.textAt("token"))).toMatchObject({ sub: world.userId, authenticationType: "TWO_FACTOR" });
      expect(answer.at("user.id")).toBe(world.userId);
      expectEmpty(await anybody(world).post(path, body), 404);
      expectEmpty(await anybody(world).post(path, { ...body, code: world.codeOf(secret, 1) }), 404);
      const user = world.as(`Bearer ${answer.textAt("token")}`);
      expectEmpty(await user.delete(`/api/user/two-factor?code=${world.codeOf(secret, 1)}`), 200);
      expectOk(await world.caller.post("/api/login", credentials));
    });

    requirement("two-factor.login", "leaves nothing behind where its token cannot be signed, and can be repeated", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world);
      const body = { code: world.codeOf(secret), twoFactorId };
      const replaceKeys = (hidden: readonly (string | null)[]): Promise<readonly (string | null)[]> =>
        world.storage.transaction(async (tx) => {
          const keys = await tx.find(globalScope, keysTable, undefined);
          const changed = keys.map(({ id, version }, index) => ({ id, version, hidden: hidden[index] ?? "{}" }));
          await tx.replaceHidden(globalScope, keysTable, changed);
          return keys.map((key) => key.hidden ?? null);
        });
      const sealed = await replaceKeys([]);
      expect((await world.caller.post(path, body)).status).toBe(500);
      expect(await readEvents(world.storage, "user.login.success")).toEqual([]);
      expect(expectOk(await world.caller.get(`/api/user/${world.userId}`)).at("user.lastLoginInstant")).toBeUndefined();
      await replaceKeys(sealed);
      expectOk(await world.caller.post(path, body));
    });

    requirement("two-factor.login", "without a token stays one without a token", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world, { noJWT: true });
      const answer = expectOk(await anybody(world).post(path, { code: world.codeOf(secret), twoFactorId }));
      expect(Object.keys(answer.body as object)).toEqual(["user"]);
    });

    requirement("two-factor.login", "with a wrong code is 421, and may be tried again", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world);
      for (const code of [world.codeOf(secret, 2), "nonsense", "0"])
        expectEmpty(await world.caller.post(path, { code, twoFactorId }), 421);
      expectOk(await world.caller.post(path, { code: ` ${world.codeOf(secret)} `, twoFactorId }));
    });

    requirement(["two-factor.login", "totp.once"], "of two with one code one wins", async () => {
      const world = await startEnabled(start);
      const one = await beginLogin(world);
      const same = await Promise.all(
        [1, 2, 3].map(() => world.caller.post(path, { code: world.codeOf(secret), twoFactorId: one })),
      );
      expect(same.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      world.clock.advance(stepMs);
      const ids = [await beginLogin(world), await beginLogin(world), await beginLogin(world)];
      const answers = await Promise.all(
        ids.map((twoFactorId) => world.caller.post(path, { code: world.codeOf(secret), twoFactorId })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 421, 421]);
    });

    requirement("throttle.counted-first", "codes side by side get no more tries than those one after the other", async () => {
      const world = await startEnabled(start);
      const ids: string[] = [];
      for (let count = 0; count < 40; count++) ids.push(await beginLogin(world));
      const answers = await Promise.all(ids.map((twoFactorId) => world.caller.post(path, { code: "nonsense", twoFactorId })));
      const wrong = answers.filter(({ status }) => status === 421).length;
      expect(answers.filter(({ status }) => ![421, 423, 429].includes(status)).map(({ text }) => text)).toEqual([]);
      // As many as one source has for one user.
      expect(wrong).toBe(5);
    });

    requirement("two-factor.login", "whose session is refused leaves code and id used, and no session", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world);
      const expiry = world.clock.instant + 1_000;
      expectOk(await world.caller.patch(`/api/user/${world.userId}`, { user: { expiry } }));
      world.clock.advance(stepMs);
      const body = { code: world.codeOf(secret), twoFactorId };
      expectEmpty(await world.caller.post(path, { ...body, code: "nonsense" }), 421);
      expect((await world.caller.post(path, body)).status).toBe(410);
      expect(await readEvents(world.storage, "user.login.success")).toEqual([]);
      expectOk(await world.caller.patch(`/api/user/${world.userId}`, { user: { expiry: null } }));
      // Another code of the same login, and the same code of another one.
      expectEmpty(await world.caller.post(path, { ...body, code: world.codeOf(secret, 1) }), 404);
      expectEmpty(await world.caller.post(path, { ...body, twoFactorId: await beginLogin(world) }), 421);
    });

    requirement("two-factor.login", "ends with the time that its tenant gives it", async () => {
      const world = await startEnabled(start);
      const externalIdentifierConfiguration = { twoFactorIdTimeToLiveInSeconds: 45 };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { externalIdentifierConfiguration } }));
      const [first, second] = [await beginLogin(world), await beginLogin(world)];
      world.clock.advance(44_999);
      expectOk(await world.caller.post(path, { code: world.codeOf(secret), twoFactorId: first }));
      world.clock.advance(1);
      expectEmpty(await world.caller.post(path, { code: world.codeOf(secret), twoFactorId: second }), 404);
      expectEmpty(await anybody(world).post(`/api/two-factor/send/${second}`), 404);
    });

    requirement("two-factor.login", "is bound to the password, the user and the application that it began with", async () => {
      const world = await startEnabled(start);
      const userPath = `/api/user/${world.userId}`;
      const application = { name: "Shop", loginConfiguration: { requireAuthentication: false } };
      const made = expectOk(await world.caller.post("/api/application", { application }));
      const applicationId = made.textAt("application.id");
      const body = (password: string) => ({ user: { password } });
      const ends: readonly (readonly [end: () => Promise<Answer>, login: object])[] = [
        [() => world.caller.delete(`/api/application/${applicationId}`), { applicationId }],
        [() => world.caller.patch(userPath, body("another password")), {}],
        [() => world.caller.patch(userPath, body("one more password")), { password: "another password" }],
        [() => world.caller.delete(userPath), { password: "one more password" }],
      ];
      for (const [end, login] of ends) {
        const twoFactorId = await beginLogin(world, login);
        expectOk(await end());
        expectEmpty(await world.caller.post(path, { code: world.codeOf(secret), twoFactorId }), 404);
      }
      expect(await world.storage.find(globalScope, pendingLoginsTable, undefined)).toHaveLength(ends.length);
      expectOk(await world.caller.delete(`${userPath}?hardDelete=true`));
      expect(await world.storage.find(globalScope, pendingLoginsTable, undefined)).toEqual([]);
    });

    requirement("two-factor.login", "of another tenant is not found", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world);
      const other = await makeTenant(world, "Other");
      const body = { code: world.codeOf(secret), twoFactorId };
      expectEmpty(await world.caller.inTenant(other).post(path, body), 404);
      expectEmpty(await anybody(world, { "X-Service-TenantId": other }).post(`/api/two-factor/send/${twoFactorId}`), 404);
      expectEmpty(await world.as("wrong").post(path, body), 401);
      expectOk(await world.caller.inTenant(world.defaultTenantId).post(path, body));
    });

    requirement("two-factor.login", "needs code and id", async () => {
      const world = await startTwoFactor(start);
      expectRefusal(await world.caller.post(path, {}), 400, "[blank]code", "[missing]twoFactorId");
      expectRefusal(await world.caller.post(path, { code: "1", twoFactorId: "" }), 400, "[missing]twoFactorId");
      expectEmpty(await world.caller.post(path, { code: "1", twoFactorId: "unknown" }), 404);
    });

    requirement("two-factor.sealed", "keeps no id that could be used", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world);
      const kept = await world.storage.find(globalScope, pendingLoginsTable, undefined);
      expect(kept).toHaveLength(1);
      expect(JSON.stringify([kept, world.log])).not.toContain(twoFactorId);
    });
  });

  describe("for a login", () => {
    requirement("two-factor.send-login", "a code is sent without credentials, and finishes it", async () => {
      const world = await startEnabled(start);
      const twoFactorId = await beginLogin(world);
      expectEmpty(await anybody(world).post(`/api/two-factor/send/${twoFactorId}`), 200);
      expect(world.messages).toMatchObject([{ to: "555-0100", code: world.codeOf(secret) }]);
      expectOk(await anybody(world).post(path, { code: world.messages[0]?.code, twoFactorId }));
      expectEmpty(await anybody(world).post(`/api/two-factor/send/${twoFactorId}`), 404);
    });

    requirement("two-factor.send-limit", "five messages in a quarter of an hour are sent, also side by side", async () => {
      const world = await startEnabled(start);
      const ids = await Promise.all(Array.from({ length: 4 }, () => beginLogin(world)));
      const send = (id: string): Promise<Answer> => anybody(world).post(`/api/two-factor/send/${id}`);
      const answers = await Promise.all([...ids, ...ids].map(send));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
      expect(world.messages).toHaveLength(5);
      const [id = ""] = ids;
      expectRefusal(await send(id), 429, "[tooManyMessages]");
      expectRefusal(await (await world.asUser()).post("/api/two-factor/send"), 429, "[tooManyMessages]");
      expectEmpty(await world.caller.post("/api/two-factor/send", { userId: world.userId }), 200);
      world.clock.advance(15 * 60_000);
      expectEmpty(await (await world.asUser()).post("/api/two-factor/send"), 200);
    });

    requirement("two-factor.send-login", "that is unknown, nothing is sent", async () => {
      const world = await startEnabled(start);
      for (const id of ["x", "..", "a".repeat(5_000)]) expectEmpty(await anybody(world).post(`/api/two-factor/send/${id}`), 404);
      expectRefusal(await anybody(world).post("/api/two-factor/send/%00"), 400, "[couldNotConvert]twoFactorId");
      expect(world.messages).toEqual([]);
    });

    requirement("two-factor.send-failed", "a message that is not taken leaves no trace of the id", async () => {
      const sendSms = async () => ({ kind: "failed", reason: "no" }) as const;
      const world = await startEnabled(start, "1.25.0", { sendSms });
      const twoFactorId = await beginLogin(world);
      expectRefusal(await anybody(world).post(`/api/two-factor/send/${twoFactorId}`), 503, "[smsFailed]");
      expect(world.log).toHaveLength(1);
      expect(JSON.stringify(world.log)).not.toContain(twoFactorId);
    });
  });
});
