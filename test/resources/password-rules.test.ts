import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const forgot = "/api/user/forgot-password";
const change = "/api/user/change-password";
const loginId = "ann@example.com";

/** An id for the user of the tests, as a key gets it. */
async function askForId(world: World, fields: object = {}): Promise<string> {
  const body = { loginId, sendForgotPasswordMessage: false, ...fields };
  return expectOk(await world.caller.post(forgot, body)).textAt("changePasswordId");
}

forEachStorage((start) => {
  describe("the rules of a tenant for passwords", () => {
    const strict = {
      minLength: 12,
      maxLength: 300,
      requireMixedCase: true,
      requireNonAlpha: true,
      requireNumber: true,
      disallowUserLoginId: true,
    };

    requirement(["account.rules", "account.rules-public"], "hold wherever a password is chosen", async () => {
      const { world } = await startFlows(start, { passwordValidationRules: strict });
      const good = "Good enough 1234";
      const never = { tenant: { passwordValidationRules: { minLength: 20, maxLength: 19 } } };
      const path = `/api/tenant/${world.defaultTenantId}`;
      expectRefusal(await world.caller.patch(path, never), 400, "[invalid]tenant.passwordValidationRules");
      const rules = expectOk(await anybody(world).get("/api/tenant/password-validation-rules"));
      expect(rules.at("passwordValidationRules")).toMatchObject(strict);
      const byId = await anybody(world).get(`/api/tenant/password-validation-rules/${world.defaultTenantId}`);
      expect(byId.body).toEqual(rules.body);
      expectEmpty(await anybody(world).get(`/api/tenant/password-validation-rules/${uuid(9)}`), 404);
      const user = { email: loginId, username: "Annie" };
      const broken: readonly (readonly [string, string])[] = [
        ["Ab1!", "tooShort"],
        [`Ab1!${"x".repeat(300)}`, "tooLong"],
        ["no upper case 1", "singleCase"],
        ["lettersOnlyInHere", "onlyAlpha requireNumber"],
        ["No digits in here", "requireNumber"],
        ["My name annie 123", "containsUsername"],
        [`X1 ${loginId}`, "containsEmail"],
      ];
      for (const [text, codes] of broken)
        expectRefusal(
          await world.caller.post("/api/user", { user: { ...user, password: text } }),
          400,
          ...codes.split(" ").map((code) => `[${code}]user.password`),
        );
      await arrangeLogin(world, { user: { ...user, password: good } });
      const id = await askForId(world);
      expectRefusal(await anybody(world).post(`${change}/${id}`, { password: "Ab1!" }), 400, "[tooShort]password");
      expectRefusal(
        await world.caller.patch(`/api/user/${ids.user}`, { user: { password: "Ab1!" } }),
        400,
        "[tooShort]user.password",
      );
      expectOk(await anybody(world).post(`${change}/${id}`, { password: "Another good 99" }));
    });

    requirement("account.rules-history", "refuse earlier passwords, and changes that follow too soon", async () => {
      const { world } = await startFlows(start, {
        minimumPasswordAge: { enabled: true, seconds: 100 },
        passwordValidationRules: { rememberPreviousPasswords: { enabled: true, count: 2 } },
      });
      await arrangeLogin(world);
      const set = async (text: string, caller = anybody(world)) =>
        caller.post(change, { changePasswordId: await askForId(world), password: text });
      expectRefusal(await set("password two"), 400, "[tooYoung]password");
      world.clock.advance(100_000);
      expectRefusal(await set(password), 400, "[previouslyUsed]password");
      expectOk(await set("password two"));
      world.clock.advance(100_000);
      expectRefusal(await set(password), 400, "[previouslyUsed]password");
      expectOk(await set("password three"));
      const user = { password: "password two" };
      expectRefusal(await world.caller.patch(`/api/user/${ids.user}`, { user }), 400, "[previouslyUsed]user.password");
      world.clock.advance(100_000);
      expectOk(await set(password));
      const shown = expectOk(await world.caller.get(`/api/user/${ids.user}`)).text;
      expect(shown).not.toContain("asswordHash");
    });

    requirement("account.rules-login", "are asked at logins where the tenant says so", async () => {
      const { setTenant, world } = await startFlows(start);
      await arrangeLogin(world);
      await setTenant({ passwordValidationRules: { ...strict, validateOnLogin: true } });
      const weak = await world.caller.post("/api/login", loginBody());
      expect([weak.status, weak.at("changePasswordReason")]).toEqual([203, "Validation"]);
      const body = { password: "Good enough 1234" };
      expectOk(await anybody(world).post(`${change}/${weak.textAt("changePasswordId")}`, body));
      expectOk(await world.caller.post("/api/login", loginBody(body)));
      await setTenant({ maximumPasswordAge: { enabled: true, days: 1 } });
      world.clock.advance(86_400_000);
      const old = await world.caller.post("/api/login", loginBody(body));
      expect([old.status, old.at("changePasswordReason")]).toEqual([203, "Expired"]);
    });
  });
});
