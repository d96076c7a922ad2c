import { type ErrorEntry, type FieldErrors, generalError, IdentityError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { type Answers, type ApprovalRequest, type Attempt, isApproved } from "../../operations/events/approvals.js";
import type { RecordedEvent } from "../../operations/events/recorded-event.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { isObject } from "../../shared/objects.js";
import { brokerId } from "../integrations/earlier-receivers.js";
import { readReceivers } from "../integrations/find-receivers.js";
import { type CallWebhook, createWebhookCaller } from "./call-webhook.js";

/**
 * Asks the webhooks of events in parallel to approve their cause (docs/reference/webhooks.md#transactional-events). Does not ask
 * a broker.
 * @throws IdentityError 504 `[WebhookTransactionException]` when too few agreed, with the errors from refusing receivers.
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
  const { isFinal: _isFinal, ...result } = await callWebhook(receiverId, sent, (body) => {
    refusal = body;
  });
  return { attempt: { receiverId, startInstant, endInstant: clock(), ...result }, refusal };
}

/** The most errors of receivers in the answer to the caller. */
const maxErrors = 100;
const maxCodeLength = 255;
const maxMessageLength = 1_000;

/**
 * The refusal of a call that too few receivers approved: `[WebhookTransactionException]`, with the errors from receivers in the
 * Errors shape. Takes only texts, 100 errors at most; ignores other answers.
 */
export function toVetoError(answers: readonly string[]): IdentityError {
  const { generalErrors, status } = generalError("WebhookTransactionException");
  const merged = new MergedErrors(generalErrors);
  for (const answer of answers) merged.add(parseObject(answer));
  return merged.toError(status);
}

class MergedErrors {
  readonly #general: ErrorEntry[];
  readonly #fields = new Map<string, ErrorEntry[]>();
  readonly #known = new Set<string>();

  constructor(general: readonly ErrorEntry[]) {
    this.#general = [...general];
  }

  add({ fieldErrors, generalErrors }: Readonly<Record<string, unknown>>): void {
    if (Array.isArray(generalErrors)) this.#addAll(undefined, generalErrors);
    if (!isObject(fieldErrors)) return;
    for (const [path, entries] of Object.entries(fieldErrors)) if (Array.isArray(entries)) this.#addAll(path, entries);
  }

  toError(status: number): IdentityError {
    const fieldErrors: FieldErrors = Object.fromEntries(this.#fields);
    return new IdentityError(status, { fieldErrors, generalErrors: this.#general });
  }

  #addAll(path: string | undefined, entries: readonly unknown[]): void {
    for (const entry of entries) {
      if (this.#known.size >= maxErrors) return;
      const read = readEntry(entry);
      if (read !== undefined) this.#addOne(path === undefined ? undefined : toText(path, maxCodeLength), read);
    }
  }

  // Several receivers may return the same error.
  #addOne(path: string | undefined, entry: ErrorEntry): void {
    const name = JSON.stringify([path, entry.code, entry.message]);
    if (this.#known.has(name)) return;
    this.#known.add(name);
    if (path === undefined) this.#general.push(entry);
    else this.#fields.set(path, [...(this.#fields.get(path) ?? []), entry]);
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function readEntry(entry: unknown): ErrorEntry | undefined {
  if (!isObject(entry)) return undefined;
  const { code, message } = entry;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  return { code: toText(code, maxCodeLength), message: toText(message, maxMessageLength) };
}

// Characters that would move a cursor or break a line in a log become blanks.
function toText(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .replace(/\p{Cc}/gu, " ")
    .toWellFormed();
}
