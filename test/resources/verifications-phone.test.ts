import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startTexts } from "../support/flow-texts.js";
import { startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody } from "../support/logins.js";
import { makeMessageTemplate } from "../support/messengers.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../support/world.js";

const phoneNumber = "+1 555 0100";
const base = "/api/identity/verify";
const identity = { loginId: "+1 (555) 0100", loginIdType: "phoneNumber" };

async function isVerified(world: World, id = ids.user): Promise<unknown> {
  const { identities } = expectOk(await world.caller.get(`/api/user/${id}`)).at("user") as {
    readonly identities: readonly { readonly type: string; readonly verified: boolean }[];
  };
  return identities.find(({ type }) => type === "phoneNumber")?.verified;
}

forEachStorage(
  (start) => {
    describe("a phone number", () => {
      requirement("phone.verify", "is verified by the link of a text, once", async () => {
        const { box, words, world } = await startTexts(start, { verifyPhoneNumber: true });
        const made = expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { username: "ann", phoneNumber } }));
        expect(made.at("verificationIds")).toEqual([{ id: expect.any(String), type: "phoneNumber", value: phoneNumber }]);
        const verificationId = made.textAt("verificationIds.0.id");
        expect(await isVerified(world)).toBe(false);
        expect(expectOk(await world.caller.post(`${base}/complete`, { verificationId })).body).toEqual({});
        expectEmpty(await world.caller.post(`${base}/complete`, { verificationId }), 404);
        expect(await isVerified(world)).toBe(true);
        const [event] = await readEvents(world.storage, "user.identity.verified");
        expect(event).toMatchObject({ loginId: phoneNumber, loginIdType: "phoneNumber", user: { id: ids.user } });
        await words(2);
        const said = box.sent.map(({ tenantId, text, to, userId }) => [text.trim(), to, tenantId, userId]);
        const whom = [phoneNumber, world.defaultTenantId, ids.user];
        expect(said.toSorted()).toEqual([
          [`check ${verificationId}`, ...whom],
          [`verified ${phoneNumber}`, ...whom],
        ]);
      });

      requirement("phone.send", "is sent the code of a verification that was started, within the limit", async () => {
        const limit = { sendPhoneVerification: { enabled: true, limit: 2, timePeriodInSeconds: 60 } };
        const { box, words, world } = await startTexts(start, {}, { rateLimitConfiguration: limit });
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { username: "ann", phoneNumber } }));
        const asked = { ...identity, state: { to: "here" }, verificationStrategy: "FormField" };
        const started = expectOk(await world.caller.post(`${base}/start`, asked));
        const verificationId = started.textAt("verificationId");
        expectEmpty(await world.caller.post(`${base}/send`, { verificationId }), 200);
        expect(await words(1)).toEqual(["check", verificationId, started.at("oneTimeCode")]);
        expect(box.sent).toMatchObject([{ code: started.at("oneTimeCode") }]);
        expectEmpty(await world.caller.post(`${base}/send`, { verificationId }), 200);
        expectRefusal(await world.caller.post(`${base}/send`, { verificationId }), 429, "[tooManyMessages]");
        const complete = { verificationId, oneTimeCode: started.at("oneTimeCode") };
        expectEmpty(await world.caller.post(`${base}/complete`, { ...complete, oneTimeCode: "AAAAAA" }), 404);
        expect(expectOk(await world.caller.post(`${base}/complete`, complete)).body).toEqual({ state: { to: "here" } });
      });

      requirement("phone.send", "needs a template, a messenger and a number", async () => {
        const { world } = await startFlows(start);
        const send = async (who: object) => {
          const verificationId = expectOk(await world.caller.post(`${base}/start`, who)).textAt("verificationId");
          return world.caller.post(`${base}/send`, { verificationId });
        };
        const nobody = { ...identity, existingUserStrategy: "mustNotExist" };
        expectRefusal(await send(nobody), 403, "[noMailTemplate]");
        const verificationTemplateId = await makeMessageTemplate(world);
        expectOk(
          await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, {
            tenant: { phoneConfiguration: { verificationTemplateId } },
          }),
        );
        expectRefusal(await send({ ...nobody, loginId: "no number" }), 422, "[noMailAddress]");
        expectRefusal(await send(nobody), 400, "[notConfigured]tenant.phoneConfiguration.messengerId");
      });

      requirement(
        ["phone.verify", "phone.update"],
        "is verified again when it changes, and the old one gets a text",
        async () => {
          const { box, words, world } = await startTexts(start, { verifyPhoneNumber: true });
          const user = { username: "ann", phoneNumber };
          expectOk(await world.caller.post(`/api/user/${ids.user}`, { user, skipVerification: true }));
          expect(await isVerified(world)).toBe(true);
          expectOk(await world.caller.put(`/api/user/${ids.user}`, { user: { ...user, firstName: "Ann" } }));
          expect(await isVerified(world)).toBe(true);
          expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { phoneNumber: "+1 555 0199" } }));
          expect(await isVerified(world)).toBe(false);
          await words(2);
          const texts = box.sent.map(({ text, to }) => [text.split(" ")[0], to]);
          expect(texts.toSorted()).toEqual([
            ["changed", phoneNumber],
            ["check", "+1 555 0199"],
          ]);
        },
      );

      requirement("phone.gated", "keeps its user out until it is verified, where the tenant wants that", async () => {
        const gated = { verifyPhoneNumber: true, unverified: { behavior: "Gated" }, verificationStrategy: "FormField" };
        const { words, world } = await startTexts(start, gated);
        await arrangeLogin(world, { user: { phoneNumber } });
        await words(1);
        const waiting = await world.caller.post("/api/login", loginBody());
        expect([waiting.status, waiting.body]).toEqual([212, { identityVerificationId: expect.any(String) }]);
        const [, verificationId, oneTimeCode] = await words(2);
        expect(waiting.at("identityVerificationId")).toBe(verificationId);
        expectOk(await world.caller.post(`${base}/complete`, { verificationId, oneTimeCode }));
        expectOk(await world.caller.post("/api/login", loginBody({ loginId: identity.loginId, loginIdTypes: ["phoneNumber"] })));
      });

      requirement("phone.limits", "is guessed at as often as any login id, known or not, however it is written", async () => {
        const limit = { failedLogin: { enabled: true, limit: 2, timePeriodInSeconds: 60 } };
        const { world } = await startTexts(start, {}, { rateLimitConfiguration: limit });
        await arrangeLogin(world, { user: { phoneNumber } });
        for (const digits of ["0100", "0555"]) {
          const spellings = [`+1 555 ${digits}`, `+1-555-${digits}`, `+1555${digits}`];
          const statuses = [];
          for (const loginId of spellings) {
            const wrong = loginBody({ loginId, loginIdTypes: ["phoneNumber"], password: "a wrong one" });
            statuses.push((await world.caller.post("/api/login", wrong)).status);
          }
          expect(statuses).toEqual([404, 404, 429]);
        }
      });

      requirement("phone.unique", "is one user's in a tenant, and leads to that user", async () => {
        const { world } = await startTexts(start);
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { username: "ann", phoneNumber } }));
        const another = { user: { username: "bob", phoneNumber: "+1-555-0100" } };
        expectRefusal(await world.caller.post("/api/user", another), 400, "[duplicate]user.phoneNumber");
        const found = await world.caller.get("/api/user?loginIdTypes=phoneNumber&loginId=%2B15550100");
        expect(expectOk(found).at("user.id")).toBe(ids.user);
        expectEmpty(await world.caller.get("/api/user?loginIdTypes=phoneNumber&loginId=ann"), 404);
        expectEmpty(await world.caller.get("/api/user?loginId=%2B15550100"), 404);
      });

      requirement(["phone.passwordless", "phone.limits"], "gets the text of a login without a password", async () => {
        const limit = { sendPasswordlessPhone: { enabled: true, limit: 2, timePeriodInSeconds: 60 } };
        const { box, words, world } = await startTexts(start, { verifyPhoneNumber: true }, { rateLimitConfiguration: limit });
        const application = { passwordlessConfiguration: { enabled: true, phoneLoginStrategy: "FormField" } };
        await arrangeLogin(world, { application, user: { phoneNumber } });
        await words(1);
        const asked = { applicationId: ids.application, loginId: identity.loginId, loginIdTypes: ["phoneNumber"] };
        expectEmpty(await anybody(world).post("/api/passwordless/send", asked), 200);
        const [kind, code, oneTimeCode] = await words(2);
        expect(kind).toBe("login");
        expectEmpty(await anybody(world).post("/api/passwordless/login", { code, oneTimeCode: "AAAAAA" }), 404);
        expectOk(await anybody(world).post("/api/passwordless/login", { code, oneTimeCode }));
        expect(await isVerified(world)).toBe(true);
        expectEmpty(await anybody(world).post("/api/passwordless/send", { ...asked, loginId: "+1.555.0100" }), 200);
        const refused = await anybody(world).post("/api/passwordless/send", { ...asked, loginId: "+15550100" });
        expectRefusal(refused, 429, "[tooManyMessages]");
        const started = expectOk(await world.caller.post("/api/passwordless/start", asked));
        expectEmpty(await anybody(world).post("/api/passwordless/send", { code: started.at("code") }), 200);
        await words(5);
        expect(box.sent.some(({ text }) => text.startsWith(`login ${started.textAt("code")} `))).toBe(true);
      });

      requirement(["phone.forgot", "phone.notices"], "gets the text that resets a password, and the one about it", async () => {
        const { box, words, world } = await startTexts(start, {
          implicitPhoneVerificationAllowed: false,
          verifyPhoneNumber: true,
        });
        await arrangeLogin(world, { user: { phoneNumber } });
        await words(1);
        const asked = { loginId: "+15550100", loginIdTypes: ["phoneNumber"] };
        expectEmpty(await anybody(world).post("/api/user/forgot-password", { ...asked, loginId: "+1 555 0555" }), 200);
        expectEmpty(await anybody(world).post("/api/user/forgot-password", asked), 200);
        const [kind, changePasswordId = ""] = await words(2);
        expect([kind, box.sent.at(-1)?.to]).toEqual(["forgot", phoneNumber]);
        expectOk(await anybody(world).post(`/api/user/change-password/${changePasswordId}`, { password: "another good one" }));
        expect(await words(3)).toEqual(["reset"]);
        expect(await isVerified(world)).toBe(false);
        expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { password: "and one more, good" } }));
        expect(await words(4)).toEqual(["updated"]);
      });
    });
  },
  isLong ? embeddedPostgres() : [],
);
