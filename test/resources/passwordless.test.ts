import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, claimsOf, ids } from "../support/logins.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { forEachStorage, makeTenant, readEvents } from "../support/world.js";

const base = "/api/passwordless";
const application = { passwordlessConfiguration: { enabled: true } };
const asked = { applicationId: ids.application, loginId: "ann@example.com" };

forEachStorage(
  (start) => {
    describe("a login without a password", () => {
      requirement("account.passwordless", "ends with the link of the mail, once", async () => {
        const { nextMail, world } = await startFlows(start);
        await arrangeLogin(world, { application, user: { verified: false } });
        const started = expectOk(await world.caller.post(`${base}/start`, { ...asked, state: { to: "here" } }));
        const code = started.textAt("code");
        expect(started.body).toEqual({ code });
        expectEmpty(await anybody(world).post(`${base}/send`, { code }), 200);
        const answers = await Promise.all(
          [0, 1].map(() => anybody(world).post(`${base}/login`, { code, metaData: { device: 1 } })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
        const answer = answers.find(({ status }) => status === 200) ?? answers[0];
        expect(claimsOf(answer?.textAt("token") ?? "")).toMatchObject({
          authenticationType: "PASSWORDLESS",
          email_verified: true,
        });
        expect(answer?.at("refreshToken")).toEqual(expect.any(String));
        expectEmpty(await anybody(world).post(`${base}/login`, { code }), 404);
        const [event] = await readEvents(world.storage, "user.login.success");
        expect(event).toMatchObject({ authenticationType: "PASSWORDLESS", applicationId: ids.application });
        expect((await nextMail("login")).words).toEqual(["login", code]);
      });

      requirement(["account.passwordless", "account.code"], "needs the code that was typed with FormField", async () => {
        const { nextMail, world } = await startFlows(start);
        await arrangeLogin(world, { application });
        const started = expectOk(await world.caller.post(`${base}/start`, { ...asked, loginStrategy: "FormField" }));
        const [code, oneTimeCode] = [started.textAt("code"), started.textAt("oneTimeCode")];
        expectEmpty(await anybody(world).post(`${base}/send`, { code }), 200);
        expect((await nextMail("login")).words).toEqual(["login", code, oneTimeCode]);
        expectEmpty(await anybody(world).post(`${base}/login`, { code }), 404);
        expectEmpty(await anybody(world).post(`${base}/login`, { code, oneTimeCode: "AAAAAA" }), 404);
        expectOk(await anybody(world).post(`${base}/login`, { code, oneTimeCode }));
      });

      requirement(["account.passwordless", "account.alike"], "is started and sent in one call, alike for everybody", async () => {
        const { nextMail, world } = await startFlows(start);
        await arrangeLogin(world, { application, user: { verified: false } });
        expectEmpty(await anybody(world).post(`${base}/send`, { ...asked, loginId: "nobody@example.com" }), 200);
        expectEmpty(await anybody(world).post(`${base}/send`, asked), 200);
        const { mail, words } = await nextMail("login");
        expect(mail.to.address).toBe("ann@example.com");
        const answer = expectOk(await anybody(world).post(`${base}/login`, { code: words[1] }));
        expect(answer.at("user.verified")).toBe(true);
        expectRefusal(await anybody(world).post(`${base}/send`, { loginId: "x" }), 400, "[missing]applicationId");
        expectRefusal(await anybody(world).post(`${base}/send`, {}), 400, "[blank]code");
        expectEmpty(await anybody(world).post(`${base}/send`, { code: "unknown" }), 404);
      });

      requirement(["account.id-place", "account.id-lifetime"], "keeps the place and the time of its code", async () => {
        const { world } = await startFlows(start);
        const other = await makeTenant(world, "Other");
        const own = { ...world, caller: world.caller.inTenant(world.defaultTenantId) };
        await arrangeLogin(own, { application });
        const code = expectOk(await own.caller.post(`${base}/start`, asked)).textAt("code");
        expectEmpty(await anybody(world).inTenant(other).post(`${base}/login`, { code }), 404);
        expectEmpty(await anybody(world).inTenant(other).post(`${base}/send`, { code }), 404);
        expectEmpty(await anybody(world).post(`/api/user/change-password/${code}`, { password: "a good one" }), 404);
        world.clock.advance(180_000);
        expectEmpty(await anybody(world).post(`${base}/login`, { code }), 404);
      });

      requirement(
        "validity.table",
        "works while the address of its message stays, also where the other one changes",
        async () => {
          const { world } = await startFlows(start);
          const addresses = { email: "ann@example.com", phoneNumber: "+1 555 0100" };
          await arrangeLogin(world, { application, user: addresses });
          const begin = async (type: string, loginId: string): Promise<string> =>
            expectOk(await world.caller.post(`${base}/start`, { ...asked, loginId, loginIdTypes: [type] })).textAt("code");
          const change = async (user: object): Promise<unknown> =>
            expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user }));
          const redeem = async (code: string): Promise<number> => (await anybody(world).post(`${base}/login`, { code })).status;
          const others = { email: "other@example.com", phoneNumber: "+1 555 0199" };
          for (const [own, other] of [
            ["email", "phoneNumber"],
            ["phoneNumber", "email"],
          ] as const) {
            const kept = await begin(own, addresses[own]);
            await change({ [other]: others[other] });
            expect(await redeem(kept)).toBe(200);
            await change(addresses);
            const ended = await begin(own, addresses[own]);
            await change({ [own]: others[own] });
            await change(addresses);
            expect(await redeem(ended)).toBe(404);
          }
        },
      );

      requirement("account.passwordless", "is refused by an application that does not allow it, and for strangers", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world);
        expectRefusal(await world.caller.post(`${base}/start`, asked), 400, "[disabled]applicationId");
        expectRefusal(await anybody(world).post(`${base}/send`, asked), 400, "[disabled]applicationId");
        expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application }));
        expectEmpty(await world.caller.post(`${base}/start`, { ...asked, loginId: "nobody" }), 404);
        const code = expectOk(await world.caller.post(`${base}/start`, asked)).textAt("code");
        expectEmpty(await world.caller.delete(`/api/user/${ids.user}`), 200);
        expectEmpty(await anybody(world).post(`${base}/login`, { code }), 404);
        expectEmpty(await world.caller.post(`${base}/start`, asked), 404);
      });

      requirement("account.passwordless", "asks for a second factor like any login", async () => {
        const { world } = await startFlows(start);
        await arrangeLogin(world, { application });
        const enable = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
        expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, enable));
        const code = expectOk(await world.caller.post(`${base}/start`, asked)).textAt("code");
        const waiting = await anybody(world).post(`${base}/login`, { code });
        expect([waiting.status, waiting.at("twoFactorId")]).toEqual([242, expect.any(String)]);
        expectEmpty(await anybody(world).post(`${base}/login`, { code }), 404);
      });
    });
  },
  isLong ? embeddedPostgres() : [],
);
