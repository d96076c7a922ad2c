import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../support/world.js";

const path = "/api/user/verify-email";
const gated = { allowEmailChangeWhenGated: true, behavior: "Gated" };
const emailConfiguration = { unverified: gated, verificationStrategy: "FormField", verifyEmail: true };

const change = (world: World, verificationId: string, email = "anna@example.com"): Promise<Answer> =>
  anybody(world).put(`${path}?email=${encodeURIComponent(email)}&verificationId=${verificationId}`);

/** Logs the user in as far as it goes; returns the id that the answer holds. */
async function askForId(world: World, loginId = "ann@example.com"): Promise<string> {
  const answer = await world.caller.post("/api/login", loginBody({ loginId }));
  expect(answer.status).toBe(212);
  return answer.textAt("emailVerificationId");
}

forEachStorage((start) => {
  describe("a gated user", () => {
    requirement(
      "account.gated-change",
      "replaces the address that was mistyped, and verifies the new one by its mail",
      async () => {
        const { nextMail, world } = await startFlows(start, { emailConfiguration });
        await arrangeLogin(world);
        const id = await askForId(world);
        const changed = expectOk(await change(world, id, "Anna@example.com"));
        expect(changed.body).toEqual({ verificationId: expect.stringMatching(/^[\w-]{43}$/) });
        expect(await readEvents(world.storage, "user.email.update")).toMatchObject([{ previousEmail: "ann@example.com" }]);
        expect((await nextMail("from")).mail.to.address).toBe("ann@example.com");
        const mails = [await nextMail("check"), await nextMail("check"), await nextMail("check")];
        const [, , oneTimeCode] = mails.find(({ mail }) => mail.to.address.toLowerCase() === "anna@example.com")?.words ?? [];
        expectEmpty(await change(world, id, "other@example.com"), 404);
        expectEmpty(await anybody(world).post(path, { oneTimeCode, verificationId: id }), 404);
        expectEmpty(await anybody(world).post(path, { oneTimeCode, verificationId: changed.at("verificationId") }), 200);
        expectOk(await world.caller.post("/api/login", loginBody({ loginId: "anna@example.com" })));
        expectEmpty(await change(world, changed.textAt("verificationId")), 404);
      },
    );

    requirement(
      "account.gated-change",
      "keeps the address where the tenant wants that, or another user has the new one",
      async () => {
        const { setTenant, world } = await startFlows(start, { emailConfiguration });
        await arrangeLogin(world);
        expectOk(await world.caller.post("/api/user", { user: { email: "anna@example.com" }, skipVerification: true }));
        const id = await askForId(world);
        expectRefusal(await change(world, id), 400, "[duplicate]user.email");
        expectEmpty(await change(world, `${id}x`), 404);
        expectRefusal(await change(world, id, "nowhere"), 400, "[notEmail]user.email");
        for (const unverified of [
          { ...gated, allowEmailChangeWhenGated: false },
          { ...gated, behavior: "Allow" },
        ]) {
          await setTenant({ emailConfiguration: { unverified } });
          expectEmpty(await change(world, id, "new@example.com"), 404);
        }
        await setTenant({ emailConfiguration: { unverified: gated } });
        const statuses = [];
        for (let count = 0; count < 6; count++) statuses.push((await change(world, id)).status);
        expect(statuses).toContain(429);
        expect((await world.caller.get(`/api/user/${ids.user}`)).at("user.email")).toBe("ann@example.com");
      },
    );

    requirement("account.gated-change", "gets no id where a link of the mail alone would verify the address", async () => {
      const { nextMail, world } = await startFlows(start, {
        emailConfiguration: { ...emailConfiguration, verificationStrategy: "ClickableLink" },
      });
      await arrangeLogin(world);
      const [, id = ""] = (await nextMail("check")).words;
      expectEmpty(await change(world, id), 200);
      const { mail, words } = await nextMail("check");
      expect(mail.to.address).toBe("anna@example.com");
      expectEmpty(await anybody(world).post(path, { verificationId: words[1] }), 200);
    });
  });
});
