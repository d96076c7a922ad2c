import type { IdentityServiceOptions } from "latchkey";
import type { SmsMessage } from "latchkey/ports";
import { expect, vi } from "vitest";
import { textMessagesTable } from "../../src/operations/outbox/tables.js";
import { keptIn, Mailbox } from "./mails.js";
import type { Start, World } from "./world.js";

/** A service that delivers texts to a function of the host, which records them. */
export interface Texting {
  readonly world: World;
  readonly box: Mailbox<SmsMessage>;
}

/** Starts a service that delivers. */
export async function startTexting(start: Start, options: Partial<IdentityServiceOptions> = {}): Promise<Texting> {
  const box = new Mailbox<SmsMessage>();
  const world = await start({ sendSms: box.send, ...options });
  await world.identity.start();
  return { world, box };
}

/** Waits until these texts are stored; compares their unencrypted parts. */
export async function expectTexts(world: World, ...expected: readonly object[]): Promise<void> {
  const texts = expected.map((one) => expect.objectContaining(one));
  await vi.waitFor(async () => expect(await keptIn(world, textMessagesTable)).toEqual(texts), 10_000);
}
