import { generalError } from "../errors/identity-error.js";
import type { ServiceContext } from "../operations/service-context.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { type Answers, isMet, type Question } from "./asking.js";
import type { Attempt } from "./attempt.js";
import { type CallWebhook, createWebhookCaller } from "./call-webhook.js";
import { brokerId, readReceivers } from "./find-receivers.js";
import type { RecordedEvent } from "./recorded-event.js";

/**
 * Asks the webhooks of events whether what causes them may be kept, all at the same time (decisions.md, Other transaction types). A
 * broker has no say.
 * @throws IdentityError 504 `[WebhookTransactionException]` when too few agreed.
 */
export async function askReceivers(service: ServiceContext, questions: readonly Question[]): Promise<Answers> {
  const events = questions.map(({ event }) => event);
  const findReceivers = await readReceivers(service, service.storage, events);
  const callWebhook = createWebhookCaller(service);
  const asked = questions.map(async ({ event, transactionType }) => {
    const webhookIds = findReceivers(event).filter((id) => id !== brokerId);
    const attempts = await Promise.all(webhookIds.map((id) => ask(service, callWebhook, id, event)));
    const agreed = attempts.filter(({ isDelivered }) => isDelivered).length;
    return { id: event.id, attempts, isAgreed: isMet(transactionType, agreed, attempts.length) };
  });
  const answers = await Promise.all(asked);
  if (answers.some(({ isAgreed }) => !isAgreed)) throw generalError("WebhookTransactionException");
  return new Map(answers.map(({ id, attempts }) => [id, attempts]));
}

async function ask(
  service: ServiceContext,
  callWebhook: CallWebhook,
  receiverId: string,
  event: RecordedEvent,
): Promise<Attempt> {
  const { clock } = service.runtime;
  const startInstant = clock();
  const { isGone: _isGone, ...result } = await callWebhook(receiverId, {
    id: event.id,
    body: toCanonicalJson({ event }),
  });
  return { receiverId, startInstant, endInstant: clock(), ...result };
}
