import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type KafkaClass, kafkaBroker, readKafkaSettings } from "latchkey/brokers";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, test, vi } from "vitest";
import { enableBroker, readLogs } from "../support/broker.js";
import { makeGroup } from "../support/families.js";
import { importPeer, startPeer, testWithPeer } from "../support/peer.js";
import { startWorld, type World } from "../support/world.js";

const soon = { timeout: 20_000 };

interface KafkaPackage {
  readonly Kafka: KafkaClass;
}

/** The package and a cluster of one broker that speaks the protocol. */
async function startKafka(): Promise<KafkaPackage & { readonly server: string }> {
  const client = await importPeer<KafkaPackage>("kafkajs");
  const args = ["-X", "test.mock.num.brokers=1", "-b", "mock", "-C", "-t", "unused", "-u", "-d", "mock"];
  const ready = await startPeer("kcat", args, /(127\.0\.0\.1:\d+)/);
  return { Kafka: client.Kafka, server: ready[1] ?? "" };
}

/** The first message of the topic: key, headers and value. */
async function readTopic(server: string): Promise<string> {
  const args = ["-C", "-q", "-b", server, "-t", "identity.events", "-c", "1", "-f", "%k\t%h\t%s"];
  return (await promisify(execFile)("kcat", args, { timeout: soon.timeout })).stdout;
}

async function startPublishing(broker: ReturnType<typeof kafkaBroker>, server: string): Promise<World> {
  const world = await startWorld(memoryStorage(), { broker, allowPrivateNetwork: true });
  await enableBroker(world, { producer: { "bootstrap.servers": server, "request.timeout.ms": "2000", retries: "1" } });
  await world.identity.start();
  return world;
}

testWithPeer("Kafka keeps events by their keys", async () => {
  const { Kafka, server } = await startKafka();
  const world = await startPublishing(kafkaBroker({ Kafka }), server);
  const id = await makeGroup(world, world.defaultTenantId, "G");
  await vi.waitFor(
    async () => expect((await readLogs(world)).map((log) => log.eventResult)).toEqual(["Succeeded", "Succeeded"]),
    soon,
  );
  const [key, headers, value = "{}"] = (await readTopic(server)).split("\t");
  const { event } = JSON.parse(value);
  expect(event).toMatchObject({ linkedObjectId: id, tenantId: world.defaultTenantId });
  expect(key).toBe(id);
  expect(headers?.split(",")).toContain(`event-id=${event.id}`);
});

testWithPeer("Kafka connects to the host's brokers, even if the integration names others", async () => {
  const { Kafka, server } = await startKafka();
  const world = await startPublishing(kafkaBroker({ Kafka, brokers: [server] }), "127.0.0.1:1");
  await makeGroup(world, world.defaultTenantId, "G");
  await vi.waitFor(
    async () => expect((await readLogs(world)).map((log) => log.eventResult)).toEqual(["Succeeded", "Succeeded"]),
    soon,
  );
});

testWithPeer("a Kafka that is not there fails an attempt, and no more", async () => {
  const { Kafka } = await startKafka();
  const world = await startPublishing(kafkaBroker({ Kafka }), "127.0.0.1:1");
  await makeGroup(world, world.defaultTenantId, "G");
  await vi.waitFor(async () => expect((await readLogs(world)).map((log) => log.failedAttempts)).toEqual([1, 1]), soon);
});

const servers = { "bootstrap.servers": "one.example.com:9092, SSL://[2001:db8::1]:9093" };
const credentials = { "sasl.username": "ada", "sasl.password": "secret" };

describe("settings of a producer", () => {
  test("have the defaults of a careful producer", () => {
    expect(readKafkaSettings(servers)).toEqual({
      brokers: ["one.example.com:9092", "[2001:db8::1]:9093"],
      clientId: "latchkey",
      acks: -1,
      connectTimeoutMs: 5_000,
      requestTimeoutMs: 5_000,
      retries: 2,
      isIdempotent: false,
      isCompressed: false,
      tls: undefined,
      sasl: undefined,
    });
  });

  test.each([
    [
      { acks: "1", "client.id": "me", retries: "0" },
      { acks: 1, clientId: "me", retries: 0 },
    ],
    [
      { "compression.type": "gzip", "enable.idempotence": "true" },
      { isCompressed: true, isIdempotent: true },
    ],
    [{ "request.timeout.ms": "2000", "max.block.ms": "5000", "linger.ms": "5" }, { requestTimeoutMs: 2_000 }],
    [
      { "security.protocol": "SSL", "ssl.truststore.certificates": "CA", "ssl.keystore.key": "KEY", "ssl.key.password": "p" },
      { tls: { ca: "CA", cert: undefined, key: "KEY", passphrase: "p" }, sasl: undefined },
    ],
    [
      { "security.protocol": "sasl_plaintext", "sasl.mechanism": "SCRAM-SHA-512", ...credentials },
      { tls: undefined, sasl: { mechanism: "scram-sha-512", username: "ada", password: "secret" } },
    ],
    [
      { "security.protocol": "SASL_SSL", "sasl.jaas.config": 'a.b.PlainLoginModule required username="ada" password="a\\"b";' },
      { tls: {}, sasl: { mechanism: "plain", username: "ada", password: 'a"b' } },
    ],
  ])("%j are followed", (producer, expected) => {
    expect(readKafkaSettings({ ...servers, ...producer })).toMatchObject(expected);
  });

  test.each([
    [{ "bootstrap.servers": "" }, "bootstrap.servers"],
    [{ "bootstrap.servers": "one.example.com" }, "bootstrap.servers"],
    [{ acks: "2" }, "acks"],
    [{ "request.timeout.ms": "0" }, "request.timeout.ms"],
    [{ retries: "many" }, "retries"],
    [{ "compression.type": "zstd" }, "compression.type"],
    [{ "security.protocol": "SSL", "ssl.keystore.type": "JKS" }, "ssl.keystore.type"],
    [{ "security.protocol": "SASL_SSL", "sasl.mechanism": "GSSAPI", ...credentials }, "sasl.mechanism"],
    [{ "security.protocol": "SASL_SSL", "sasl.password": "secret" }, "sasl.username"],
  ])("%j are refused by the name of the setting, without its value", (producer, name) => {
    const read = () => readKafkaSettings({ ...servers, ...producer });
    expect(read).toThrow(name);
    expect(read).not.toThrow("secret");
  });
});
