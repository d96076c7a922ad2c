// What a graceful shutdown does with the connections of a server: every framework as a host, over sockets.
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { IdentityService } from "latchkey";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { ServerDrain } from "../../adapters/node/drain.js";
import { requirement } from "../support/requirement.js";
import { hosts, listen } from "./support/hosts.js";
import { RawConnection } from "./support/raw-connection.js";
import { apiKey, createTestService } from "./support/service.js";

const longMs = 60_000;
const body = JSON.stringify({ group: { name: "Made at the last moment" } });
const postHead = [
  "POST /api/group HTTP/1.1",
  `authorization: ${apiKey}`,
  "content-type: application/json",
  `content-length: ${body.length}`,
];

describe.each(hosts)("the shutdown of $name", (host) => {
  let identity: IdentityService;

  beforeAll(async () => {
    ({ identity } = await createTestService());
  });

  afterAll(() => identity.close());

  requirement("server.shutdown", "ends connections that sent nothing, half a head, or a whole request before", async () => {
    await using running = await host.start([{ identity, basePath: "" }]);
    const drain = new ServerDrain(running.server);
    await using silent = await RawConnection.open(running.port);
    await using half = await RawConnection.open(running.port);
    half.write("GET /api/group HTTP/1.1\r\nhost: loc");
    await using idle = await RawConnection.open(running.port);
    idle.writeHead("GET /api/group HTTP/1.1");
    expect((await idle.readResponse()).headers.get("connection")).not.toBe("close");
    expect(await drain.run(longMs)).toBe(0);
    await Promise.all([silent.closed(), half.closed(), idle.closed()]);
  });

  requirement("server.shutdown", "answers requests on open connections with Connection: close", async () => {
    await using running = await host.start([{ identity, basePath: "" }]);
    const drain = new ServerDrain(running.server);
    await using idle = await RawConnection.open(running.port);
    idle.writeHead("GET /api/group HTTP/1.1");
    await idle.readResponse();
    await using busy = await RawConnection.open(running.port);
    busy.writeHead(...postHead, "expect: 100-continue");
    expect((await busy.readResponse()).status).toBe(100);
    const drained = drain.run(longMs);
    // Its request crosses the end of the server.
    idle.writeHead("GET /api/group HTTP/1.1");
    const late = await idle.readResponse();
    busy.write(body);
    const last = await busy.readResponse();
    expect([late, last].map(({ status, headers }) => [status, headers.get("connection")])).toEqual([
      [401, "close"],
      [200, "close"],
    ]);
    await Promise.all([idle.closed(), busy.closed()]);
    expect(await drained).toBe(0);
    await expect(RawConnection.open(running.port)).rejects.toThrow("ECONNREFUSED");
  });

  requirement("server.shutdown", "cuts off a request whose body never ends", async () => {
    await using running = await host.start([{ identity, basePath: "" }]);
    const drain = new ServerDrain(running.server);
    await using stuck = await RawConnection.open(running.port);
    stuck.writeHead(...postHead, "expect: 100-continue");
    expect((await stuck.readResponse()).status).toBe(100);
    stuck.write(body.slice(0, 5));
    expect(await drain.run(1)).toBe(1);
    await stuck.closed();
  });
});

requirement("server.shutdown", "a shutdown sends what was written before", async () => {
  const text = "x".repeat(20_000_000);
  await using running = await listen((_req, res) => void res.setHeader("content-length", text.length).end(text));
  const drain = new ServerDrain(running.server);
  await using reader = await RawConnection.open(running.port);
  reader.writeHead("GET / HTTP/1.1");
  await once(running.server, "request");
  const drained = drain.run(longMs);
  expect((await reader.readResponse()).body).toHaveLength(text.length);
  expect(await drained).toBe(0);
});

requirement("server.shutdown", "a shutdown over TLS ends connections without a handshake", async () => {
  const server = createTlsServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const drain = new ServerDrain(server);
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await Promise.all([once(socket, "connect"), once(server, "connection")]);
  const closed = once(server, "close");
  expect(await drain.run(longMs)).toBe(0);
  await closed;
});
