import { lookup } from "node:dns";
import { natsBroker } from "latchkey/brokers";
import { memoryStorage } from "latchkey/memory";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectBroker } from "../../examples/guides/nats.js";
import { createOutboundGuard } from "../../src/delivery/http-client/address-guard.js";
import { expectOk } from "../support/answer.js";
import { enableBroker, readLogs } from "../support/broker.js";
import { makeGroup } from "../support/families.js";
import { importPeer, startPeer, testWithPeer } from "../support/peer.js";
import { makeDirectory } from "../support/temporary.js";
import { startWorld, type World } from "../support/world.js";

const soon = { timeout: 10_000 };

interface Connection {
  close(): Promise<void>;
}

interface StoredMessage {
  readonly header: { get(name: string): string };
  string(): string;
}

interface Manager {
  readonly streams: {
    add(stream: { readonly name: string; readonly subjects: readonly string[] }): Promise<unknown>;
    info(name: string): Promise<{ readonly state: { readonly messages: number } }>;
    getMessage(name: string, query: { readonly seq: number }): Promise<StoredMessage | null>;
  };
}

interface JetStream {
  jetstreamManager(connection: Connection): Promise<Manager>;
}

interface Nats {
  readonly world: World;
  readonly manager: Manager;
}

/** A service that publishes to a NATS server of its own. */
async function startNats(): Promise<Nats> {
  const streams = await importPeer<JetStream>("@nats-io/jetstream");
  const args = ["-js", "-a", "127.0.0.1", "-p", "-1", "-sd", makeDirectory()];
  const ready = await startPeer("nats-server", args, /on (127\.0\.0\.1:\d+)[\s\S]*Server is ready/);
  const { broker, connection } = await connectBroker(ready[1] ?? "");
  onTestFinished(() => connection.close());
  const world = await startWorld(memoryStorage(), { broker });
  await enableBroker(world, { producer: { "request.timeout.ms": "1000" } });
  await world.identity.start();
  return { world, manager: await streams.jetstreamManager(connection) };
}

testWithPeer("NATS keeps events with their headers, each once however often it is sent", async () => {
  const { manager, world } = await startNats();
  await manager.streams.add({ name: "events", subjects: ["identity.events"] });
  const id = await makeGroup(world, world.defaultTenantId, "G");
  const countMessages = async () => (await manager.streams.info("events")).state.messages;
  await vi.waitFor(async () => expect(await countMessages()).toBe(2), soon);
  const messages = await Promise.all([1, 2].map((seq) => manager.streams.getMessage("events", { seq })));
  const created = messages.find((message) => message?.header.get("event-type") === "group.create");
  const { event } = JSON.parse(created?.string() ?? "{}");
  expect(event).toMatchObject({ type: "group.create", linkedObjectId: id });
  expect(["event-id", "Nats-Msg-Id", "key", "tenant-id"].map((name) => created?.header.get(name))).toEqual([
    event.id,
    event.id,
    id,
    world.defaultTenantId,
  ]);
  expectOk(await world.caller.post(`/api/system/webhook-event-log/${event.id}/resend`));
  const isSentAgain = async () => (await readLogs(world)).some(({ successfulAttempts }) => successfulAttempts === 2);
  await vi.waitFor(async () => expect(await isSentAgain()).toBe(true), soon);
  expect(await countMessages()).toBe(2);
});

testWithPeer("NATS gets an event once there is a stream for it", async () => {
  const { manager, world } = await startNats();
  await makeGroup(world, world.defaultTenantId, "G");
  await vi.waitFor(async () => expect((await readLogs(world)).map((log) => log.failedAttempts)).toEqual([1, 1]), soon);
  await manager.streams.add({ name: "events", subjects: ["identity.>"] });
  world.clock.advance(6_000);
  await vi.waitFor(async () => expect((await manager.streams.info("events")).state.messages).toBe(2), soon);
});

test("a setting of the producer that NATS cannot follow is refused", () => {
  const broker = natsBroker({ jetstream: { publish: async () => undefined }, headers: () => new Map() });
  const settings = { defaultTopic: "events", producer: { "request.timeout.ms": "soon" } };
  expect(() => broker(settings, createOutboundGuard(false, lookup))).toThrow(
    "request.timeout.ms must be a positive whole number.",
  );
});
