import type { MailMessage } from "../../ports/event-transport.js";
import type { Outbox } from "../outbox/outbox.js";
import { mailsTable } from "./table.js";

/** Mails that wait to leave: what is seen of one is its template and its user. */
export const mailOutbox: Outbox<MailMessage> = Object.freeze({
  table: mailsTable,
  title: "a mail",
  idName: "mailId",
  clearOf: ({ emailTemplateId, userId }: MailMessage) => ({ emailTemplateId, userId }),
});
