import type { IdentityServiceOptions } from "latchkey";
import { globalScope, type MailMessage, type MailOutcome, type Table } from "latchkey/ports";
import { expect, vi } from "vitest";
import { mailsTable } from "../../src/operations/outbox/tables.js";
import { expectOk } from "./answer.js";
import { type Start, uuid, type World } from "./world.js";

/** A transport that records its messages. */
export class Mailbox<Message = MailMessage> {
  readonly sent: Message[] = [];
  /** The outcomes of the next mails, in order; later mails succeed. */
  readonly outcomes: (MailOutcome | Error | Promise<MailOutcome>)[] = [];

  readonly send = async (message: Message): Promise<MailOutcome> => {
    this.sent.push(message);
    const outcome = (await this.outcomes.shift()) ?? { kind: "ok" };
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

  /** Waits for this number of messages. */
  async holds(count: number): Promise<readonly Message[]> {
    await vi.waitFor(() => expect(this.sent).toHaveLength(count), { timeout: 10_000, interval: 5 });
    return this.sent;
  }
}

/** A service that sends its mails to a mailbox. */
export async function startMailing(
  start: Start,
  options: Partial<IdentityServiceOptions> = {},
): Promise<{ readonly world: World; readonly box: Mailbox }> {
  const box = new Mailbox();
  const world = await start({ mail: box.send, ...options });
  await world.identity.start();
  return { world, box };
}

/** A template without personal data. */
export const plainTemplate = {
  name: "Welcome",
  fromEmail: "service@example.com",
  defaultSubject: "Welcome",
  defaultHtmlTemplate: "<p>Welcome</p>",
  defaultTextTemplate: "Welcome",
};

/** Makes an email template, by default with the id `uuid(800)`. */
export async function makeTemplate(world: World, fields: object = {}, id: string = uuid(800)): Promise<string> {
  return expectOk(
    await world.caller.post(`/api/email/template/${id}`, { emailTemplate: { ...plainTemplate, ...fields } }),
  ).textAt("emailTemplate.id");
}

/** The stored mails: their unencrypted part, and whether a sealed part remains. */
export function keptMails(world: World): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return keptIn(world, mailsTable);
}

/** The same for any table of messages. */
export async function keptIn({ storage }: World, table: Table): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found = await storage.find(globalScope, table, undefined);
  return found.map(({ hidden, json }) => ({ ...JSON.parse(json), isSealed: hidden?.includes('"sealed":"v1.') === true }));
}
