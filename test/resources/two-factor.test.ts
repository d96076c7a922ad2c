import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { enable, makeUserWithPhone, secret, secretBase32Encoded, startTwoFactor, stepMs } from "../support/two-factor.js";
import { forEachStorage, uuid } from "../support/world.js";

forEachStorage((start) => {
  describe("a secret", () => {
    requirement("two-factor.secret", "is fresh and comes in both forms, for keys and users", async () => {
      const world = await startTwoFactor(start);
      const callers = [world.caller, await world.asUser()];
      const answers = await Promise.all(callers.map(async (caller) => expectOk(await caller.get("/api/two-factor/secret"))));
      const secrets = answers.map((answer) => answer.textAt("secret"));
      expect(new Set(secrets).size).toBe(2);
      for (const text of secrets) expect(text).toMatch(/^[A-Za-z0-9+/]{20}$/);
      expect(Object.keys(answers[0]?.body as object)).toEqual(["secret", "secretBase32Encoded"]);
      expectEmpty(await world.caller.with({ Authorization: "wrong" }).get("/api/two-factor/secret"), 401);
    });

    requirement("two-factor.enable", "that was fetched enables with its own code", async () => {
      const world = await startTwoFactor(start);
      const made = expectOk(await world.caller.get("/api/two-factor/secret"));
      const code = world.codeOf(made.textAt("secret"));
      const body = { code, delivery: "None", secretBase32Encoded: made.textAt("secretBase32Encoded") };
      expectEmpty(await world.caller.post(world.path, body), 200);
    });
  });

  describe("enabling", () => {
    requirement("two-factor.enable", "takes the code of a secret, by a key", async () => {
      const world = await startTwoFactor(start);
      expectEmpty(await world.caller.post(world.path, { code: world.codeOf(secret), delivery: "None", secret }), 200);
      const user = expectOk(await world.caller.get(`/api/user/${world.userId}`));
      expect([user.at("user.twoFactorEnabled"), user.at("user.twoFactorDelivery")]).toEqual([true, "None"]);
    });

    requirement("two-factor.enable-by-user", "is for the user of a token, even if the query names another", async () => {
      const world = await startTwoFactor(start);
      const otherId = await makeUserWithPhone(world, "bob@example.com");
      const user = await world.asUser();
      const body = { code: world.codeOf(secret), delivery: "None", secret };
      expectEmpty(await user.post(`/api/user/two-factor?userId=${otherId}`, body), 200);
      const isEnabled = async (id: string): Promise<unknown> =>
        (await world.caller.get(`/api/user/${id}`)).at("user.twoFactorEnabled");
      expect([await isEnabled(world.userId), await isEnabled(otherId)]).toEqual([true, false]);
    });

    requirement("two-factor.enable-by-user", "by a key needs the user's id, in the path or the query", async () => {
      const world = await startTwoFactor(start);
      const body = { code: world.codeOf(secret), delivery: "None", secret };
      expectRefusal(await world.caller.post("/api/user/two-factor", body), 400, "[missing]userId");
      expectRefusal(await world.caller.post("/api/user/two-factor/x", body), 400, "[couldNotConvert]userId");
      expectEmpty(await world.caller.post(`/api/user/two-factor?userId=${world.userId}`, body), 200);
    });

    requirement("two-factor.encodings", "takes Base32, and both forms where they are the same", async () => {
      const world = await startTwoFactor(start);
      const tryWith = (secrets: object) =>
        world.caller.post(world.path, { code: world.codeOf(secret), delivery: "None", ...secrets });
      const lower = secretBase32Encoded.toLowerCase();
      expectRefusal(await tryWith({ secret, secretBase32Encoded: "GEZDGNBVGY3TQOJQ" }), 400, "[invalid]secretBase32Encoded");
      expectRefusal(await tryWith({ secretBase32Encoded: "not Base32!" }), 400, "[invalid]secretBase32Encoded");
      expectRefusal(await tryWith({ secret: "short" }), 400, "[tooShort]secret");
      expectRefusal(await tryWith({ secret: "x".repeat(513) }), 400, "[tooLong]secret");
      expectEmpty(await tryWith({ secret, secretBase32Encoded: lower }), 200);
      const otherId = await makeUserWithPhone(world, "bob@example.com");
      const body = { code: world.codeOf(secret), delivery: "None", secretBase32Encoded: lower };
      expectEmpty(await world.caller.post(`/api/user/two-factor/${otherId}`, body), 200);
    });

    requirement("two-factor.enable-fields", "says all that is missing or wrong at once", async () => {
      const world = await startTwoFactor(start);
      const blank = ["[blank]secret", "[blank]secretBase32Encoded"];
      expectRefusal(await world.caller.post(world.path, {}), 400, "[blank]code", "[missing]delivery");
      expectRefusal(await world.caller.post(world.path), 400, "[blank]code", "[missing]delivery");
      expectRefusal(await world.caller.post(world.path, { code: "123456", delivery: "None" }), 400, ...blank);
      expectRefusal(await world.caller.post(world.path, { code: "123456", delivery: "TextMessage" }), 400, ...blank);
      const wrong = { code: 123_456, delivery: "Pigeon", secret: [] };
      expectRefusal(
        await world.caller.post(world.path, wrong),
        400,
        "[invalidJSON]code",
        "[invalidOption]delivery",
        "[invalidJSON]secret",
      );
    });

    requirement("two-factor.enable-wrong", "with a wrong code is 421 and changes nothing", async () => {
      const world = await startTwoFactor(start);
      const before = await world.caller.get(`/api/user/${world.userId}`);
      for (const code of [world.codeOf(secret, 2), world.codeOf(secret, -2), "x", "1".repeat(99)])
        expectEmpty(await world.caller.post(world.path, { code, delivery: "None", secret }), 421);
      expect(await world.caller.get(`/api/user/${world.userId}`)).toEqual(before);
    });

    requirement("totp.window", "takes the code of the step before and of the step after", async () => {
      for (const steps of [-1, 1]) {
        const world = await startTwoFactor(start);
        const body = { code: world.codeOf(secret, steps), delivery: "None", secret };
        expectEmpty(await world.caller.post(world.path, body), 200);
      }
    });

    requirement("two-factor.unknown-user", "of an unknown user is 404, with any body", async () => {
      const world = await startTwoFactor(start);
      expectEmpty(await world.caller.post(`/api/user/two-factor/${uuid(1)}`, {}), 404);
      expectEmpty(await world.caller.delete(`/api/user/two-factor/${uuid(1)}?code=123456`), 404);
      const gone = await world.asUser(uuid(1));
      expectEmpty(await gone.post("/api/user/two-factor", {}), 401);
    });

    requirement("two-factor.enabled-stays", "what is enabled is refused, with any code of any secret", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      const user = await world.asUser();
      const other = "another secret of mine";
      const body = { code: world.codeOf(other), delivery: "None", secret: other };
      expectRefusal(await user.post("/api/user/two-factor", body), 400, "[configured]user.twoFactorEnabled");
      expectEmpty(await user.delete(`/api/user/two-factor?code=${world.codeOf(other)}`), 421);
      expectEmpty(await user.delete(`/api/user/two-factor?code=${world.codeOf(secret, 1)}`), 200);
    });

    requirement("two-factor.text-message", "TextMessage needs a mobile phone, which is not validated", async () => {
      const world = await startTwoFactor(start);
      const noPhone = await makeUser(world, world.defaultTenantId, "bob@example.com");
      const body = { code: world.codeOf(secret), delivery: "TextMessage", secret };
      expectRefusal(await world.caller.post(`/api/user/two-factor/${noPhone}`, body), 400, "[blank]user.mobilePhone");
      expectEmpty(await world.caller.post(world.path, body), 200);
      const user = await world.caller.get(`/api/user/${world.userId}`);
      expect([user.at("user.twoFactorEnabled"), user.at("user.twoFactorDelivery")]).toEqual([true, "TextMessage"]);
    });

    requirement("two-factor.text-message", "TextMessage takes the code that was sent to the user, without a secret", async () => {
      const world = await startTwoFactor(start);
      const user = await world.asUser();
      expectEmpty(await user.post("/api/two-factor/send"), 200);
      expectEmpty(await user.post("/api/two-factor/send"), 200);
      expect(world.messages.map(({ code, to }) => [code, to])).toEqual([
        [world.messages[0]?.code, "555-0100"],
        [world.messages[0]?.code, "555-0100"],
      ]);
      const isEnabled = (await world.caller.get(`/api/user/${world.userId}`)).at("user.twoFactorEnabled");
      expect(isEnabled).toBe(false);
      const body = { code: world.messages[0]?.code, delivery: "TextMessage" };
      expectEmpty(await user.post("/api/user/two-factor", { ...body, code: world.codeOf(secret) }), 421);
      expectEmpty(await user.post("/api/user/two-factor", body), 200);
      const shown = await world.caller.get(`/api/user/${world.userId}`);
      expect(shown.at("user.twoFactorDelivery")).toBe("TextMessage");
    });

    requirement("two-factor.text-message", "TextMessage without a secret came with 1.17.0", async () => {
      const world = await startTwoFactor(start, "1.16.0");
      const user = await world.asUser();
      expectRefusal(await user.post("/api/two-factor/send"), 400, "[notConfigured]userId");
      const body = { code: "123456", delivery: "TextMessage" };
      expectRefusal(await user.post("/api/user/two-factor", body), 400, "[blank]secret", "[blank]secretBase32Encoded");
    });
  });

  describe("disabling", () => {
    requirement("two-factor.disable", "takes a right code, by a key or by the user", async () => {
      const world = await startTwoFactor(start);
      for (const by of ["key", "user"]) {
        await enable(world);
        const caller = by === "key" ? world.caller : await world.asUser();
        const path = by === "key" ? world.path : "/api/user/two-factor";
        expectEmpty(await caller.delete(`${path}?code=${world.codeOf(secret, 2)}`), 421);
        expectEmpty(await caller.delete(`${path}?code=${world.codeOf(secret, 1)}`), 200);
        expect((await world.caller.get(`/api/user/${world.userId}`)).at("user.twoFactorEnabled")).toBe(false);
      }
    });

    requirement("two-factor.disable", "what is not enabled is 421: no code is right", async () => {
      const world = await startTwoFactor(start);
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secret)}`), 421);
    });

    requirement("two-factor.disable-fields", "needs a code", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      expectRefusal(await world.caller.delete(world.path), 400, "[blank]code");
      expectRefusal(await world.caller.delete(`${world.path}?code=%20`), 400, "[blank]code");
      expectRefusal(await world.caller.delete("/api/user/two-factor?code=123456"), 400, "[missing]userId");
    });

    requirement("totp.once", "does not take the code that enabled", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secret)}`), 421);
      world.clock.advance(stepMs);
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secret, -1)}`), 421);
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secret)}`), 200);
    });
  });

  describe("at once", () => {
    requirement("two-factor.concurrent", "enabling many times happens once", async () => {
      const world = await startTwoFactor(start);
      const secrets = Array.from({ length: 4 }, (_, index) => `secret number ${index} of four`);
      const answers = await Promise.all(
        secrets.map((text) => world.caller.post(world.path, { code: world.codeOf(text), delivery: "None", secret: text })),
      );
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secrets[winner] ?? "", 1)}`), 200);
    });

    requirement(["two-factor.concurrent", "totp.once"], "one code disables once", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      const code = world.codeOf(secret, 1);
      const answers = await Promise.all(Array.from({ length: 4 }, () => world.caller.delete(`${world.path}?code=${code}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 421, 421, 421]);
    });

    requirement("two-factor.concurrent", "enabling, disabling and changing the user leave one state or the other", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      const [removed, added, patched] = await Promise.all([
        world.caller.delete(`${world.path}?code=${world.codeOf(secret, 1)}`),
        world.caller.post(world.path, { code: world.codeOf(secret), delivery: "None", secret }),
        world.caller.patch(`/api/user/${world.userId}`, { user: { firstName: "Ada" } }),
      ]);
      expect([removed.status, patched.status]).toEqual([200, 200]);
      expect([200, 400]).toContain(added.status);
      const user = await world.caller.get(`/api/user/${world.userId}`);
      expect([user.at("user.firstName"), user.at("user.twoFactorEnabled")]).toEqual(["Ada", added.status === 200]);
    });
  });
});
