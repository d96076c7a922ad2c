import type { IdentityServiceOptions } from "latchkey";
import { globalScope, type MailMessage, type MailOutcome, type Table } from "latchkey/ports";
import { expect, vi } from "vitest";
import { mailsTable } from "../../src/operations/outbox/tables.js";
import { expectOk } from "./answer.js";
import { type Start, uuid, type World } from "./world.js";

/** A transport that keeps what it is handed. */
export class Mailbox<Message = MailMessage> {
  readonly sent: Message[] = [];
  /** What becomes of the next mails, in their order; those after them are taken. */
  readonly outcomes: (MailOutcome | Error | Promise<MailOutcome>)[] = [];

  readonly send = async (message: Message): Promise<MailOutcome> => {
    this.sent.push(message);
    const outcome = (await this.outcomes.shift()) ?? { kind: "ok" };
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

  /** Waits until so many were handed over. */
  async holds(count: number): Promise<readonly Message[]> {
    await vi.waitFor(() => expect(this.sent).toHaveLength(count), { timeout: 10_000, interval: 5 });
    return this.sent;
  }
}

/** A service that sends its mails into a box. */
export async function startMailing(
  start: Start,
  options: Partial<IdentityServiceOptions> = {},
): Promise<{ readonly world: World; readonly box: Mailbox }> {
  const box = new Mailbox();
  const world = await start({ mail: box.send, ...options });
  await world.identity.start();
  return { world, box };
}

/** A template that says nothing of anybody. */
export const plainTemplate = {
  name: "Welcome",
  fromEmail: "service@example.com",
  defaultSubject: "Welcome",
  defaultHtmlTemplate: "<p>Welcome</p>",
  defaultTextTemplate: "Welcome",
};

/** Makes an email template with the id `uuid(800)`, or another. */
export async function makeTemplate(world: World, fields: object = {}, id: string = uuid(800)): Promise<string> {
  return expectOk(
    await world.caller.post(`/api/email/template/${id}`, { emailTemplate: { ...plainTemplate, ...fields } }),
  ).textAt("emailTemplate.id");
}

/** The mails in the storage, as they are kept in clear, and whether they still say something. */
export function keptMails(world: World): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return keptIn(world, mailsTable);
}

/** The same of any messages that wait. */
export async function keptIn({ storage }: World, table: Table): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found = await storage.find(globalScope, table, undefined);
  return found.map(({ hidden, json }) => ({ ...JSON.parse(json), isSealed: hidden?.includes('"sealed":"v1.') === true }));
}
