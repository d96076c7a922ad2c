import { connect, isIP, Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { assertKnownOptions, type OutboundGuard } from "latchkey";
import type { BrokerFactory, SendOutcome } from "latchkey/ports";
import { type KafkaCredentials, type KafkaSettings, type KafkaTls, readKafkaSettings } from "./kafka-settings.js";

export { type KafkaCredentials, type KafkaSettings, type KafkaTls, readKafkaSettings };

/** The part of a `kafkajs` producer that is used. */
export interface KafkaProducer {
  /** Connects to the brokers; rejects when none answers. */
  connect(): Promise<void>;
  /** Closes the connections. */
  disconnect(): Promise<void>;
  /** Sends messages to one topic; resolves when the brokers acknowledged them. */
  send(batch: {
    topic: string;
    acks: number;
    timeout: number;
    compression: 0 | 1;
    messages: { key: string | null; value: string; headers: Record<string, string> }[];
  }): Promise<unknown>;
}

/** The configuration of a `kafkajs` client. */
export interface KafkaClientConfig {
  /** Addresses as `host:port`. */
  brokers: string[];
  /** The name that brokers log. */
  clientId: string;
  /** How long to wait for a connection, in milliseconds. */
  connectionTimeout: number;
  /** How long to wait for an answer, in milliseconds. */
  requestTimeout: number;
  /** No retries of its own: the service repeats deliveries. */
  retry: { retries: number };
  /** Silent: the service logs failures itself. */
  logLevel: 0;
  /** TLS settings; absent for plain connections. */
  ssl?: KafkaTls;
  /** Credentials; absent for none. */
  sasl?: KafkaCredentials;
  /** Opens connections through the guard for outgoing calls; absent for brokers that the host configures. */
  socketFactory?: (request: SocketRequest) => Socket;
}

/** The class `Kafka` of the package `kafkajs`. */
export type KafkaClass = new (
  config: KafkaClientConfig,
) => {
  producer(config: { idempotent: boolean; allowAutoTopicCreation: boolean }): KafkaProducer;
};

/** Options of {@link kafkaBroker}. */
export interface KafkaBrokerOptions {
  /** `Kafka` of the package `kafkajs`. */
  readonly Kafka: KafkaClass;
  /** The brokers as `host:port`, instead of `bootstrap.servers`: where callers of the API must not choose them. */
  readonly brokers?: readonly string[] | undefined;
}

/**
 * Publishes events over the Kafka protocol, with a producer configured by `broker.producer`; see {@link readKafkaSettings}.
 * Connects at the first event.
 */
export function kafkaBroker(options: KafkaBrokerOptions): BrokerFactory {
  assertKnownOptions("", options, { brokers: "list", Kafka: "function" }, ["Kafka"]);
  const { Kafka, brokers } = options;
  return ({ producer }, guard) => {
    const settings = readKafkaSettings({ ...producer, ...(brokers && { "bootstrap.servers": brokers.join(",") }) });
    const config = toConfig(settings);
    // The host is responsible for the brokers that it configures.
    const guarded = brokers === undefined ? { ...config, socketFactory: guardedSockets(guard) } : config;
    const own = new Kafka(guarded).producer({ idempotent: settings.isIdempotent, allowAutoTopicCreation: true });
    const connect = onceConnected(own);
    return {
      async publish({ headers, key = null, topic, value }): Promise<SendOutcome> {
        try {
          await connect();
          const { acks, isCompressed, requestTimeoutMs: timeout } = settings;
          const messages = [{ key, value, headers: { ...headers } }];
          await own.send({ topic, acks, timeout, compression: isCompressed ? 1 : 0, messages });
          return { kind: "ok" };
        } catch (error) {
          return { kind: "failed", reason: error instanceof Error ? error.name : "failed" };
        }
      },
      close: () => own.disconnect(),
    };
  };
}

// Concurrent first events share one connection attempt; the event after a failure tries again.
function onceConnected(producer: KafkaProducer): () => Promise<void> {
  let connected: Promise<void> | undefined;
  return () => {
    connected ??= producer.connect().catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return connected;
  };
}

function toConfig({
  brokers,
  clientId,
  connectTimeoutMs,
  requestTimeoutMs,
  retries,
  sasl,
  tls,
}: KafkaSettings): KafkaClientConfig {
  return {
    brokers: [...brokers],
    clientId,
    connectionTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry: { retries },
    // The event log has the failures.
    logLevel: 0,
    ...(tls && { ssl: tls }),
    ...(sasl && { sasl }),
  };
}

/** The arguments of `kafkajs` for a new connection. */
interface SocketRequest {
  readonly host: string;
  readonly port: number;
  readonly ssl?: ConnectionOptions | undefined;
  readonly onConnect: () => void;
}

/** Connects to allowed addresses only: brokers of a cluster name one another. */
function guardedSockets(guard: OutboundGuard): (request: SocketRequest) => Socket {
  return ({ host: written, onConnect, port, ssl }) => {
    const host = written.replace(/^\[(.*)\]$/, "$1");
    // No lookup happens for a literal address.
    if (isIP(host) !== 0 && !guard.isAllowed(host)) return refused();
    const target = { host, port, lookup: guard.lookup };
    const servername = isIP(host) === 0 ? host : "";
    const socket = ssl ? connectTls({ servername, ...target, ...ssl }, onConnect) : connect(target, onConnect);
    return socket.setKeepAlive(true, 60_000);
  };
}

function refused(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(new Error("The address is not one that calls may go to.")));
  return socket;
}
