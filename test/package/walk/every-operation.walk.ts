// Every operation of every family, over HTTP and in process, on the storages that an install line makes possible (LATCHKEY_STORAGES).
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { callEveryOperation, failuresOf, type Send, succeededOf } from "../../support/every-operation.js";
import { testDatabase } from "../../support/postgres.js";
import { startWorld, type World } from "../../support/world.js";

const wanted = (process.env.LATCHKEY_STORAGES ?? "memory").split(",");
const database = wanted.includes("postgres") ? testDatabase() : undefined;

const storages: Readonly<Record<string, () => Storage>> = {
  memory: () => memoryStorage(),
  sqlite: () => sqliteStorage({ filename: join(process.env.LATCHKEY_PROJECT ?? ".", "walk.db") }),
  postgres: () => {
    if (database === undefined) throw new Error("There is no Postgres.");
    return database.newStorage();
  },
};

async function serve({ identity }: World): Promise<Send> {
  const handle = nodeHandler(identity);
  const server = createServer((request, response) => void handle(request, response));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return async ({ body, headers, method, url }) => {
    const sent = { method, headers: { ...headers, connection: "close" }, ...(body !== undefined && { body: String(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, sent);
    await answer.arrayBuffer();
    return answer.status;
  };
}

describe.each(wanted)("the installed package on %s", (name) => {
  test("answers every operation of every family, over HTTP and in process", async () => {
    const storage = storages[name]?.();
    if (storage === undefined) throw new Error(`There is no storage ${name}.`);
    const world = await startWorld(storage, {
      throttle: false,
      sendSms: async () => ({ kind: "ok" }),
      mail: async () => ({ kind: "ok" }),
    });
    const { inProcess, overHttp } = await callEveryOperation(world, await serve(world));
    expect(failuresOf([...inProcess, ...overHttp])).toEqual([]);
    for (const outcomes of [inProcess, overHttp]) expect(succeededOf(outcomes).size).toBeGreaterThan(120);
  });
});
