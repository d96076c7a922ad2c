/** Event brokers for the option `brokers`. */
export {
  type KafkaBrokerOptions,
  type KafkaClass,
  type KafkaClientConfig,
  type KafkaCredentials,
  type KafkaProducer,
  type KafkaSettings,
  type KafkaTls,
  kafkaBroker,
  readKafkaSettings,
} from "./kafka/kafka-broker.js";
export {
  type JetStreamLike,
  type NatsBrokerOptions,
  type NatsConnectionLike,
  type NatsConnectOptions,
  type NatsHeaders,
  type NatsServerBrokerOptions,
  natsBroker,
  natsServerBroker,
} from "./nats/nats-broker.js";
