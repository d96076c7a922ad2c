import { toCanonicalJson } from "../../json/canonical-json.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { Broker, BrokerMessage, BrokerSettings, OutboundGuard, SendOutcome } from "../../ports/event-transport.js";
import { loadIntegrations } from "../../resources/integrations/rules.js";
import { lazily, within } from "../../shared/async.js";
import { type AttemptResult, receiverRemoved } from "../engine/delivery-state.js";
import type { LeasedEvent } from "../queues/leased-event.js";

const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 600_000;
const closeTimeoutMs = 3_000;

/** The part of an event that a broker gets. */
type PublishedEvent = Pick<LeasedEvent, "log" | "tenantId" | "wire">;

/** A broker that was made with these settings; undefined when none could be. */
interface MadeBroker {
  readonly settings: string;
  readonly broker: Broker | undefined;
}

/** Publishes events as the integration `broker` says (docs/reference/integrations.md#object): the broker is made with the first, and again when settings change. */
export class BrokerLink {
  readonly #service: ServiceContext;
  readonly #closing = new Set<Promise<void>>();
  #made: MadeBroker | undefined;

  constructor(service: ServiceContext) {
    this.#service = service;
  }

  /** Publishes an event. Never rejects, and resolves within the deadline regardless of the broker. */
  async publish(event: PublishedEvent): Promise<AttemptResult> {
    try {
      const { enabled, defaultTopic = "", producer } = (await loadIntegrations(this.#service, this.#service.storage)).broker;
      if (!enabled) return receiverRemoved;
      const broker = this.#find({ defaultTopic, producer }, await loadGuard(this.#service));
      if (broker === undefined) return { isDelivered: false, exception: "notConfigured" };
      const published = broker.publish(toMessage(defaultTopic, event));
      return toResult(await within(timeoutOf(producer), published, { kind: "failed", reason: "timedOut" }));
    } catch (error) {
      this.#service.runtime.logger.error({ err: error }, "an event could not be published");
      return { isDelivered: false, exception: "internal" };
    }
  }

  /** Closes the broker, which the next event makes again. */
  async close(): Promise<void> {
    this.#leave();
    await within(closeTimeoutMs, Promise.all(this.#closing).then(ignore), undefined);
  }

  #find(settings: BrokerSettings, guard: OutboundGuard): Broker | undefined {
    const text = toCanonicalJson(settings);
    if (this.#made?.settings !== text) {
      this.#leave();
      this.#made = { settings: text, broker: this.#make(settings, guard) };
    }
    return this.#made.broker;
  }

  // Said once, not with each event.
  #make(settings: BrokerSettings, guard: OutboundGuard): Broker | undefined {
    const { broker, runtime } = this.#service;
    try {
      if (broker === undefined) throw new TypeError("The integration broker is enabled, and the option broker is not given.");
      return broker(settings, guard);
    } catch (error) {
      runtime.logger.error({ err: error }, "events cannot be published");
      return undefined;
    }
  }

  #leave(): void {
    const left = this.#made?.broker;
    this.#made = undefined;
    if (left === undefined) return;
    const closing = closeQuietly(left).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

// The library that reads addresses is loaded with the first event.
const loadGuards = lazily(() => import("../http-client/address-guard.js"));

async function loadGuard({ allowsPrivateNetwork }: ServiceContext): Promise<OutboundGuard> {
  return (await loadGuards()).createOutboundGuard(allowsPrivateNetwork);
}

const ignore = (): void => undefined;

async function closeQuietly(broker: Broker): Promise<void> {
  try {
    await broker.close();
  } catch {
    // The broker holds what was published, with or without an orderly disconnect.
  }
}

function toMessage(topic: string, { log, tenantId, wire: value }: PublishedEvent): BrokerMessage {
  const { eventType, id, linkedObjectId, sequence } = log;
  const headers = {
    "event-id": id,
    "event-type": eventType,
    sequence: String(sequence),
    ...(tenantId !== null && { "tenant-id": tenantId }),
  };
  return { id, topic, key: linkedObjectId ?? tenantId ?? undefined, value, headers };
}

function toResult(outcome: SendOutcome): AttemptResult {
  return outcome.kind === "ok" ? { isDelivered: true } : { isDelivered: false, exception: outcome.reason };
}

function timeoutOf(producer: Readonly<Record<string, string>>): number {
  const wanted = Number(producer["delivery.timeout.ms"] ?? defaultTimeoutMs);
  return wanted > 0 ? Math.min(wanted, maxTimeoutMs) : defaultTimeoutMs;
}
