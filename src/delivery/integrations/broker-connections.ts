import { fieldError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { Broker, BrokerMessage, BrokerSettings, Brokers, OutboundGuard, SendOutcome } from "../../ports/event-transport.js";
import type { Runtime } from "../../ports/runtime.js";
import { within } from "../../shared/async.js";
import { loadAddressGuard } from "../http-client/forbidden-host.js";

const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 600_000;
const closeTimeoutMs = 3_000;

/** The idle time after which a broker closes, in milliseconds. */
const idleMs = 600_000;

const timedOut: SendOutcome = Object.freeze({ kind: "failed", reason: "timedOut" });

/** A broker with its settings; undefined when creating it failed. */
interface MadeBroker {
  readonly settings: string;
  readonly broker: Broker | undefined;
  readonly usedAt: number;
}

/** Brokers of records, each created with its first message and again when its settings change. */
export class BrokerConnections implements Brokers {
  readonly #outside: Pick<ServiceContext, "allowsPrivateNetwork" | "broker">;
  readonly #runtime: Pick<Runtime, "logger" | "lookup" | "monotonic" | "timers">;
  readonly #made = new Map<string, MadeBroker>();
  readonly #closing = new Set<Promise<void>>();

  constructor(
    outside: Pick<ServiceContext, "allowsPrivateNetwork" | "broker">,
    runtime: Pick<Runtime, "logger" | "lookup" | "monotonic" | "timers">,
  ) {
    this.#outside = outside;
    this.#runtime = runtime;
  }

  /** See {@link Brokers.publish}. */
  async publish(owner: string, settings: BrokerSettings, message: BrokerMessage): Promise<SendOutcome> {
    try {
      const broker = this.#find(owner, settings, await loadGuard(this.#outside, this.#runtime));
      if (broker === undefined) return { kind: "failed", reason: "notConfigured" };
      return await within(this.#runtime.timers, timeoutOf(settings), { work: broker.publish(message), late: timedOut });
    } catch (error) {
      this.#runtime.logger.error({ err: error }, "a message could not be published");
      return { kind: "failed", reason: "internal" };
    }
  }

  /** See {@link Brokers.close}. */
  async close(): Promise<void> {
    for (const owner of this.#made.keys()) this.#leave(owner);
    await within(this.#runtime.timers, closeTimeoutMs, { work: Promise.all(this.#closing).then(ignore), late: undefined });
  }

  #find(owner: string, settings: BrokerSettings, guard: OutboundGuard): Broker | undefined {
    const now = this.#runtime.monotonic();
    for (const [other, { usedAt }] of this.#made) if (other !== owner && now - usedAt > idleMs) this.#leave(other);
    const text = toCanonicalJson(settings);
    const known = this.#made.get(owner);
    if (known !== undefined && known.settings !== text) this.#leave(owner);
    const broker = known?.settings === text ? known.broker : this.#make(settings, guard);
    this.#made.set(owner, { settings: text, broker, usedAt: now });
    return broker;
  }

  // Logged once, not with each message.
  #make(settings: BrokerSettings, guard: OutboundGuard): Broker | undefined {
    const { broker } = this.#outside;
    try {
      if (broker === undefined) throw new TypeError("A record names a message broker, and the option broker is not given.");
      return broker(settings, guard);
    } catch (error) {
      this.#runtime.logger.error({ err: error }, "messages cannot be published");
      return undefined;
    }
  }

  #leave(owner: string): void {
    const left = this.#made.get(owner)?.broker;
    this.#made.delete(owner);
    if (left === undefined) return;
    const closing = closeQuietly(left).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** @throws IdentityError 400 `[invalid]` at the path for invalid broker settings, where the host can check them. */
export function assertProducer({ broker }: ServiceContext, producer: Readonly<Record<string, string>>, path: string): void {
  const error = broker?.findError?.(producer);
  if (error !== undefined) throw fieldError("invalid", path, error);
}

// The first message loads the address library.
async function loadGuard(
  { allowsPrivateNetwork }: Pick<ServiceContext, "allowsPrivateNetwork">,
  { lookup }: Pick<Runtime, "lookup">,
): Promise<OutboundGuard> {
  return (await loadAddressGuard()).createOutboundGuard(allowsPrivateNetwork, lookup);
}

const ignore = (): void => undefined;

async function closeQuietly(broker: Broker): Promise<void> {
  try {
    await broker.close();
  } catch {
    // The broker has the published messages, with or without an orderly disconnect.
  }
}

function timeoutOf({ producer }: BrokerSettings): number {
  const wanted = Number(producer["delivery.timeout.ms"] ?? defaultTimeoutMs);
  return wanted > 0 ? Math.min(wanted, maxTimeoutMs) : defaultTimeoutMs;
}
