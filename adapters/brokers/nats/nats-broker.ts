import { assertKnownOptions } from "latchkey";
import type { BrokerFactory, BrokerMessage } from "latchkey/ports";
import { type NatsConnectOptions, readServers, toConnectOptions } from "./servers.js";

export type { NatsConnectOptions } from "./servers.js";

/** The part of a message's headers that is used. */
export interface NatsHeaders {
  /** Sets a header, replacing earlier values. */
  set(name: string, value: string): void;
}

/** The part of a JetStream client that is used. */
export interface JetStreamLike<Headers extends NatsHeaders> {
  /** Publishes a message; resolves when the server stored it. `timeout` is in milliseconds, `msgID` deduplicates. */
  publish(
    subject: string,
    payload: string,
    options: { readonly msgID: string; readonly headers: Headers; readonly timeout: number },
  ): Promise<unknown>;
}

/** Options of {@link natsBroker}. */
export interface NatsBrokerOptions<Headers extends NatsHeaders> {
  /** `jetstream(connection)` of `@nats-io/jetstream`. The host owns the connection and closes it. */
  readonly jetstream: JetStreamLike<NoInfer<Headers>>;
  /** `headers` of `@nats-io/transport-node`. */
  readonly headers: () => Headers;
  /** The subject of a message. Default: its topic. */
  readonly subjectOf?: ((message: BrokerMessage) => string) | undefined;
}

/** Options of {@link natsServerBroker}. */
export interface NatsServerBrokerOptions<Connection extends NatsConnectionLike, Headers extends NatsHeaders> {
  /** `connect` of `@nats-io/transport-node`. */
  readonly connect: (options: NatsConnectOptions) => Promise<Connection>;
  /** `jetstream` of `@nats-io/jetstream`. */
  readonly jetstream: (connection: Connection) => JetStreamLike<NoInfer<Headers>>;
  /** `headers` of `@nats-io/transport-node`. */
  readonly headers: () => Headers;
}

/** The part of a connection that is used. */
export interface NatsConnectionLike {
  /** Closes the connection. */
  close(): Promise<void>;
}

const defaultTimeoutMs = 5_000;

/**
 * Publishes events to the NATS JetStream servers in `broker.producer.servers` of the integration, as {@link natsBroker} does.
 * Connects at the first event, to addresses that `allowPrivateNetwork` permits.
 */
export function natsServerBroker<Connection extends NatsConnectionLike, Headers extends NatsHeaders>(
  options: NatsServerBrokerOptions<Connection, Headers>,
): BrokerFactory {
  const types = { connect: "function", headers: "function", jetstream: "function" } as const;
  assertKnownOptions<NatsServerBrokerOptions<Connection, Headers>>("", options, types, ["connect", "headers", "jetstream"]);
  const { connect, headers, jetstream } = options;
  return ({ defaultTopic, producer }, guard) => {
    const servers = readServers(producer.servers ?? "");
    const timeout = toTimeout(producer["request.timeout.ms"]);
    let connecting: Promise<Connection> | undefined;
    const forget = (): undefined => {
      connecting = undefined;
    };
    const open = async (): Promise<Connection> => connect(await toConnectOptions(servers, guard, timeout));
    return {
      async publish(message) {
        connecting ??= open();
        const connection = await connecting.catch(forget);
        if (connection === undefined) return { kind: "failed", reason: "unreachable" };
        const broker = natsBroker({ jetstream: jetstream(connection), headers })({ defaultTopic, producer }, guard);
        return broker.publish(message);
      },
      close: async () => void (await (await connecting?.catch(forget))?.close()),
    };
  };
}

/**
 * Publishes events to NATS JetStream, which stores every message that it acknowledges. A stream must take the subject. The event
 * id is the message id, so a stream drops duplicates within its window. Of `broker.producer`, only `request.timeout.ms` (default
 * 5,000) has an effect.
 */
export function natsBroker<Headers extends NatsHeaders>(options: NatsBrokerOptions<Headers>): BrokerFactory {
  const types = { headers: "function", jetstream: ["publish"], subjectOf: "function" } as const;
  assertKnownOptions<NatsBrokerOptions<Headers>>("", options, types, ["headers", "jetstream"]);
  const { headers, jetstream, subjectOf = ({ topic }) => topic } = options;
  return ({ producer }) => {
    const timeout = toTimeout(producer["request.timeout.ms"]);
    return {
      async publish(message) {
        const ownHeaders = headers();
        for (const [name, value] of Object.entries({ ...message.headers, ...(message.key && { key: message.key }) }))
          ownHeaders.set(name, value);
        try {
          await jetstream.publish(subjectOf(message), message.value, { msgID: message.id, headers: ownHeaders, timeout });
          return { kind: "ok" };
        } catch (error) {
          return { kind: "failed", reason: error instanceof Error ? error.name : "failed" };
        }
      },
      close: async () => undefined,
    };
  };
}

function toTimeout(text: string | undefined): number {
  const timeout = Number(text ?? defaultTimeoutMs);
  if (!Number.isSafeInteger(timeout) || timeout <= 0) throw new TypeError("request.timeout.ms must be a positive whole number.");
  return timeout;
}
