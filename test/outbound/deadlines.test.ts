import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished } from "vitest";
import { createHttpClient } from "../../src/delivery/http-client/http-client.js";
import type { OutboundOutcome, OutboundRequest } from "../../src/ports/event-transport.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { eventually } from "../support/eventually.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { listen } from "../support/sockets.js";
import { authority, tlsServer } from "../support/tls.js";

const late = { kind: "failed", reason: "timedOut" };

/** Makes a call; a limit that is not given is so long that the test would fail by it. */
async function send(limits: Partial<OutboundRequest> & { readonly url: string }): Promise<OutboundOutcome> {
  const client = createHttpClient({ allowsPrivateNetwork: true, runtime: createRuntime() });
  onTestFinished(() => client.close());
  const long = { connectTimeoutMs: 60_000, readTimeoutMs: 60_000, timeoutMs: 120_000 };
  return client.send({ method: "POST", headers: {}, body: "x", ...long, ...limits });
}

async function elapsed(work: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work;
  return performance.now() - begin;
}

describe("the deadlines of a call", () => {
  requirement("outbound.deadlines", "end an answer that never comes by the time to read, not by that to connect", async () => {
    const sink = await startSink(() => undefined);
    const work = send({ url: sink.url, readTimeoutMs: 200 }).then((outcome) => expect(outcome).toEqual(late));
    expect(await elapsed(work)).toBeLessThan(30_000);
    await eventually(() => expect(sink.received).toHaveLength(1));
  });

  requirement("outbound.deadlines", "are no limits between two bytes: an answer that trickles is late as well", async () => {
    const sink = await startSink((_request, response) => {
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    });
    expect(await send({ url: sink.url, readTimeoutMs: 200 })).toEqual(late);
  });

  requirement("outbound.deadlines", "end a connection whose TLS never begins by the time to connect", async () => {
    const url = `https://${await listen()}/`;
    const work = send({ url, connectTimeoutMs: 200 }).then((outcome) => expect(outcome).toEqual(late));
    expect(await elapsed(work)).toBeLessThan(30_000);
  });

  requirement("outbound.deadlines", "let an answer take longer than a connection may", async () => {
    const connectTimeoutMs = 2_000;
    const silent = `https://${await listen()}/`;
    // It answers once the same time is over for a connection that is never made.
    const answer = async (response: ServerResponse): Promise<void> => {
      expect(await send({ url: silent, connectTimeoutMs })).toEqual(late);
      response.end("slow");
    };
    const sink = await startSink((_request, response) => void answer(response));
    expect(await send({ url: sink.url, connectTimeoutMs })).toMatchObject({ status: 200, body: "slow" });
  });

  requirement("outbound.deadlines", "send nothing any more once they are over", async () => {
    const urls: (string | undefined)[] = [];
    const server = createHttpsServer(tlsServer, (request, response) => {
      urls.push(request.url);
      response.end("y");
    });
    const over = Promise.withResolvers<void>();
    const closed: Promise<unknown>[] = [];
    // TLS begins when nobody waits for it any more.
    const begin = async (socket: Socket): Promise<void> => {
      closed.push(once(socket, "close"));
      await over.promise;
      server.emit("connection", socket);
    };
    const url = `https://${await listen((socket) => void begin(socket))}/`;
    expect(await send({ url, connectTimeoutMs: 100, tls: { trusted: authority } })).toEqual(late);
    over.resolve();
    await Promise.all(closed);
    expect(urls).toEqual([]);
    expect(await send({ url, tls: { trusted: authority } })).toMatchObject({ status: 200, body: "y" });
    expect(urls).toEqual(["/"]);
  });

  requirement("outbound.deadlines", "keep connections open that served well", async () => {
    const ports: (number | undefined)[] = [];
    const sink = await startSink((request, response) => {
      ports.push(request.socket.remotePort);
      response.end("y");
    });
    const client = createHttpClient({ allowsPrivateNetwork: true, runtime: createRuntime() });
    onTestFinished(() => client.close());
    const call = { url: sink.url, method: "POST", headers: {}, connectTimeoutMs: 20_000, timeoutMs: 20_000 } as const;
    for (let count = 0; count < 20; count++) expect(await client.send(call)).toMatchObject({ body: "y" });
    // The next call may begin a moment before the connection of the last one is free.
    expect(new Set(ports).size).toBeLessThanOrEqual(2);
  });

  requirement("outbound.deadlines", "keep no connection open once the client is closed", async () => {
    let isOpen = true;
    const url = await listen((socket) => {
      socket.once("close", () => (isOpen = false));
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 1\r\n\r\ny"));
    });
    const client = createHttpClient({ allowsPrivateNetwork: true, runtime: createRuntime() });
    const call = { method: "POST", headers: {}, connectTimeoutMs: 20_000, timeoutMs: 20_000 } as const;
    expect(await client.send({ ...call, url: `http://${url}/` })).toMatchObject({ body: "y" });
    expect(isOpen).toBe(true);
    await client.close();
    await eventually(() => expect(isOpen).toBe(false));
  });
});
