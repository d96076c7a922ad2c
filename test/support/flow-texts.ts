import type { SmsMessage } from "latchkey/ports";
import { startFlows } from "./flows.js";
import { Mailbox } from "./mails.js";
import { makeMessageTemplate } from "./messengers.js";
import { type Start, uuid, type World } from "./world.js";

/** The text templates by their name in `phoneConfiguration`, with their content. */
const templates: Readonly<Record<string, string>> = {
  forgotPassword: "forgot ${changePasswordId}",
  identityUpdate: "changed",
  passwordResetSuccess: "reset",
  passwordUpdate: "updated",
  passwordless: "login ${code} ${oneTimeCode!}",
  verification: "check ${verificationId} ${code!}",
  verificationComplete: "verified ${user.phoneNumber}",
};

/** A service with text messages for account flows in its default tenant, and the sent texts. */
export interface Texts {
  readonly world: World;
  /** Waits for this number of texts; returns the words of the last one. */
  readonly words: (count: number) => Promise<readonly string[]>;
  readonly box: Mailbox<SmsMessage>;
}

/** Starts the service. */
export async function startTexts(start: Start, phone: object = {}, settings: object = {}): Promise<Texts> {
  const box = new Mailbox<SmsMessage>();
  const { setTenant, world } = await startFlows(start, {}, { sendSms: box.send });
  const names = Object.keys(templates);
  const idOf = (name: string): string => uuid(840 + names.indexOf(name));
  for (const name of names) await makeMessageTemplate(world, { name, defaultTemplate: templates[name] }, idOf(name));
  const templateIds = Object.fromEntries(names.map((name) => [`${name}TemplateId`, idOf(name)]));
  await setTenant({ phoneConfiguration: { ...templateIds, ...phone }, ...settings });
  const words = async (count: number): Promise<readonly string[]> => {
    await world.identity.settle();
    return ((await box.holds(count)).at(-1)?.text ?? "").split(" ");
  };
  return { world, words, box };
}
