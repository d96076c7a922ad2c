import type { IdentityServiceOptions } from "latchkey";
import type { MailMessage } from "latchkey/ports";
import { expect } from "vitest";
import { expectOk } from "./answer.js";
import { Mailbox, makeTemplate } from "./mails.js";
import { type Start, uuid, type World } from "./world.js";

/** The mail templates by the id in a tenant's `emailConfiguration`, with their content. */
const templates: Readonly<Record<string, string>> = {
  emailUpdate: "from ${previousEmail} to ${user.email}",
  emailVerified: "verified ${user.email}",
  forgotPassword: "forgot ${changePasswordId} ${publicUrl!'-'}",
  passwordResetSuccess: "reset ${user.email}",
  passwordUpdate: "updated ${user.email}",
  passwordless: "login ${code} ${oneTimeCode!}",
  setPassword: "choose ${changePasswordId}",
  twoFactorMethodAdd: "added ${method.method} ${method.name!}",
  twoFactorMethodRemove: "removed ${method.method}",
  verification: "check ${verificationId} ${verificationOneTimeCode!}",
};

/** A service with mails for account flows in its default tenant. */
export interface Flows {
  readonly world: World;
  /** Starts the delivery and waits for the next mail of a kind; returns it, and the words of its text. Read events before. */
  readonly nextMail: (kind?: string) => Promise<{ readonly mail: MailMessage; readonly words: readonly string[] }>;
  /** Changes settings of the default tenant. */
  readonly setTenant: (settings: object) => Promise<void>;
  /** The number of sent mails. */
  readonly countMails: () => number;
}

/** Starts the service. The ids of the templates follow from their place in the list: see {@link templateId}. */
export async function startFlows(
  start: Start,
  settings: { readonly emailConfiguration?: object; readonly [member: string]: unknown } = {},
  options: Partial<IdentityServiceOptions> = {},
): Promise<Flows> {
  const box = new Mailbox();
  const world = await start({ mail: box.send, ...options });
  for (const [name, text] of Object.entries(templates))
    await makeTemplate(world, { name, defaultTextTemplate: text }, templateId(name));
  const setTenant = async (tenant: object): Promise<void> => {
    expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
  };
  const ids = Object.fromEntries(Object.keys(templates).map((name) => [`${name}EmailTemplateId`, templateId(name)]));
  await setTenant({ ...settings, emailConfiguration: { ...ids, ...settings.emailConfiguration } });
  const taken = new Set<MailMessage>();
  const nextMail: Flows["nextMail"] = async (kind = "") => {
    // No delivery runs: it would remove events without receivers, which tests read.
    await world.identity.settle();
    const find = (): MailMessage | undefined => box.sent.find((mail) => !taken.has(mail) && mail.text.startsWith(kind));
    const mail = find() ?? expect.fail(`There is no mail “${kind}”.`);
    taken.add(mail);
    return { mail, words: mail.text.trim().split(/\s+/) };
  };
  return { world, nextMail, setTenant, countMails: () => box.sent.length };
}

/** The id of a mail's template. */
export function templateId(name: string): string {
  return uuid(810 + Object.keys(templates).indexOf(name));
}
