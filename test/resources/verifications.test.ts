import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { oneTimeIdsTable } from "../../src/records/logins/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startFlows, templateId } from "../support/flows.js";
import { anybody, arrangeLogin, claimsOf, ids, loginBody } from "../support/logins.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const verifying = { emailConfiguration: { verifyEmail: true } };
const byCode = { emailConfiguration: { verifyEmail: true, verificationStrategy: "FormField" } };
const user = { email: "Ann@example.com", password: "correct horse battery" };
const path = "/api/user/verify-email";

async function isVerified(world: World, id = ids.user): Promise<unknown> {
  const answer = expectOk(await world.caller.get(`/api/user/${id}`));
  expect(answer.at("user.identities.0.verified")).toBe(answer.at("user.verified"));
  expect(answer.at("user.verifiedInstant") !== undefined).toBe(answer.at("user.verified"));
  return answer.at("user.verified");
}

forEachStorage(
  (start) => {
    describe("the verification of an email", () => {
      requirement(
        ["account.verify-new", "account.verify-email"],
        "begins with the user and ends with the link of the mail",
        async () => {
          const { nextMail, world } = await startFlows(start, verifying);
          const made = expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
          expect(made.at("user.verified")).toBe(false);
          const verificationId = made.textAt("emailVerificationId");
          expectEmpty(await anybody(world).post(`${path}/${verificationId}`), 200);
          expect(await isVerified(world)).toBe(true);
          const [verified] = await readEvents(world.storage, "user.email.verified");
          expect(verified).toMatchObject({ tenantId: world.defaultTenantId, user: { id: ids.user, verified: true } });
          const [ofIdentity] = await readEvents(world.storage, "user.identity.verified");
          expect(ofIdentity).toMatchObject({ loginId: "ann@example.com", loginIdType: "email", user: { id: ids.user } });
          expect(JSON.stringify(await readEvents(world.storage))).not.toContain(verificationId);
          const { mail, words } = await nextMail("check");
          expect([mail.to.address, words]).toEqual(["ann@example.com", ["check", verificationId]]);
          expect((await nextMail("verified")).words).toEqual(["verified", "ann@example.com"]);
        },
      );

      requirement("account.id-once", "works once, and once for two who come at once", async () => {
        const { world } = await startFlows(start, verifying);
        const made = expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
        const verificationId = made.textAt("emailVerificationId");
        const send = () => anybody(world).post(path, { verificationId });
        const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
        expect(statuses.sort()).toEqual([200, 404]);
        expectEmpty(await send(), 404);
        expect(await readEvents(world.storage, "user.email.verified")).toHaveLength(1);
      });

      requirement("account.id-place", "works in its tenant, for its address and purpose", async () => {
        const { nextMail, world } = await startFlows(start, verifying);
        const other = await makeTenant(world, "Other");
        const inDefault = world.caller.inTenant(world.defaultTenantId);
        expectOk(await inDefault.post(`/api/user/${ids.user}`, { user }));
        const [, verificationId = ""] = (await nextMail()).words;
        expectEmpty(await anybody(world).inTenant(other).post(path, { verificationId }), 404);
        expectEmpty(await anybody(world).post("/api/user/verify-registration", { verificationId }), 404);
        expectEmpty(await anybody(world).post(`/api/user/change-password/${verificationId}`, { password: "a good one" }), 404);
        expectOk(await inDefault.patch(`/api/user/${ids.user}`, { user: { email: "new@example.com" } }));
        expectEmpty(await anybody(world).post(path, { verificationId }), 404);
        expect(await isVerified(world)).toBe(false);
      });

      requirement("account.id-lifetime", "ends with the lifetime, and has the generator, of the tenant", async () => {
        const externalIdentifierConfiguration = {
          emailVerificationIdTimeToLiveInSeconds: 60,
          emailVerificationIdGenerator: { length: 20, type: "randomDigits" },
        };
        const { nextMail, world } = await startFlows(start, { ...verifying, externalIdentifierConfiguration });
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
        const [, verificationId = ""] = (await nextMail()).words;
        expect(verificationId).toMatch(/^\d{20}$/);
        world.clock.advance(60_000);
        expectEmpty(await anybody(world).post(path, { verificationId }), 404);
      });

      requirement("account.code", "needs the code beside the id, and few guesses", async () => {
        const { nextMail, world } = await startFlows(start, byCode);
        const made = expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
        const verificationId = made.textAt("emailVerificationId");
        const [, mailed, oneTimeCode = ""] = (await nextMail()).words;
        expect([mailed, oneTimeCode]).toEqual([verificationId, made.at("emailVerificationOneTimeCode")]);
        expect(oneTimeCode).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
        const caller = anybody(world);
        expectEmpty(await caller.post(path, { verificationId }), 404);
        expectEmpty(await caller.post(path, { verificationId, oneTimeCode: "AAAAAA" }), 404);
        expectEmpty(await caller.post(path, { verificationId, oneTimeCode: oneTimeCode.toLowerCase() }), 200);
        const again = expectOk(await world.caller.post("/api/user", { user: { ...user, email: "b@example.com" } }));
        const wrong = { verificationId: again.textAt("emailVerificationId"), oneTimeCode: "AAAAAA" };
        const statuses = [];
        for (let attempt = 0; attempt < 12; attempt++) statuses.push((await caller.post(path, wrong)).status);
        expect(statuses.at(-1)).not.toBe(404);
      });

      requirement("account.id-secret", "leaves nothing in the storage that works", async () => {
        const { nextMail, world } = await startFlows(start, byCode);
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
        const [, verificationId = "", oneTimeCode = ""] = (await nextMail()).words;
        const kept = JSON.stringify(await world.storage.find(globalScope, oneTimeIdsTable, undefined));
        for (const secret of [verificationId, oneTimeCode]) expect(kept).not.toContain(secret);
      });

      requirement("account.verify-new", "is not asked from whom the creator vouches for, or without the setting", async () => {
        const { countMails, setTenant, world } = await startFlows(start, verifying);
        expectOk(
          await world.caller.post(`/api/user/${uuid(1)}`, { user: { ...user, email: "a@example.com" }, skipVerification: true }),
        );
        expectOk(await world.caller.post(`/api/user/${uuid(2)}`, { user: { ...user, email: "b@example.com", verified: true } }));
        expectOk(await world.caller.post(`/api/user/${uuid(3)}`, { user: { username: "nameonly" } }));
        await setTenant({ emailConfiguration: { verifyEmail: false } });
        expectOk(await world.caller.post(`/api/user/${uuid(4)}`, { user: { ...user, email: "d@example.com" } }));
        for (const id of [1, 2, 3, 4]) expect(await isVerified(world, uuid(id))).toBe(true);
        expect(countMails()).toBe(0);
        const unverified = { user: { ...user, email: "e@example.com", verified: false } };
        expect(expectOk(await world.caller.post(`/api/user/${uuid(5)}`, unverified)).at("user.verified")).toBe(false);
        const patched = expectOk(await world.caller.patch(`/api/user/${uuid(5)}`, { user: { firstName: "E", verified: true } }));
        expect(patched.at("user.verified")).toBe(false);
      });

      requirement("account.verify-changed", "starts again for a changed address, and mails the earlier one", async () => {
        const emailConfiguration = { verifyEmailWhenChanged: true };
        const { nextMail, setTenant, world } = await startFlows(start, { emailConfiguration });
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
        expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { email: "new@example.com" } }));
        expect(await isVerified(world)).toBe(false);
        const mails = [await nextMail(), await nextMail()];
        expect(mails.map(({ mail, words }) => [mail.to.address, words[0]])).toEqual(
          expect.arrayContaining([
            ["ann@example.com", "from"],
            ["new@example.com", "check"],
          ]),
        );
        const verificationId = mails.find(({ words }) => words[0] === "check")?.words[1];
        expectEmpty(await anybody(world).post(path, { verificationId }), 200);
        expect(await isVerified(world)).toBe(true);
        await setTenant({ emailConfiguration: { verifyEmailWhenChanged: false } });
        expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { email: "third@example.com" } }));
        expect(await isVerified(world)).toBe(true);
      });

      requirement("account.verify-ids", "is answered with its ids to who makes or changes the user", async () => {
        const emailConfiguration = { verifyEmail: true, verifyEmailWhenChanged: true, verificationStrategy: "FormField" };
        for (const version of ["1.58.0", "1.59.0"]) {
          const { world } = await startFlows(start, { emailConfiguration }, { version });
          const change = { user: { firstName: "Ann" } };
          const user = (email: string): object => ({ user: { email, password: "correct horse battery" } });
          const { caller } = world;
          const made = expectOk(await caller.post(`/api/user/${ids.user}`, user("a@example.com")));
          const path = `/api/user/${ids.user}`;
          const put = expectOk(await caller.put(path, user("b@example.com")));
          const patched = expectOk(await caller.patch(path, { user: { email: "c@example.com" } }));
          for (const [answer, value] of [
            [made, "a@example.com"],
            [put, "b@example.com"],
            [patched, "c@example.com"],
          ] as const) {
            const id = answer.textAt("emailVerificationId");
            const oneTimeCode = answer.textAt("emailVerificationOneTimeCode");
            const listed = version === "1.59.0" ? [{ id, oneTimeCode, type: "email", value }] : undefined;
            expect(answer.at("verificationIds")).toEqual(listed);
          }
          expect(Object.keys(expectOk(await caller.patch(path, change)).body as object)).toEqual(["user"]);
          const body = {
            oneTimeCode: patched.at("emailVerificationOneTimeCode"),
            verificationId: patched.at("emailVerificationId"),
          };
          expectEmpty(await anybody(world).post("/api/user/verify-email", body), 200);
        }
      });

      requirement("account.verify-email", "is sent once more, and done by an administrator", async () => {
        const { nextMail, world } = await startFlows(start, verifying);
        expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
        const [, first = ""] = (await nextMail()).words;
        expectEmpty(await anybody(world).put(`${path}?email=ann@example.com`), 200);
        const [, second = ""] = (await nextMail()).words;
        const own = expectOk(await world.caller.put(`${path}?email=ann@example.com&sendVerifyEmail=false`));
        expect(new Set([first, second, own.textAt("verificationId")]).size).toBe(3);
        expectEmpty(await anybody(world).post(path, { userId: ids.user, verificationId: "wrong" }), 404);
        expectEmpty(await world.caller.post(path, { userId: uuid(9) }), 404);
        expectEmpty(await world.caller.post(path, { userId: ids.user }), 200);
        expect(await isVerified(world)).toBe(true);
        for (const verificationId of [first, second]) expectEmpty(await anybody(world).post(path, { verificationId }), 404);
        expectEmpty(await world.caller.put(`${path}?email=nobody@example.com`), 404);
        expectRefusal(await world.caller.put(path), 400, "[blank]email");
        expectRefusal(await anybody(world).post(path, {}), 400, "[blank]verificationId");
      });

      requirement("account.verify-email", "says to a key alone that no template is configured", async () => {
        const verificationEmailTemplateId = null;
        const { countMails, world } = await startFlows(start, { emailConfiguration: { verificationEmailTemplateId } });
        await arrangeLogin(world, { application: { verifyRegistration: true }, user: { verified: false } });
        for (const kind of ["email", "registration"]) {
          const query = `?email=ann@example.com&applicationId=${ids.application}`;
          expectRefusal(await world.caller.put(`/api/user/verify-${kind}${query}`), 403, "[noMailTemplate]");
          expectEmpty(await anybody(world).put(`/api/user/verify-${kind}${query}`), 200);
        }
        await world.identity.settle();
        expect(countMails()).toBe(0);
      });

      requirement("account.verify-email", "shows in the tokens", async () => {
        const { world } = await startFlows(start, verifying);
        await arrangeLogin(world);
        const emailVerified = async (): Promise<unknown> =>
          claimsOf(expectOk(await world.caller.post("/api/login", loginBody())).textAt("token")).email_verified;
        expect(await emailVerified()).toBe(false);
        expectEmpty(await world.caller.post(path, { userId: ids.user }), 200);
        expect(await emailVerified()).toBe(true);
      });

      requirement("account.mail-fails", "goes on without a mail", async () => {
        const { countMails, setTenant, world } = await startFlows(start, verifying);
        expectOk(
          await world.caller.patch(`/api/email/template/${templateId("verification")}`, {
            emailTemplate: { defaultTextTemplate: "${nothing}" },
          }),
        );
        const made = expectOk(await world.caller.post(`/api/user/${ids.user}`, { user }));
        const logs = expectOk(await world.caller.get("/api/system/event-log/search"));
        expect(logs.textAt("eventLogs.0.message")).toContain(ids.user);
        expectEmpty(await anybody(world).post(path, { verificationId: made.textAt("emailVerificationId") }), 200);
        await setTenant({ emailConfiguration: { defaultFromEmail: "a@example.com" } });
        expect(countMails()).toBeLessThan(2);
      });
    });

    describe("a gated tenant", () => {
      requirement("account.gated", "answers 212 until the email is verified", async () => {
        const { nextMail, setTenant, world } = await startFlows(start, {
          emailConfiguration: { verifyEmail: true, unverified: { behavior: "Gated" } },
        });
        await arrangeLogin(world);
        await nextMail();
        const waiting = await world.caller.post("/api/login", loginBody());
        expect([waiting.status, waiting.body, waiting.cookies]).toEqual([212, {}, []]);
        await setTenant({ emailConfiguration: { verificationStrategy: "FormField" } });
        const asking = await world.caller.post("/api/login", loginBody());
        expect(asking.status).toBe(212);
        const [, verificationId, oneTimeCode] = (await nextMail()).words;
        expect(asking.body).toEqual({ emailVerificationId: verificationId });
        expectEmpty(await anybody(world).post(path, { verificationId, oneTimeCode }), 200);
        expectOk(await world.caller.post("/api/login", loginBody()));
      });
    });
  },
  isLong ? embeddedPostgres() : [],
);
