import { toCanonicalJson } from "../../json/canonical-json.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { Attempt } from "../engine/attempt.js";
import { brokerId } from "../engine/earlier-receivers.js";
import { readReceivers } from "../engine/find-receivers.js";
import type { RecordedEvent } from "../events/recorded-event.js";
import { type Answers, type ApprovalRequest, isApproved } from "./approvals.js";
import { type CallWebhook, createWebhookCaller } from "./call-webhook.js";
import { toVetoError } from "./read-veto.js";

/**
 * Asks the webhooks of events whether their cause may be stored, in parallel (docs/reference/webhooks.md#transactional-events). A
 * broker has no say.
 * @throws IdentityError 504 `[WebhookTransactionException]` when too few agreed, with the errors that those who refused answered.
 */
export async function requestApprovals(service: ServiceContext, questions: readonly ApprovalRequest[]): Promise<Answers> {
  const events = questions.map(({ event }) => event);
  const findReceivers = await readReceivers(service, service.storage, events);
  const callWebhook = createWebhookCaller(service);
  const asked = questions.map(async ({ event, transactionType }) => {
    const webhookIds = findReceivers(event).filter((id) => id !== brokerId);
    const asked = await Promise.all(webhookIds.map((id) => ask(service, callWebhook, id, event)));
    const attempts = asked.map(({ attempt }) => attempt);
    const agreed = attempts.filter(({ isDelivered }) => isDelivered).length;
    return {
      id: event.id,
      attempts,
      refusals: asked.map(({ refusal }) => refusal),
      isAgreed: isApproved(transactionType, agreed, attempts.length),
    };
  });
  const answers = await Promise.all(asked);
  const vetoes = answers.filter(({ isAgreed }) => !isAgreed);
  if (vetoes.length > 0) throw toVetoError(vetoes.flatMap(({ refusals }) => refusals));
  return new Map(answers.map(({ id, attempts }) => [id, attempts]));
}

async function ask(
  service: ServiceContext,
  callWebhook: CallWebhook,
  receiverId: string,
  event: RecordedEvent,
): Promise<{ readonly attempt: Attempt; readonly refusal: string }> {
  const { clock } = service.runtime;
  const startInstant = clock();
  let refusal = "";
  const sent = { id: event.id, body: toCanonicalJson({ event }) };
  const { isGone: _isGone, ...result } = await callWebhook(receiverId, sent, (body) => {
    refusal = body;
  });
  return { attempt: { receiverId, startInstant, endInstant: clock(), ...result }, refusal };
}
