/** The broker that the record of the integration names: Kafka by `bootstrap.servers`, NATS by `servers`. What `npm start` publishes events with. */
import { createRequire } from "node:module";
import { type KafkaBrokerOptions, kafkaBroker, type NatsServerBrokerOptions, natsServerBroker } from "latchkey/brokers";
import type { BrokerFactory, BrokerSettings } from "latchkey/ports";

type Nats = NatsServerBrokerOptions<{ close(): Promise<void> }, { set(name: string, value: string): void }>;
type Producer = BrokerSettings["producer"];

// Loaded with the first event of an enabled integration.
const load = createRequire(import.meta.url);

const kafka: BrokerFactory = (settings, guard) => {
  const { Kafka }: KafkaBrokerOptions = load("kafkajs");
  return kafkaBroker({ Kafka })(settings, guard);
};

const nats: BrokerFactory = (settings, guard) => {
  const { connect, headers }: Nats = load("@nats-io/transport-node");
  const { jetstream }: Nats = load("@nats-io/jetstream");
  return natsServerBroker({ connect, headers, jetstream })(settings, guard);
};

const isKafka = (producer: Producer): boolean => producer["bootstrap.servers"] !== undefined;

/** Why settings name no broker; undefined where they do. */
function findError(producer: Producer): string | undefined {
  const isNats = producer.servers !== undefined;
  if (isKafka(producer) === isNats)
    return "Name the servers once: bootstrap.servers (host:port, …) for Kafka, or servers (nats://… or tls://…) for NATS.";
  if (isNats && !/^(?:nats|tls):\/\//.test(producer.servers ?? "")) return "servers must begin with nats:// or tls://.";
  return undefined;
}

const create: BrokerFactory = (settings, guard) => (isKafka(settings.producer) ? kafka : nats)(settings, guard);

/** The option `broker` of a service. */
export const recordBroker: BrokerFactory = Object.assign(create, { findError });
