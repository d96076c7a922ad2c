import { lookup } from "node:dns";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, vi } from "vitest";
import { readServers, toConnectOptions } from "../../adapters/brokers/nats/servers.js";
import { recordBroker } from "../../examples/record-broker.js";
import { createOutboundGuard } from "../../src/delivery/http-client/address-guard.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { readLogs } from "../support/broker.js";
import { makeGroup } from "../support/families.js";
import { integrationsPath } from "../support/integrations.js";
import { importPeer, startPeer, testWithPeer } from "../support/peer.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { startWorld, type World } from "../support/world.js";

const soon = { timeout: 20_000 };

const bodyOf = (producer: object, enabled: boolean = true): object => ({
  integrations: { broker: { enabled, defaultTopic: "identity.events", producer } },
});

async function startPublishing(producer: object, options: object = { allowPrivateNetwork: true }): Promise<World> {
  const world = await startWorld(memoryStorage(), { broker: recordBroker, ...options });
  expectOk(await world.caller.put(integrationsPath, bodyOf(producer)));
  await world.identity.start();
  return world;
}

async function expectResults(world: World, result: object): Promise<void> {
  await vi.waitFor(async () => {
    const logs = await readLogs(world);
    expect(logs).toHaveLength(2);
    for (const log of logs) expect(log).toMatchObject(result);
  }, soon);
}

describe("the broker that a record names", () => {
  requirement("broker.record", "is named once: both kinds of servers, and none, are refused", async () => {
    const world = await startWorld(memoryStorage(), { broker: recordBroker });
    const path = "[invalid]integrations.broker.producer";
    for (const producer of [
      { acks: "all" },
      { "bootstrap.servers": "127.0.0.1:9092", servers: "nats://127.0.0.1:4222" },
      { servers: "http://127.0.0.1:4222" },
    ])
      expectRefusal(await world.caller.put(integrationsPath, bodyOf(producer)), 400, path);
    expectOk(await world.caller.put(integrationsPath, bodyOf({}, false)));
    expectOk(await world.caller.put(integrationsPath, bodyOf({ servers: "tls://nats.example.com" })));
    const renamed = await startWorld(memoryStorage(), { broker: recordBroker, names: { broker: "stream" } });
    const body = { integrations: { stream: { enabled: true, defaultTopic: "t", producer: { acks: "all" } } } };
    expectRefusal(await renamed.caller.put(integrationsPath, body), 400, "[invalid]integrations.stream.producer");
  });

  testWithPeer("is a NATS server", async () => {
    const streams = await importPeer<{ jetstreamManager(connection: object): Promise<Manager> }>("@nats-io/jetstream");
    const transport = await importPeer<{ connect(options: object): Promise<{ close(): Promise<void> }> }>(
      "@nats-io/transport-node",
    );
    const args = ["-js", "-a", "127.0.0.1", "-p", "-1", "-sd", makeDirectory()];
    const ready = await startPeer("nats-server", args, /on (127\.0\.0\.1:\d+)[\s\S]*Server is ready/);
    const connection = await transport.connect({ servers: ready[1] });
    const manager = await streams.jetstreamManager(connection);
    await manager.streams.add({ name: "events", subjects: ["identity.events"] });
    await connection.close();
    const world = await startPublishing({ servers: `nats://${ready[1]}` });
    await makeGroup(world, world.defaultTenantId, "G");
    await expectResults(world, { eventResult: "Succeeded" });
  });

  testWithPeer("is a Kafka cluster", async () => {
    const args = ["-X", "test.mock.num.brokers=1", "-b", "mock", "-C", "-t", "unused", "-u", "-d", "mock"];
    const ready = await startPeer("kcat", args, /(127\.0\.0\.1:\d+)/);
    const world = await startPublishing({ "bootstrap.servers": ready[1] ?? "", "request.timeout.ms": "2000" });
    await makeGroup(world, world.defaultTenantId, "G");
    await expectResults(world, { eventResult: "Succeeded" });
  });

  for (const producer of [
    { "bootstrap.servers": "127.0.0.1:9", "request.timeout.ms": "500", retries: "0" },
    { "bootstrap.servers": "localhost:9", "request.timeout.ms": "500", retries: "0" },
    { servers: "nats://127.0.0.1:9", "request.timeout.ms": "500" },
    { servers: "tls://localhost:9", "request.timeout.ms": "500" },
  ])
    requirement("broker.guard", `is not connected to at a private address: ${JSON.stringify(producer)}`, async () => {
      const world = await startPublishing(producer, {});
      await makeGroup(world, world.defaultTenantId, "G");
      await expectResults(world, { failedAttempts: 1 });
    });
});

interface Manager {
  readonly streams: { add(stream: object): Promise<unknown> };
}

describe("the servers of NATS", () => {
  requirement("broker.guard", "are checked by their addresses, and connected to at those", async () => {
    const guard = createOutboundGuard(false, lookup);
    for (const text of ["nats://127.0.0.1", "nats://[::1]:4222", "nats://localhost", "nats://169.254.169.254", "nats://0x7f.1"])
      await expect(toConnectOptions(readServers(text), guard, 1)).rejects.toThrow();
    expect(await toConnectOptions(readServers("tls://ada:se%40cret@192.0.3.1:1, tls://[2001:4860::1]"), guard, 7)).toEqual({
      servers: ["192.0.3.1:1", "[2001:4860::1]:4222"],
      user: "ada",
      pass: "se@cret",
      tls: { servername: "192.0.3.1" },
      ignoreClusterUpdates: true,
      timeout: 7,
    });
    for (const text of ["", "http://a", "nats://a,tls://b", "a:4222"]) expect(() => readServers(text)).toThrow(TypeError);
  });

  requirement("broker.record", "share one user name and password, in any of their URLs", async () => {
    const guard = createOutboundGuard(false, lookup);
    for (const text of ["nats://192.0.3.1,nats://ada:s@192.0.3.2", "nats://ada:s@192.0.3.1,nats://ada:s@192.0.3.2"])
      expect(await toConnectOptions(readServers(text), guard, 1)).toMatchObject({ user: "ada", pass: "s" });
    for (const other of ["ada:t", "bob:s", "ada"])
      expect(() => readServers(`nats://ada:s@a,nats://${other}@b`)).toThrow(
        "servers must be URLs such as nats://nats.example.com:4222 or tls://…, separated by commas, all with the same user name and password.",
      );
  });
});
