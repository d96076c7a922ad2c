// Trusted devices, and the status of a second factor.
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { oneTimeIdsTable } from "../../src/records/logins/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { type Factors, factorPath, startFactors } from "../support/factors.js";
import { anybody, ids, logIn, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage, type Start, uuid } from "../support/world.js";

const otherId = uuid(503);

async function startWithAuthenticator(start: Start): Promise<Factors & { readonly methodId: string }> {
  const factors = await startFactors(start);
  return { ...factors, methodId: await factors.addAuthenticator() };
}

/** Trusts a device by a login; returns its id. */
async function trustDevice({ begin, finish }: Factors, fields: object = {}): Promise<string> {
  return expectOk(await finish(await begin(fields), { trustComputer: true })).textAt("twoFactorTrustId");
}

const statusOf = async ({ world }: Factors, twoFactorTrustId: string, applicationId = ids.application): Promise<Answer> =>
  world.caller.get(`/api/two-factor/status/${twoFactorTrustId}?userId=${ids.user}&applicationId=${applicationId}`);

/** Makes a second application that the user can log in to, with these policies. */
async function addApplication({ world }: Factors, multiFactorConfiguration: object): Promise<void> {
  const application = { name: "Other shop", multiFactorConfiguration };
  expectOk(await world.caller.post(`/api/application/${otherId}`, { application }));
  const registration = { applicationId: otherId };
  expectOk(await world.caller.post(`/api/user/registration/${ids.user}`, { registration }));
}

forEachStorage((start) => {
  describe("a trusted device", () => {
    requirement(["two-factor.trust", "two-factor.sealed"], "logs in without a second factor until its time is over", async () => {
      const factors = await startWithAuthenticator(start);
      const { begin, setTenant, world } = factors;
      await setTenant({ externalIdentifierConfiguration: { twoFactorTrustIdTimeToLiveInSeconds: 3_600 } });
      const twoFactorTrustId = await trustDevice(factors);
      const stored = await world.storage.find(globalScope, oneTimeIdsTable, undefined);
      expect(JSON.stringify([stored, world.log])).not.toContain(twoFactorTrustId);
      for (let count = 0; count < 2; count++) {
        const answer = expectOk(await world.caller.post("/api/login", loginBody({ twoFactorTrustId })));
        expect(answer.at("twoFactorTrustId")).toBe(twoFactorTrustId);
      }
      const wrong = loginBody({ password: "wrong password", twoFactorTrustId });
      expectEmpty(await world.caller.post("/api/login", wrong), 404);
      await begin();
      await begin({ twoFactorTrustId: "unknown" });
      await begin({ twoFactorTrustId: "" });
      world.clock.advance(3_600_000);
      await begin({ twoFactorTrustId });
    });

    requirement("two-factor.trust", "is one of its user in its tenant", async () => {
      const factors = await startWithAuthenticator(start);
      const { world } = factors;
      const twoFactorTrustId = await trustDevice(factors);
      const user = { email: "bob@example.com", password };
      expectOk(await world.caller.post(`/api/user/${uuid(504)}`, { user }));
      const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
      expectOk(await world.caller.post(`/api/user/two-factor/${uuid(504)}`, method));
      const asBob = loginBody({ loginId: "bob@example.com", twoFactorTrustId });
      expect((await world.caller.post("/api/login", asBob)).status).toBe(242);
      const asked = await world.caller.get(`/api/two-factor/status/${twoFactorTrustId}?userId=${uuid(504)}`);
      expect([asked.status, asked.body]).toEqual([242, { trusts: [] }]);
    });

    requirement(
      "two-factor.trust-ends",
      "is one no more after a new password, the end of sessions, or a method less",
      async () => {
        const factors = await startWithAuthenticator(start);
        const { addEmail, methodId, world } = factors;
        await addEmail();
        const patch = (user: object) => world.caller.patch(`/api/user/${ids.user}`, { user });
        const ends: readonly (() => Promise<Answer>)[] = [
          () => patch({ password: "another password" }),
          () => patch({ password }),
          () => world.caller.delete(`/api/jwt/refresh?userId=${ids.user}`),
          async () =>
            world
              .as(`Bearer none`)
              .post("/api/logout", { global: true, refreshToken: (await logIn(world, { twoFactorTrustId: kept })).refreshToken }),
          () => {
            const code = codeAt(secret, world.clock.advance(stepMs));
            return world.caller.delete(`${factorPath}?methodId=${methodId}&code=${code}`);
          },
        ];
        let kept = "";
        let current = password;
        for (const [index, end] of ends.entries()) {
          kept = await trustDevice(factors, { password: current });
          expectOk(await world.caller.post("/api/login", loginBody({ password: current, twoFactorTrustId: kept })));
          expect([index, (await end()).status]).toEqual([index, 200]);
          current = index === 0 ? "another password" : password;
          const after = await world.caller.post("/api/login", loginBody({ password: current, twoFactorTrustId: kept }));
          expect([index, after.status]).toEqual([index, 242]);
        }
      },
    );

    requirement("two-factor.trust-policy", "is accepted where the policy of the application says so", async () => {
      const factors = await startWithAuthenticator(start);
      const { begin, finish, world } = factors;
      await addApplication(factors, { trustPolicy: "This" });
      const there = { applicationId: otherId };
      const first = await trustDevice(factors);
      const waiting = await begin({ ...there, twoFactorTrustId: first });
      const second = expectOk(await finish(waiting, { trustComputer: true })).textAt("twoFactorTrustId");
      // The new id is good for both, and the old one for nothing.
      expect((await statusOf(factors, second)).each("trusts", "applicationId")).toEqual([ids.application, otherId]);
      expect((await statusOf(factors, second, otherId)).status).toBe(200);
      expect((await statusOf(factors, first)).status).toBe(242);
      const policy = (trustPolicy: string) =>
        world.caller.patch(`/api/application/${otherId}`, { application: { multiFactorConfiguration: { trustPolicy } } });
      expectOk(await policy("None"));
      expect((await statusOf(factors, second, otherId)).status).toBe(242);
      expectOk(await policy("Any"));
      expect((await statusOf(factors, await trustDevice(factors), otherId)).status).toBe(200);
    });

    requirement("two-factor.trust", "does not spare a login that must choose a password its second factor", async () => {
      const factors = await startWithAuthenticator(start);
      const twoFactorTrustId = await trustDevice(factors);
      const { world } = factors;
      expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { passwordChangeRequired: true } }));
      const answer = await factors.finish(await factors.begin({ twoFactorTrustId }));
      expect([answer.status, answer.at("changePasswordReason")]).toEqual([203, "Administrative"]);
    });
  });

  describe("the status", () => {
    requirement("two-factor.status", "is 242 until the device is trusted, then 200", async () => {
      const factors = await startWithAuthenticator(start);
      const { world } = factors;
      const ask = (query: string) => world.caller.get(`/api/two-factor/status?${query}`);
      const before = await ask(`userId=${ids.user}`);
      expect([before.status, before.body]).toEqual([242, { trusts: [] }]);
      const startInstant = world.clock.instant + stepMs;
      const twoFactorTrustId = await trustDevice(factors);
      const after = expectOk(await ask(`userId=${ids.user}&twoFactorTrustId=${twoFactorTrustId}`));
      const trust = { applicationId: ids.application, expiration: startInstant + 2_592_000_000, startInstant };
      expect(after.body).toEqual({ trusts: [trust], twoFactorTrustId });
      expectRefusal(await ask(""), 400, "[missing]userId");
      expectEmpty(await ask(`userId=${uuid(1)}`), 404);
      expectRefusal(await ask(`userId=${ids.user}&applicationId=${uuid(1)}`), 400, "[invalid]applicationId");
      expectEmpty(await anybody(world).get(`/api/two-factor/status?userId=${ids.user}`), 401);
    });

    requirement("two-factor.status", "of an action takes the user's token, and trusts no device", async () => {
      const factors = await startWithAuthenticator(start);
      const { world } = factors;
      const twoFactorTrustId = await trustDevice(factors);
      const accessToken = (await logIn(world, { twoFactorTrustId })).token;
      const ask = (body: object) => world.caller.post("/api/two-factor/status", { userId: ids.user, ...body });
      expectOk(await ask({ twoFactorTrustId }));
      expect((await ask({ action: "stepUp", accessToken, twoFactorTrustId })).status).toBe(242);
      expect((await ask({ action: "changePassword", twoFactorTrustId })).status).toBe(242);
      expectRefusal(await ask({ action: "stepUp", accessToken: "no token" }), 400, "[invalid]accessToken");
      expectRefusal(await ask({ action: "dance" }), 400, "[invalidOption]action");
      const user = { email: "bob@example.com", password };
      expectOk(await world.caller.post(`/api/user/${uuid(504)}`, { user }));
      expectRefusal(await ask({ userId: uuid(504), accessToken }), 400, "[invalid]accessToken");
    });
  });
});
