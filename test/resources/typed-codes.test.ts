// Codes as people type them, everywhere that one is compared.
import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { type Factors, factorPath, startFactors } from "../support/factors.js";
import { startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage } from "../support/world.js";

/** Spellings of a code that are the code. */
const spellings: Readonly<Record<string, (code: string) => string>> = {
  "in groups with a space": (code) => `${code.slice(0, 3)} ${code.slice(3)}`,
  "in groups with a hyphen": (code) => `${code.slice(0, 3)}-${code.slice(3)}`,
  "in pairs with a dash and a no-break space": (code) => `${code.slice(0, 2)}\u2013${code.slice(2, 4)}\u00a0${code.slice(4)}`,
  "with blanks, a line feed and a mark nobody sees": (code) => `\u200e ${[...code].join(" ")}\u200b\n`,
  "in small letters": (code) => code.toLowerCase(),
  "in wide characters": (code) => [...code].map((character) => String.fromCodePoint(character.charCodeAt(0) + 0xfee0)).join(""),
};

/** Separators that are no part of a number as people write one. */
const others = [".", "/", "_", "+", ","];

forEachStorage((start) => {
  const finish = (factors: Factors, twoFactorId: string, code: string): Promise<Answer> =>
    anybody(factors.world).post("/api/two-factor/login", { code, twoFactorId });

  describe("a code of a second factor", () => {
    requirement("account.typed-code", "of an authenticator adds it, and logs in, in any groups", async () => {
      const factors = await startFactors(start);
      const { clock, caller } = factors.world;
      const code = codeAt(secret, clock.instant);
      const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
      expectOk(await caller.post(factorPath, { code: typed, method: "authenticator", secret }));
      for (const [how, spell] of Object.entries(spellings)) {
        const next = codeAt(secret, clock.advance(stepMs));
        const answer = await finish(factors, await factors.begin(), spell(next));
        expect([how, answer.status]).toEqual([how, 200]);
      }
      const next = codeAt(secret, clock.advance(stepMs));
      for (const other of others) {
        const answer = await finish(factors, await factors.begin(), `${next.slice(0, 3)}${other}${next.slice(3)}`);
        expect([other, answer.status]).toEqual([other, 421]);
      }
    });

    requirement("account.typed-code", "that was mailed logs in, and removes its method", async () => {
      const factors = await startFactors(start);
      const { caller } = factors.world;
      const methodId = await factors.addEmail();
      for (const [how, spell] of Object.entries(spellings)) {
        factors.world.clock.advance(900_000);
        const twoFactorId = await factors.begin();
        expectEmpty(await anybody(factors.world).post(`/api/two-factor/send/${twoFactorId}`, { methodId }), 200);
        const answer = await finish(factors, twoFactorId, spell(await factors.nextCode()));
        expect([how, answer.status]).toEqual([how, 200]);
      }
      expectOk(await caller.post("/api/two-factor/send", { methodId, userId: ids.user }));
      const code = await factors.nextCode();
      const query = new URLSearchParams({ code: `${code.slice(0, 3)} - ${code.slice(3)}`, methodId });
      expectEmpty(await caller.delete(`${factorPath}?${query}`), 200);
    });

    requirement("account.typed-code", "of the host counts its characters alone", async () => {
      const factors = await startFactors(start);
      await factors.addAuthenticator();
      const begin = (code: string): Promise<Answer> =>
        factors.world.caller.post("/api/two-factor/start", { userId: ids.user, code });
      for (const short of ["-- -- --", "1-2-3-4", "12345 "]) expectRefusal(await begin(short), 400, "[tooShort]code");
      const twoFactorId = expectOk(await begin("ab-12-cd")).textAt("twoFactorId");
      expectEmpty(await finish(factors, twoFactorId, "- - -"), 421);
      expectOk(await finish(factors, twoFactorId, "AB12 CD"));
    });
  });

  requirement("account.typed-code", "of a login without a password, and of a verification, in any groups", async () => {
    const strategy = { verificationStrategy: "FormField", verifyEmail: true };
    const { world } = await startFlows(start, { emailConfiguration: strategy });
    const application = { passwordlessConfiguration: { enabled: true } };
    await arrangeLogin(world, { application, user: { verified: false } });
    const asked = { applicationId: ids.application, loginId: "ann@example.com", loginStrategy: "FormField" };
    const caller = anybody(world);
    for (const [how, spell] of Object.entries(spellings)) {
      const started = expectOk(await world.caller.post("/api/passwordless/start", asked));
      const body = { code: started.textAt("code"), oneTimeCode: spell(started.textAt("oneTimeCode")) };
      const answer = await caller.post("/api/passwordless/login", body);
      expect([how, answer.status < 300]).toEqual([how, true]);
      const user = { email: `${Object.keys(spellings).indexOf(how)}@example.com`, password: "secret password" };
      const made = expectOk(await world.caller.post("/api/user", { user }));
      const verificationId = made.textAt("emailVerificationId");
      const oneTimeCode = made.textAt("emailVerificationOneTimeCode");
      const verified = await caller.post("/api/user/verify-email", { verificationId, oneTimeCode: spell(oneTimeCode) });
      expect([how, verified.status]).toEqual([how, 200]);
    }
  });
});
