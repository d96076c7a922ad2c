import { globalScope, type SendOutcome, type SmsMessage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, vi } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { enable, secret, secretBase32Encoded, startTwoFactor, stepMs, type TwoFactorWorld } from "../support/two-factor.js";
import { forEachStorage, readEvents, type Start, startWorld, uuid } from "../support/world.js";

const other = "another secret of mine";
const credentials = { loginId: "ada@example.com", password: "correct horse" };
const latest = "1.65.0";

async function addMethod(world: TwoFactorWorld, of: string = secret): Promise<Answer> {
  return expectOk(await world.caller.post(world.path, { code: world.codeOf(of), method: "authenticator", secret: of }));
}

async function methodsOf(world: TwoFactorWorld): Promise<readonly { readonly id: string; readonly lastUsed: boolean }[]> {
  const shown = (await world.caller.get(`/api/user/${world.userId}`)).at("user.twoFactor.methods");
  return (shown ?? []) as { id: string; lastUsed: boolean }[];
}

async function startWithMethod(start: Start): Promise<{ world: TwoFactorWorld; methodId: string; codes: readonly string[] }> {
  const world = await startTwoFactor(start, latest);
  const codes = (await addMethod(world)).at("recoveryCodes") as string[];
  world.clock.advance(stepMs);
  return { world, codes, methodId: (await methodsOf(world))[0]?.id ?? "" };
}

forEachStorage((start) => {
  describe("a method", () => {
    requirement(
      ["two-factor.method-add", "two-factor.method-shown"],
      "is added with a code and shown without secrets",
      async () => {
        const world = await startTwoFactor(start, latest);
        const before = await world.caller.get(`/api/user/${world.userId}`);
        expect(before.at("user.twoFactor")).toBeUndefined();
        const body = { code: world.codeOf(secret), method: "authenticator", secretBase32Encoded };
        const answer = expectOk(await (await world.asUser()).post("/api/user/two-factor", body));
        expect(answer.body).toEqual({
          recoveryCodes: Array(10).fill(expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)),
        });
        const user = await world.caller.get(`/api/user/${world.userId}`);
        const authenticator = { algorithm: "HmacSHA1", codeLength: 6, timeStep: 30 };
        const method = { authenticator, id: expect.any(String), lastUsed: false, method: "authenticator" };
        expect(user.at("user.twoFactor")).toEqual({ methods: [method], recoveryCodes: [] });
        expect(user.at("user.twoFactorEnabled")).toBeUndefined();
      },
    );

    requirement("two-factor.method-add", "can be one of several; recovery codes come with the first", async () => {
      const { world } = await startWithMethod(start);
      expect((await addMethod(world, other)).body).toEqual({ recoveryCodes: [] });
      expect(await methodsOf(world)).toHaveLength(2);
      for (let index = 2; index < 10; index++) await addMethod(world, `secret number ${index} of ten`);
      const body = { code: world.codeOf(secret), method: "authenticator", secret };
      expectRefusal(await world.caller.post(world.path, body), 400, "[tooMany]method");
    });

    requirement("two-factor.method-add", "needs a code, a secret and a kind that there is", async () => {
      const world = await startTwoFactor(start, latest);
      const tryWith = (body: object) => world.caller.post(world.path, body);
      expectRefusal(await tryWith({}), 400, "[blank]code", "[missing]method");
      expectRefusal(await tryWith({ code: "1", method: "email" }), 400, "[disabled]method");
      expectRefusal(await tryWith({ code: "1", method: "voice" }), 400, "[invalidOption]method");
      expectRefusal(await tryWith({ code: "1", method: "authenticator" }), 400, "[blank]secret", "[blank]secretBase32Encoded");
      expectEmpty(await tryWith({ code: "123456", method: "authenticator", secret }), 421);
      expectEmpty(await world.caller.post(`/api/user/two-factor/${uuid(1)}`, {}), 404);
    });

    requirement("two-factor.method-remove", "is removed by its id with a code of its own", async () => {
      const { world, methodId } = await startWithMethod(start);
      await addMethod(world, other);
      world.clock.advance(stepMs);
      const remove = (id: string, code: string) => world.caller.delete(`${world.path}?code=${code}&methodId=${id}`);
      expectRefusal(await world.caller.delete(world.path), 400, "[blank]code", "[missing]methodId");
      expectRefusal(await remove(uuid(1), world.codeOf(secret)), 400, "[invalid]methodId");
      expectRefusal(await remove("x", world.codeOf(secret)), 400, "[couldNotConvert]methodId");
      expectEmpty(await remove(methodId, "123456"), 421);
      expectEmpty(await remove(methodId, world.codeOf(other)), 421);
      expectEmpty(await remove(methodId, world.codeOf(secret)), 200);
      const [left, ...rest] = await methodsOf(world);
      expect(rest).toEqual([]);
      expectEmpty(await remove(left?.id ?? "", world.codeOf(other)), 200);
      expect((await world.caller.get(`/api/user/${world.userId}`)).at("user.twoFactor")).toBeUndefined();
      const stored = await world.storage.retrieve(globalScope, usersTable, world.userId);
      expect(Object.keys(JSON.parse(stored?.hidden ?? "{}"))).toEqual(["passwordHash", "proofEnds"]);
    });

    requirement("two-factor.events", "that is added or removed is published without its secret", async () => {
      const { world, methodId } = await startWithMethod(start);
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secret)}&methodId=${methodId}`), 200);
      const [added] = await readEvents(world.storage, "user.two-factor.method.add");
      const [removed] = await readEvents(world.storage, "user.two-factor.method.remove");
      const method = { id: methodId, method: "authenticator" };
      const event = { linkedObjectId: world.userId, tenantId: world.defaultTenantId, method };
      expect(added).toMatchObject({ ...event, user: { id: world.userId, twoFactor: { methods: [method] } } });
      expect(removed).toMatchObject({ ...event, user: { id: world.userId } });
      const told = JSON.stringify([added, removed]);
      for (const text of [secret, secretBase32Encoded, "key", "lastStep"]) expect(told).not.toContain(text);
    });

    requirement("two-factor.concurrent", "of four that are added concurrently all are stored", async () => {
      const world = await startTwoFactor(start, latest);
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, index) => addMethod(world, `secret number ${index} of four`)),
      );
      expect(answers.filter((answer) => (answer.at("recoveryCodes") as string[]).length > 0)).toHaveLength(1);
      expect(await methodsOf(world)).toHaveLength(4);
    });
  });

  describe("a login", () => {
    requirement(["two-factor.challenge", "two-factor.login"], "names the methods, and takes the code of any", async () => {
      const { world, methodId } = await startWithMethod(start);
      await addMethod(world, other);
      world.clock.advance(stepMs);
      const answer = await world.caller.post("/api/login", credentials);
      expect(answer.status).toBe(242);
      expect(answer.each("methods", "method")).toEqual(["authenticator", "authenticator"]);
      expect(answer.each("methods", "id")).toContain(methodId);
      const body = { code: world.codeOf(other), twoFactorId: answer.textAt("twoFactorId") };
      expectOk(await anybody(world).post("/api/two-factor/login", body));
      expect((await methodsOf(world)).map(({ lastUsed }) => lastUsed)).toEqual([false, true]);
    });

    requirement("two-factor.send-login", "has nothing sent to an authenticator", async () => {
      const { world, methodId } = await startWithMethod(start);
      const twoFactorId = (await world.caller.post("/api/login", credentials)).textAt("twoFactorId");
      const send = (body?: object) => anybody(world).post(`/api/two-factor/send/${twoFactorId}`, body);
      expectRefusal(await send(), 400, "[missing]methodId");
      expectRefusal(await send({ methodId: uuid(1) }), 400, "[invalid]methodId");
      expectRefusal(await send({ methodId }), 400, "[cannotSend]methodId");
      expect(world.messages).toEqual([]);
    });
  });

  describe("recovery codes", () => {
    requirement("two-factor.recovery-codes", "stand in for a code once each, however they are spelt", async () => {
      const { world, codes, methodId } = await startWithMethod(start);
      const [first = "", second = ""] = codes;
      const logIn = async (code: string): Promise<Answer> => {
        const { at: _at, ...begun } = await world.caller.post("/api/login", credentials);
        const twoFactorId = JSON.parse(begun.text).twoFactorId;
        return anybody(world).post("/api/two-factor/login", { code, twoFactorId });
      };
      expectOk(await logIn(first.toLowerCase().replaceAll("-", " ")));
      expectEmpty(await logIn(first), 421);
      expectEmpty(await world.caller.delete(`${world.path}?code=${first}&methodId=${methodId}`), 421);
      expectEmpty(await world.caller.delete(`${world.path}?code=${second}&methodId=${methodId}`), 200);
      expectOk(await world.caller.post("/api/login", credentials));
    });

    requirement("two-factor.recovery-codes", "are counted, not shown again, and replaced", async () => {
      const { world, codes, methodId } = await startWithMethod(start);
      const path = `/api/user/two-factor/recovery-code/${world.userId}`;
      expect(expectOk(await world.caller.get(path)).body).toEqual({ recoveryCodes: [], remaining: 10 });
      const made = expectOk(await world.caller.post(path)).at("recoveryCodes") as string[];
      expect(new Set([...made, ...codes]).size).toBe(20);
      const remove = (code = "") => world.caller.delete(`${world.path}?code=${code}&methodId=${methodId}`);
      expectEmpty(await remove(codes[0]), 421);
      const stored = await world.storage.retrieve(globalScope, usersTable, world.userId);
      for (const code of made) expect(JSON.stringify(stored)).not.toContain(code);
      const answers = await Promise.all([remove(made[0]), remove(made[0]), remove(made[0])]);
      const refused = answers.map(({ status }) => status).filter((status) => status !== 200);
      expect(refused).toHaveLength(2);
      // A call that comes after the first one has ended finds no method.
      expect([400, 421]).toEqual(expect.arrayContaining(refused));
      expect(expectOk(await world.caller.get(path)).body).toEqual({ recoveryCodes: [], remaining: 0 });
    });

    requirement("two-factor.recovery-codes", "are of users with a second factor, for keys", async () => {
      const world = await startTwoFactor(start, latest);
      const path = "/api/user/two-factor/recovery-code";
      expectRefusal(await world.caller.post(`${path}/${world.userId}`), 400, "[notConfigured]userId");
      expectEmpty(await world.caller.post(`${path}/${uuid(1)}`), 404);
      expectEmpty(await world.caller.get(`${path}/${uuid(1)}`), 404);
      expectEmpty(await (await world.asUser()).get(`${path}/${world.userId}`), 401);
    });
  });

  describe("versions", () => {
    requirement("two-factor.versions", "before 1.26.0 there are no recovery codes and no kinds of methods", async () => {
      const world = await startTwoFactor(start);
      const body = { code: world.codeOf(secret), method: "authenticator", secret };
      expectRefusal(await world.caller.post(world.path, body), 400, "[missing]delivery");
      const recovery = await world.caller.get(`/api/user/two-factor/recovery-code/${world.userId}`);
      expectEmpty(recovery, 404);
    });
  });
});

describe("on a SQLite file", () => {
  requirement("two-factor.versions", "a second factor of an earlier version outlives the change to a later one", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const first = await startTwoFactor((options) => startWorld(sqliteStorage({ filename }), options));
    await enable(first, "TextMessage");
    await first.identity.close();
    const messages: SmsMessage[] = [];
    const sendSms = async (message: SmsMessage): Promise<SendOutcome> => {
      messages.push(message);
      return { kind: "ok" };
    };
    const second = await startWorld(sqliteStorage({ filename }), { version: latest, sendSms });
    second.clock.advance(stepMs);
    const begun = await second.caller.post("/api/login", credentials);
    expect([begun.status, begun.each("methods", "method")]).toEqual([242, ["sms"]]);
    const methodId = begun.textAt("methods.0.id");
    const twoFactorId = begun.textAt("twoFactorId");
    expectEmpty(await anybody(second).post(`/api/two-factor/send/${twoFactorId}`, { methodId }), 200);
    await second.identity.start();
    const { code } = await vi.waitFor(() => messages[0] ?? Promise.reject(new Error("There is no message.")), 10_000);
    expectOk(await anybody(second).post("/api/two-factor/login", { code, twoFactorId }));
  });
});
