import { type NodemailerMail, nodemailerTransport } from "latchkey/nodemailer";
import type { MailMessage } from "latchkey/ports";
import { describe, expect, test } from "vitest";

const message: MailMessage = {
  id: "00000000-0000-4000-8000-000000000001",
  from: { address: "service@example.com", display: "The service" },
  to: { address: "ana@example.org", display: "Ana" },
  cc: ["copy@example.org"],
  bcc: ["hidden@example.org"],
  subject: "Welcome",
  html: "<p>Welcome</p>",
  text: "Welcome",
  emailTemplateId: "00000000-0000-4000-8000-000000000002",
  tenantId: "00000000-0000-4000-8000-000000000003",
  userId: "00000000-0000-4000-8000-000000000004",
};

const failing = (error: unknown) => nodemailerTransport({ sendMail: () => Promise.reject(error) });

describe("the transport by nodemailer", () => {
  test("hands over the mail, its addresses as objects that nothing can be added to", async () => {
    const sent: NodemailerMail[] = [];
    const send = nodemailerTransport({ sendMail: async (mail) => void sent.push(mail) });
    expect(await send(message)).toEqual({ kind: "ok" });
    expect(sent).toEqual([
      {
        from: { name: "The service", address: "service@example.com" },
        to: [{ name: "Ana", address: "ana@example.org" }],
        cc: [{ name: "", address: "copy@example.org" }],
        bcc: [{ name: "", address: "hidden@example.org" }],
        subject: "Welcome",
        html: "<p>Welcome</p>",
        text: "Welcome",
        messageId: "<00000000-0000-4000-8000-000000000001@example.com>",
        disableFileAccess: true,
        disableUrlAccess: true,
      },
    ]);
  });

  test.each([
    [{ code: "EENVELOPE", responseCode: 550, message: "ana@example.org is unknown" }, "refused", "EENVELOPE 550"],
    [{ code: "EMESSAGE", responseCode: 554 }, "refused", "EMESSAGE 554"],
    [{ code: "EENVELOPE", responseCode: 451 }, "failed", "EENVELOPE 451"],
    [{ code: "EAUTH", responseCode: 535 }, "failed", "EAUTH 535"],
    [Object.assign(new Error("connect ECONNREFUSED"), { code: "ESOCKET" }), "failed", "ESOCKET"],
    [new Error("no mail for ana@example.org"), "failed", "unknown"],
    [undefined, "failed", "unknown"],
  ])("reports of %j that it %s, without an address", async (error, kind, reason) => {
    expect(await failing(error)(message)).toEqual({ kind, reason });
  });
});
