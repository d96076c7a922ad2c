import type { Delivering } from "../events/delivery-on-demand.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { MailOutcome, MailTransport } from "../ports/event-transport.js";
import { within } from "../values/within.js";
import { type ClaimedMail, claimMails, keepAttempt, type MailAttempt, openMail, releaseMails } from "./mail-outbox.js";

/** How mails are sent. */
export interface MailDelivererParts {
  readonly service: ServiceContext;
  readonly send: MailTransport;
  /** Mails at a time. Default 8. */
  readonly concurrency?: number | undefined;
  /** How long the transport may take for a mail, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

const pollMilliseconds = 1_000;
const stopMilliseconds = 3_000;
const late: MailOutcome = Object.freeze({ kind: "failed", reason: "timedOut" });

/**
 * Sends the mails that wait, a few at a time. A mail is claimed before and its end is kept afterwards, so that a process that dies in
 * between loses nothing: the mail leaves again under the same id once the claim is over.
 */
export class MailDeliverer implements Delivering {
  readonly #parts: Required<MailDelivererParts>;
  readonly #workers = new Set<Promise<void>>();
  readonly #claimed: ClaimedMail[] = [];
  #claiming: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;

  constructor({ concurrency = 8, send, service, timeoutMs = 30_000 }: MailDelivererParts) {
    this.#parts = { concurrency, send, service, timeoutMs };
  }

  readonly start = (): void => {
    this.#timer ??= setInterval(this.wake, pollMilliseconds).unref();
    this.wake();
  };

  readonly wake = (): void => {
    this.#isWoken = true;
    this.#addWorker();
  };

  /** Begins nothing any more, waits a moment for mails that are under way, and gives back what is not begun. */
  readonly stop = async (): Promise<void> => {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const deadline = performance.now() + stopMilliseconds;
    while (this.#workers.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
    await releaseMails(this.#parts.service, this.#claimed.splice(0)).catch((error) => this.#log(error));
  };

  get #isStopped(): boolean {
    return this.#timer === undefined;
  }

  #addWorker(): void {
    if (this.#isStopped || this.#workers.size >= this.#parts.concurrency) return;
    // Counted before it begins.
    const worker = Promise.resolve()
      .then(() => this.#work())
      .catch((error) => this.#log(error))
      .finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  // Each that finds a mail calls for another: where there is more, all of them work.
  async #work(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#claimed.length === 0) await this.#claim();
      const mail = this.#claimed.shift();
      if (mail !== undefined) {
        this.#addWorker();
        if (this.#isTimely(mail)) await this.#deliver(mail);
      } else if (!this.#isWoken) return;
    }
  }

  // All who find nothing wait for the same claim.
  #claim(): Promise<void> {
    this.#claiming ??= this.#claimSome().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  async #claimSome(): Promise<void> {
    this.#isWoken = false;
    this.#claimed.push(...(await claimMails(this.#parts.service)));
  }

  // Whose claim could end before the transport does, somebody claims anew.
  #isTimely({ claimedUntil }: ClaimedMail): boolean {
    const { service, timeoutMs } = this.#parts;
    return service.runtime.clock() + timeoutMs < claimedUntil;
  }

  async #deliver(mail: ClaimedMail): Promise<void> {
    const attempt = await this.#attempt(mail);
    const { attempts, result } = await keepAttempt(this.#parts.service, mail, attempt);
    if (attempt.isDelivered) return;
    const { emailTemplateId, id } = mail.record;
    const fields = { attempts, emailTemplateId, mailId: id, reason: attempt.reason, result };
    this.#parts.service.runtime.logger.warn(fields, "a mail could not be sent");
  }

  // What a host's function throws may quote the mail, so nothing but its name is told.
  async #attempt(mail: ClaimedMail): Promise<MailAttempt> {
    try {
      const { send, service, timeoutMs } = this.#parts;
      return toAttempt(await within(timeoutMs, send(openMail(service.sealer, mail)), late));
    } catch (error) {
      return { isDelivered: false, reason: error instanceof Error ? error.name : "unknown" };
    }
  }

  #log(error: unknown): void {
    if (!this.#isStopped) this.#parts.service.runtime.logger.error({ err: error }, "mails could not be sent");
  }
}

function toAttempt(outcome: MailOutcome): MailAttempt {
  if (outcome.kind === "ok") return { isDelivered: true };
  return { isDelivered: false, isFinal: outcome.kind === "refused", reason: outcome.reason };
}
