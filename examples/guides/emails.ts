/** docs/emails.md and docs/templates.md; examples/email.ts is a whole program. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodemailerTransport } from "latchkey/nodemailer";
import type { MailMessage } from "latchkey/ports";
import type { PreviewEmailRequest } from "latchkey/types";
import { assertLike, readJson } from "./like.ts";

const secret = "use at least thirty-two random characters";
const storage = memoryStorage();
const gateway = { send: async (message: MailMessage): Promise<boolean> => message.to.address !== "" };

const identity = await createIdentityService({
  storage,
  secret,
  mail: async (message) => ((await gateway.send(message)) ? { kind: "ok" } : { kind: "failed", reason: "the gateway refused" }),
});

const order = readJson<PreviewEmailRequest>("email-preview");
assertLike(await identity.emailTemplates.preview(order), "email-preview-answer");

const { user } = await identity.users.create({ user: { email: "ann@example.com" } });
const { emailTemplate } = await identity.emailTemplates.create({
  emailTemplate: {
    name: "Welcome",
    fromEmail: "shop@example.com",
    defaultSubject: "Welcome",
    defaultHtmlTemplate: "<p>Welcome</p>",
    defaultTextTemplate: "Hello\nDear ${user.firstName}",
  },
});
const answer = await identity.emailTemplates.send({ emailTemplateId: emailTemplate.id, userIds: [user.id] });
assertLike({ ...answer, results: { "<user id>": answer.results[user.id] } }, "email-send-answer");

// docs/templates.md
const defaultHtmlTemplate = readFileSync(new URL("cart.ftl", import.meta.url), "utf8");
const requestData = { items: [{ name: "Tea & cake", price: 120 }] };
const { email } = await identity.emailTemplates.preview({ emailTemplate: { defaultHtmlTemplate }, sampleData: { requestData } });
assert.match(email.html ?? "", /<li>Tea &amp; cake \*<\/li>/);
await identity.close();

// What the host's `createTransport("smtps://user:password@smtp.example.com")` of nodemailer makes.
const mails: unknown[] = [];
const transporter = { sendMail: async (mail: object): Promise<void> => void mails.push(mail) };

const mail = nodemailerTransport(transporter);

await mail({
  id: "1",
  from: { address: "shop@example.com" },
  to: { address: "ann@example.com" },
  cc: [],
  bcc: [],
  subject: "Hello",
  html: "",
  text: "",
  emailTemplateId: "2",
  tenantId: "3",
});
assert.equal(mails.length, 1);
