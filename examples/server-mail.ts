/** How the server of `npm start` sends mails: by SMTP where `LATCHKEY_SMTP_URL` is set, else not at all: each mail is logged. Needs the package `nodemailer`. */
import { createRequire } from "node:module";
import { type MailTransporterLike, nodemailerTransport } from "latchkey/nodemailer";
import type { MailTransport } from "latchkey/ports";

interface Nodemailer {
  readonly createTransport: (url: string) => MailTransporterLike;
}

/** Mails leave by the server at `url`; where there is none they are logged once, and kept until there is one. */
export function createMail(url: string | undefined): MailTransport {
  if (url === undefined) return keepMails();
  if (!/^smtps?:\/\//.test(url)) throw new Error("LATCHKEY_SMTP_URL must be smtp://… or smtps://….");
  const { createTransport }: Nodemailer = createRequire(import.meta.url)("nodemailer");
  return nodemailerTransport(createTransport(url));
}

function keepMails(): MailTransport {
  const logged = new Set<string>();
  return async ({ id, subject, to }) => {
    if (!logged.has(id)) console.log(`mail to ${to.address}, kept until LATCHKEY_SMTP_URL is set: ${subject}`);
    logged.add(id);
    return { kind: "failed", reason: "LATCHKEY_SMTP_URL is not set" };
  };
}
