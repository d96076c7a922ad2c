import { describe, expect } from "vitest";
import { expectEmpty, expectRefusal } from "../support/answer.js";
import { keptMails, makeTemplate, startMailing } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const path = `/api/email/send/${uuid(800)}`;

forEachStorage((start) => {
  describe("a call to send an email template", () => {
    requirement("email.send-request", "names a template and somebody", async () => {
      const { world } = await startMailing(start);
      await makeTemplate(world);
      const body = { toAddresses: [{ address: "a@example.com" }] };
      expectEmpty(await world.caller.post(`/api/email/send/${uuid(1)}`, body), 404);
      expectRefusal(await world.caller.post("/api/email/send", body), 400, "[missing]emailTemplateId");
      expectRefusal(await world.caller.post("/api/email/send/none", body), 400, "[couldNotConvert]emailTemplateId");
      for (const nobody of [undefined, {}, { userIds: [], toAddresses: [] }, { ccAddresses: ["a@example.com"] }])
        expectRefusal(await world.caller.post(path, nobody), 400, "[empty]userIds");
      expect((await world.caller.post("/api/email/send?emailTemplateId=".concat(uuid(800)), body)).status).toBe(202);
    });

    requirement("email.send-request", "gets all its faults reported at once", async () => {
      const { world } = await startMailing(start);
      await makeTemplate(world);
      const wrong = {
        applicationId: "x",
        bccAddresses: ["nobody"],
        ccAddresses: [7],
        preferredLanguages: "de",
        requestData: [],
        toAddresses: [{ address: "a@example.com" }, { display: "A" }, "b@example.com"],
        userIds: ["y"],
      };
      expectRefusal(
        await world.caller.post(path, wrong),
        400,
        "[couldNotConvert]applicationId",
        "[notEmail]bccAddresses[0]",
        "[invalidJSON]ccAddresses[0]",
        "[invalidJSON]preferredLanguages",
        "[invalidJSON]requestData",
        "[blank]toAddresses[1].address",
        "[invalidJSON]toAddresses[2]",
        "[couldNotConvert]userIds[0]",
      );
    });

    requirement("email.send-request", "sends to a thousand and copies to fifty, and no more", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world, { defaultHtmlTemplate: "${requestData.long!}" });
      const some = (count: number): readonly { readonly address: string }[] =>
        Array.from({ length: count }, (_one, index) => ({ address: `number${index}@example.com` }));
      const addresses = (count: number): readonly string[] => some(count).map(({ address }) => address);
      const ids = Array.from({ length: 1_001 }, (_one, index) => uuid(index));
      const tooMany = { toAddresses: some(1_001), ccAddresses: addresses(51), bccAddresses: addresses(51), userIds: ids };
      expectRefusal(
        await world.caller.post(path, tooMany),
        400,
        "[tooMany]bccAddresses",
        "[tooMany]ccAddresses",
        "[tooMany]toAddresses",
        "[tooMany]userIds",
      );
      const most = { toAddresses: some(1_000), ccAddresses: addresses(50), bccAddresses: addresses(50) };
      expect((await world.caller.post(path, most)).status).toBe(202);
      await box.holds(1_000);
      const tooLong = { toAddresses: some(100), requestData: { long: "x".repeat(400_000) } };
      expectRefusal(await world.caller.post(path, tooLong), 413, "[tooLarge]");
      expect(new Set(box.sent.map(({ to }) => to.address)).size).toBe(1_000);
    });

    requirement("email.send-headers", "refuses what would begin a header of its own", async () => {
      const { world } = await startMailing(start);
      await makeTemplate(world);
      const breaks = ["a@example.com\r\nBcc: b@example.com", "a@b.c\nX: y", "a@b.c, d@e.f", "<a@b.c>", "a b@c.d", "a@b.c;d@e.f"];
      const others = ["@b.c", "a@", "a@b@c.d", '"a"@b.c', "a\u0007@b.c", "a@b.c\u2028", "a\u200b@b.c", `${"a".repeat(65)}@b.c`];
      for (const address of [...breaks, ...others].filter((text) => text.trim() !== "a@b.c")) {
        const body = { ccAddresses: [address], bccAddresses: [address], toAddresses: [{ address }] };
        const codes = ["[notEmail]bccAddresses[0]", "[notEmail]ccAddresses[0]", "[notEmail]toAddresses[0].address"];
        expectRefusal(await world.caller.post(path, body), 400, ...codes);
      }
      for (const display of ["A\r\nBcc: b@example.com", "A\nB", "A\u0007", "A\u2029B", "A".repeat(321)]) {
        const body = { toAddresses: [{ address: "a@b.c", display }] };
        expect((await world.caller.post(path, body)).status).toBe(400);
      }
      expect(await keptMails(world)).toEqual([]);
    });

    requirement("email.send-headers", "makes one line of what a template or a name makes several of", async () => {
      const { box, world } = await startMailing(start);
      const split = "A\r\nBcc: b@example.com\u2028\u0007 C";
      await makeTemplate(world, { defaultSubject: "${requestData.x}", defaultFromName: "${requestData.x}" });
      const { user } = await world.identity.users.create({ user: { email: "a@example.com", fullName: split } });
      const body = { userIds: [user.id], requestData: { x: split.repeat(100) } };
      expect((await world.caller.post(path, body)).status).toBe(202);
      const [message] = await box.holds(1);
      for (const text of [message?.subject, message?.from.display, message?.to.display]) {
        expect(text).toMatch(/^A Bcc: b@example\.com C/);
        expect(text).not.toMatch(/[\r\n\p{Cc}\u2028]/u);
        expect(text?.length).toBeLessThanOrEqual(1_000);
      }
    });
  });
});
