import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const forgot = "/api/user/forgot-password";
const known = "ann@example.com";
const limited = { enabled: true, limit: 2, timePeriodInSeconds: 60 };

forEachStorage((start) => {
  describe("limits of calls that send or guess", () => {
    const calls: readonly (readonly [
      name: string,
      method: "post" | "put",
      url: (who: string) => string,
      body: (who: string) => object,
    ])[] = [
      ["forgotPassword", "post", () => forgot, (loginId) => ({ loginId })],
      ["sendEmailVerification", "put", (who) => `/api/user/verify-email?email=${who}`, () => ({})],
      [
        "sendRegistrationVerification",
        "put",
        (who) => `/api/user/verify-registration?email=${who}&applicationId=${ids.application}`,
        () => ({}),
      ],
      ["sendPasswordless", "post", () => "/api/passwordless/send", (loginId) => ({ applicationId: ids.application, loginId })],
    ];

    requirement(
      ["account.rate-limits", "account.alike"],
      "hold for a login id, known or not, until the time is over",
      async () => {
        const rateLimitConfiguration = Object.fromEntries(calls.map(([name]) => [name, limited]));
        const { world } = await startFlows(start, { rateLimitConfiguration });
        await arrangeLogin(world, { application: { passwordlessConfiguration: { enabled: true } } });
        const caller = anybody(world);
        for (const [, method, url, body] of calls)
          for (const who of [known, "nobody@example.com"]) {
            for (let count = 0; count < 2; count++) expectEmpty(await caller[method](url(who), body(who)), 200);
            const refused = await caller[method](url(who.toUpperCase()), body(who.toUpperCase()));
            expectRefusal(refused, 429, "[tooManyMessages]");
            expect(refused.headers["retry-after"]).toBe("60");
          }
        expectRefusal(await world.caller.post(forgot, { loginId: known }), 429, "[tooManyMessages]");
        world.clock.advance(60_000);
        expectEmpty(await caller.post(forgot, { loginId: known }), 200);
      },
    );

    requirement("account.rate-limits", "count all spellings of an address as one", async () => {
      const { world } = await startFlows(start, {
        rateLimitConfiguration: Object.fromEntries(calls.map(([name]) => [name, limited])),
      });
      await arrangeLogin(world, { application: { passwordlessConfiguration: { enabled: true } } });
      const both = { loginIdTypes: ["email", "phoneNumber"] };
      for (const [name, method, url, body] of calls) {
        const send = (who: string): Promise<{ readonly status: number }> =>
          anybody(world)[method](url(encodeURIComponent(who)), { ...body(who), ...(name === "forgotPassword" && both) });
        for (const spelled of ["ann@exam\u00adple.com", "ann@\uff45xample.com"])
          expect([name, (await send(spelled)).status]).toEqual([name, 200]);
        for (const spelled of [known, "ANN@example\u3002com", " ann@example.com\u3000", "ann@ex\u200bample.com"])
          expect([name, spelled, (await send(spelled)).status]).toEqual([name, spelled, 429]);
      }
    });

    requirement("account.rate-limits", "hold for callers without a key where the tenant says nothing", async () => {
      const { world } = await startFlows(start);
      await arrangeLogin(world);
      const statuses = [];
      for (let count = 0; count < 6; count++) statuses.push((await anybody(world).post(forgot, { loginId: known })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      expectOk(await world.caller.post(forgot, { loginId: known }));
      const others = [];
      for (let count = 0; count < 50; count++)
        others.push((await anybody(world).post(forgot, { loginId: `${count}@x.example` })).status);
      expect([others[0], others.at(-1)]).toEqual([200, 429]);
      const open = await start({ throttle: false });
      for (let count = 0; count < 8; count++) expectEmpty(await anybody(open).post(forgot, { loginId: known }), 200);
    });

    requirement("account.rate-limits", "hold for failed logins, of users who exist or not", async () => {
      const { world } = await startFlows(start, { rateLimitConfiguration: { failedLogin: limited } });
      await arrangeLogin(world);
      for (const loginId of [known, "nobody@example.com"]) {
        const wrong = loginBody({ loginId, password: "wrong password" });
        for (let count = 0; count < 2; count++) expectEmpty(await world.caller.post("/api/login", wrong), 404);
        expectRefusal(await world.caller.post("/api/login", wrong), 429, "[tooManyAttempts]");
      }
      expectRefusal(await world.caller.post("/api/login", loginBody()), 429, "[tooManyAttempts]");
      world.clock.advance(60_000);
      expectOk(await world.caller.post("/api/login", loginBody()));
    });
  });
});
