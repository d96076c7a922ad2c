/** docs/broker.md */
import assert from "node:assert/strict";
import { lookup } from "node:dns";
import { Kafka } from "kafkajs";
import { createIdentityService } from "latchkey";
import { kafkaBroker, readKafkaSettings } from "latchkey/brokers";
import { memoryStorage } from "latchkey/memory";
import type { BrokerFactory, BrokerMessage } from "latchkey/ports";

const secret = "use at least thirty-two random characters";

{
  const storage = memoryStorage();
  const identity = await createIdentityService({ storage, secret, broker: kafkaBroker({ Kafka }) });
  await identity.integrations.update({
    integrations: {
      broker: { enabled: true, defaultTopic: "identity.events", producer: { "bootstrap.servers": "kafka.example.com:9092" } },
    },
  });
  await identity.close();
}

// A client of the host's own for some broker.
const sent: unknown[] = [];
const createClient = (config: object) => ({
  async send(message: object): Promise<void> {
    sent.push({ ...config, ...message });
  },
  close: async (): Promise<void> => undefined,
});

const broker: BrokerFactory = (settings) => {
  const { brokers, clientId } = readKafkaSettings(settings.producer);
  const client = createClient({ brokers, clientId });
  return {
    async publish({ headers, key, topic, value }) {
      await client.send({ topic, key, value, headers });
      return { kind: "ok" };
    },
    close: () => client.close(),
  };
};

const settings = { defaultTopic: "identity.events", producer: { "bootstrap.servers": "kafka.example.com:9092" } };
const { publish } = broker(settings, { isAllowed: () => true, lookup });
const message: BrokerMessage = { id: "1", topic: "identity.events", key: "2", value: "{}", headers: { "event-id": "1" } };
assert.deepEqual(await publish(message), { kind: "ok" });
const { id: _id, ...rest } = message;
assert.deepEqual(sent, [{ brokers: ["kafka.example.com:9092"], clientId: "latchkey", ...rest }]);
