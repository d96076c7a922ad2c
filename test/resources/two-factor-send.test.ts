import { inspect } from "node:util";
import type { SmsMessage } from "latchkey/ports";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { enable, secret, startTwoFactor, stepMs } from "../support/two-factor.js";
import { forEachStorage, uuid } from "../support/world.js";

const send = "/api/two-factor/send";

forEachStorage((start) => {
  describe("a code is sent", () => {
    requirement("two-factor.send-user", "to a user who has a second factor", async () => {
      const world = await startTwoFactor(start);
      await enable(world, "TextMessage");
      world.clock.advance(stepMs);
      expectEmpty(await world.caller.post(send, { userId: world.userId }), 200);
      const code = world.codeOf(secret);
      const { defaultTenantId: tenantId, userId } = world;
      const text = `Your verification code is ${code}`;
      expect(world.messages).toEqual([{ id: expect.any(String), to: "555-0100", code, text, tenantId, userId }]);
    });

    requirement(["two-factor.send-user", "totp.once"], "that is not used yet, and disables", async () => {
      const world = await startTwoFactor(start);
      await enable(world, "TextMessage");
      // The current step was used a moment ago.
      expectEmpty(await world.caller.post(send, { userId: world.userId }), 200);
      const [message] = world.messages as [SmsMessage];
      expect(message.code).toBe(world.codeOf(secret, 1));
      expectEmpty(await world.caller.delete(`${world.path}?code=${message.code}`), 200);
    });

    requirement("two-factor.send-own", "to the user whose token it is, and to nobody else", async () => {
      const world = await startTwoFactor(start);
      await enable(world, "None");
      const user = await world.asUser();
      expectEmpty(await user.post(send), 200);
      expectEmpty(await user.post(send, { mobilePhone: "555-0199", secret }), 200);
      expectEmpty(await user.post(send, { userId: uuid(7) }), 200);
      expect(world.messages.map(({ to, userId }) => [to, userId])).toEqual(Array(3).fill(["555-0100", world.userId]));
    });

    requirement("two-factor.send-number", "to a number, with the current code of a secret", async () => {
      const world = await startTwoFactor(start);
      expectEmpty(await world.caller.post(send, { mobilePhone: " 555-0111 ", secret }), 200);
      expect(world.messages).toMatchObject([{ to: "555-0111", code: world.codeOf(secret) }]);
      const code = world.messages[0]?.code;
      expectEmpty(await world.caller.post(world.path, { code, delivery: "TextMessage", secret }), 200);
    });
  });

  describe("nothing is sent", () => {
    requirement("two-factor.send-user", "to a user without a second factor or a phone, or to nobody", async () => {
      const world = await startTwoFactor(start);
      expectRefusal(await world.caller.post(send, { userId: world.userId }), 400, "[notConfigured]userId");
      expectRefusal(await world.caller.post(send, { userId: uuid(1) }), 400, "[invalid]userId");
      expectRefusal(await world.caller.post(send, { userId: "x" }), 400, "[couldNotConvert]userId");
      const noPhone = await makeUser(world, world.defaultTenantId, "bob@example.com");
      expectRefusal(await (await world.asUser(noPhone)).post(send), 400, "[blank]user.mobilePhone");
      const body = { code: world.codeOf(secret), delivery: "None", secret };
      expectEmpty(await world.caller.post(`/api/user/two-factor/${noPhone}`, body), 200);
      expectRefusal(await world.caller.post(send, { userId: noPhone }), 400, "[blank]user.mobilePhone");
      expect(world.messages).toEqual([]);
    });

    requirement("two-factor.send-number", "without a number or a secret", async () => {
      const world = await startTwoFactor(start);
      expectRefusal(await world.caller.post(send, { secret }), 400, "[blank]mobilePhone");
      expectRefusal(await world.caller.post(send, { mobilePhone: "555-0100" }), 400, "[blank]secret");
      expectRefusal(await world.caller.post(send, { mobilePhone: "555-0100", secret: "abc" }), 400, "[tooShort]secret");
      expectRefusal(await world.caller.post(send), 400, "[missing]userId", "[blank]mobilePhone", "[blank]secret");
      expect(world.messages).toEqual([]);
    });

    requirement("two-factor.send-off", "where text messages are not set up", async () => {
      const world = await startTwoFactor(start, "1.25.0", { sendSms: undefined });
      await enable(world);
      const off = "[notConfigured]integrations.sms";
      expectRefusal(await world.caller.post(send, { userId: world.userId }), 400, off);
      expectRefusal(await world.caller.post(send, { mobilePhone: "555-0100", secret }), 400, off);
      expectRefusal(await (await world.asUser()).post(send), 400, off);
    });

    requirement("two-factor.send-off", "and the error names the integration as the host does", async () => {
      const world = await startTwoFactor(start, "1.25.0", { sendSms: undefined, names: { sms: "pigeon" } });
      const answer = await world.caller.post(send, { mobilePhone: "555-0100", secret });
      expectRefusal(answer, 400, "[notConfigured]integrations.pigeon");
    });

    requirement("two-factor.dry-run", "in a dry run", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      expectEmpty(await world.caller.post(`${send}?dryRun=true`, { userId: world.userId }), 200);
      expectEmpty(await world.caller.post(`${send}?dryRun=true`, { mobilePhone: "555-0100", secret }), 200);
      await world.identity.twoFactor.send({ userId: world.userId }, { dryRun: true });
      expect(world.messages).toEqual([]);
    });

    requirement("two-factor.versions", "by the legacy calls from 1.26.0 on", async () => {
      const world = await startTwoFactor(start, "1.26.0");
      expectRefusal(await world.caller.post(send, { mobilePhone: "555-0100", secret }), 400, "[missing]userId");
      expectRefusal(await world.caller.post(send, { userId: world.userId }), 400, "[missing]method");
      expect(world.messages).toEqual([]);
    });
  });

  describe("a message that is not taken", () => {
    const ways = [
      ["that says so", async () => ({ kind: "failed", reason: "the account is empty" }) as const, "the account is empty"],
      ["that throws", async ({ to, code }: SmsMessage) => Promise.reject(new RangeError(`${to} ${code}`)), "RangeError"],
    ] as const;

    requirement("two-factor.send-failed", "by a host is 503, and its reason is logged without number and code", async () => {
      for (const [, sendSms, reason] of ways) {
        const world = await startTwoFactor(start, "1.25.0", { sendSms });
        await enable(world, "TextMessage");
        const answer = await world.caller.post(send, { userId: world.userId });
        expectRefusal(answer, 503, "[smsFailed]");
        expect(world.log).toMatchObject([{ level: "error", fields: { path: "/api/two-factor/send" } }]);
        expect(String(world.log[0]?.fields.err)).toBe(`Error: The text message was not sent: ${reason}`);
        for (const told of [answer.text, inspect(world.log, { depth: 9 })]) {
          expect(told).not.toContain("555-0100");
          // As a word: the hexadecimal digits of an id may hold it.
          expect(told).not.toMatch(new RegExp(`\\b${world.codeOf(secret, 1)}\\b`));
        }
      }
    });
  });

  requirement("two-factor.send-user", "can be asked for in process, as everything else", async () => {
    const world = await startTwoFactor(start);
    const { secret: made } = await world.identity.twoFactor.secret();
    const { userId } = world;
    await world.identity.twoFactor.enable({ userId, code: world.codeOf(made), delivery: "TextMessage", secret: made });
    await world.identity.twoFactor.send({ userId });
    await world.identity.twoFactor.disable({ userId, code: world.messages[0]?.code ?? "" });
    expect(expectOk(await world.caller.get(`/api/user/${userId}`)).at("user.twoFactorEnabled")).toBe(false);
  });
});
