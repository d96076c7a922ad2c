// Three servers on one database (docs/reference/api-keys.md#new-changed-and-revoked-keys; Events: Outbox).
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { type Received, startSink } from "../support/sink.js";
import { ServerProcess } from "./support/server-processes.js";

const { newSchema } = testDatabase();
const apiKey = "the-key-of-several-servers-0123456789";

// What counts within a second is waited for five times as long.
const patience = { timeout: 20_000, interval: 50 };
const leaseMs = 30_000;

describe("three servers on one database", () => {
  let servers: readonly ServerProcess[] = [];

  beforeAll(async () => {
    const settings = { url: postgresUrl ?? "", schema: newSchema(), apiKey };
    servers = await Promise.all([1, 2, 3].map(() => ServerProcess.start(settings)));
  }, 30_000);
  afterAll(() => Promise.all(servers.map((server) => server.kill())));

  const server = (index: number): ServerProcess => servers[index] as ServerProcess;
  const others = (): readonly ServerProcess[] => servers.slice(1);

  requirement("key.other-process", "know a new key at once, and a changed or revoked one within a second", async () => {
    const statuses = (path: string): Promise<number[]> =>
      Promise.all(others().map(async (one) => (await one.call("GET", path, undefined, "shared")).status));
    const { body } = await server(0).call("POST", "/api/api-key", { apiKey: { key: "shared" } });
    expect(await statuses("/api/group")).toEqual([200, 200]);
    const path = `/api/api-key/${body.apiKey?.id}`;
    await server(0).call("PATCH", path, { apiKey: { permissions: { endpoints: { "/api/tenant": ["GET"] } } } });
    await vi.waitFor(async () => expect(await statuses("/api/group")).toEqual([401, 401]), patience);
    expect(await statuses("/api/tenant")).toEqual([200, 200]);
    expect((await server(0).call("DELETE", path)).status).toBe(200);
    await vi.waitFor(async () => expect(await statuses("/api/tenant")).toEqual([401, 401]), patience);
  });

  test("run the body of a lambda that another one has changed", async () => {
    const toBody = (value: number): string => `function populate(jwt) { jwt.value = ${value}; }`;
    const lambda = { name: "L", type: "JWTPopulate", body: toBody(1) };
    const { body } = await server(0).call("POST", "/api/lambda", { lambda });
    const id = String(body.lambda?.id);
    const results = (): Promise<unknown[]> => Promise.all(servers.map((one) => one.runLambda(id)));
    expect(await results()).toEqual([{ value: 1 }, { value: 1 }, { value: 1 }]);
    await server(1).call("PATCH", `/api/lambda/${id}`, { lambda: { body: toBody(2) } });
    await vi.waitFor(async () => expect(await results()).toEqual([{ value: 2 }, { value: 2 }, { value: 2 }]), patience);
  });

  test("send events after a webhook's change with its new settings, from each server", async () => {
    const [before, after] = [await startSink(), await startSink()];
    const { body } = await server(0).call("POST", "/api/webhook", { webhook: toWebhook(before.url) });
    const create = (index: number) =>
      server(index).call("POST", "/api/group", { group: { name: `webhook ${crypto.randomUUID()}` } });
    await create(1);
    await vi.waitFor(() => expect(before.received).toHaveLength(1), patience);
    const path = `/api/webhook/${body.webhook?.id}`;
    await server(0).call("PUT", path, { webhook: toWebhook(after.url) });
    await Promise.all([0, 1, 2].map(create));
    await vi.waitFor(() => expect(after.received).toHaveLength(3), patience);
    expect(before.received).toHaveLength(1);
    expect((await server(2).call("DELETE", path)).status).toBe(200);
  });

  test("lose nothing they acknowledged when two are killed, and send nothing twice while somebody may be at it", async () => {
    const sink = await startSink();
    await server(2).call("POST", "/api/webhook", { webhook: toWebhook(sink.url) });
    const acknowledged: string[] = [];
    let isOver = false;
    const write = async (one: ServerProcess): Promise<void> => {
      while (!isOver) {
        const group = { name: `group ${crypto.randomUUID()}` };
        const { body, status } = await one.call("POST", "/api/group", { group });
        if (status === 200) acknowledged.push(String(body.group?.id));
      }
    };
    // Whoever writes to a server that is killed has no answer.
    const writing = servers.flatMap((one) => [1, 2, 3, 4].map(() => write(one).catch(() => undefined)));
    for (const [index, enough] of [100, 200].entries()) {
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(enough), patience);
      await server(index).kill();
    }
    const beforeLast = acknowledged.length;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(beforeLast + 50), patience);
    isOver = true;
    await Promise.all(writing);
    const survivor = server(2);
    const found = await Promise.all(acknowledged.map((id) => survivor.call("GET", `/api/group/${id}`)));
    expect(found.filter(({ status }) => status !== 200)).toEqual([]);
    expect(repeatedIds(sink.received)).toEqual([]);
    // What the dead were at is free when their time is over.
    survivor.advance(leaseMs + 1_000);
    const arrived = (): Set<string> => new Set(sink.received.map((one) => String(toEvent(one).linkedObjectId)));
    await vi.waitFor(() => expect(acknowledged.filter((id) => !arrived().has(id))).toEqual([]), patience);
  }, 60_000);
});

function toWebhook(url: string): object {
  return { url, connectTimeout: 1_000, readTimeout: 2_000, global: true, eventsEnabled: { "group.create": true } };
}

function toEvent({ body }: Received): { readonly id: string; readonly linkedObjectId?: string } {
  return JSON.parse(body).event;
}

function repeatedIds(received: readonly Received[]): readonly string[] {
  const byId = Map.groupBy(received, (one) => toEvent(one).id);
  return [...byId].flatMap(([id, all]) => (all.length > 1 ? [id] : []));
}
