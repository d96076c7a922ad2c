/** An email template in use: looked at while it is written, sent to people in their languages, handed to a function of the host. */
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { MailTransport } from "latchkey/ports";

/** The template of an order: what may be missing has a default. */
export const orderTemplate = {
  name: "Order",
  fromEmail: "shop@example.com",
  defaultFromName: "The shop",
  defaultSubject: "Your order ${requestData.number}",
  defaultHtmlTemplate:
    "<p>Dear ${(user.firstName!'customer')?html},</p>\n<#list requestData.items as item>\n<li>${item?html}</li>\n</#list>",
  defaultTextTemplate: "Dear ${user.firstName!'customer'},\n<#list requestData.items as item>\n- ${item}\n</#list>",
  localizedSubjects: { de: "Ihre Bestellung ${requestData.number}" },
  localizedFromNames: { de: "Der Laden" },
};

/** A service whose mails leave by `mail`: a function as here, or `nodemailerTransport(createTransport("smtps://…"))`. */
export function createShop(mail: MailTransport): Promise<IdentityService> {
  return createIdentityService({ storage: memoryStorage(), mail });
}

/** What is wrong with a template, a line for each problem, as its author would see it with this data. */
export async function review(identity: IdentityService, requestData: Record<string, unknown>): Promise<readonly string[]> {
  const { errors } = await identity.emailTemplates.preview({ emailTemplate: orderTemplate, sampleData: { requestData } });
  return Object.values(errors.fieldErrors).flatMap((entries) => entries.map(({ code, message }) => `${code} ${message}`));
}

/** Makes a user and mails the order. Either both are kept or neither, and the mail leaves afterwards. */
export function order(identity: IdentityService, email: string, language: string): Promise<void> {
  return identity.transaction(async (tx) => {
    const { user } = await tx.users.create({ user: { email, firstName: "Ana", preferredLanguages: [language] } });
    const { emailTemplate } = await tx.emailTemplates.create({ emailTemplate: orderTemplate });
    const requestData = { number: 7, items: ["Tea & cake"] };
    const answer = await tx.emailTemplates.send({ emailTemplateId: emailTemplate.id, userIds: [user.id], requestData });
    if (Object.keys(answer.results).length > 0) throw new Error(JSON.stringify(answer.results));
  });
}

if (import.meta.main) {
  const identity = await createShop(async ({ from, html, subject, to }) => {
    console.log(`${from.display} to ${to.display}: ${subject}\n${html}`);
    return { kind: "ok" };
  });
  console.log(await review(identity, { items: [] }));
  await order(identity, "ana@example.com", "de_AT");
  // A process that ends soon after delivers what is due before it closes.
  await identity.settle();
  await identity.close();
}
