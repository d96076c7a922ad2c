import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished } from "vitest";
import { createHttpClient } from "../../src/delivery/http-client/http-client.js";
import type { OutboundOutcome, OutboundRequest } from "../../src/ports/event-transport.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { signer } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";

const plain = {
  method: "POST",
  headers: { "content-type": "text/plain" },
  body: "x",
  connectTimeoutMs: 20_000,
  timeoutMs: 20_000,
} as const;

async function send(
  request: Partial<OutboundRequest> & { readonly url: string },
  allowsPrivateNetwork = true,
): Promise<OutboundOutcome> {
  const client = createHttpClient({ allowsPrivateNetwork, runtime: createRuntime() });
  onTestFinished(() => client.close());
  return client.send({ ...plain, ...request });
}

describe("a call", () => {
  requirement("outbound.limits", "carries method, headers and body, and answers status and body", async () => {
    const sink = await startSink(
      (_request, response) => void response.writeHead(418, { "content-type": "text/plain" }).end("short"),
    );
    const answer = await send({ url: `${sink.url}/a%20b?c=d`, method: "PUT", headers: { "x-a": "b" } });
    expect(answer).toMatchObject({ kind: "answered", status: 418, body: "short", isCut: false });
    expect(sink.received).toMatchObject([{ method: "PUT", url: "/a%20b?c=d", headers: { "x-a": "b" }, body: "x" }]);
  });

  requirement("outbound.limits", "reads no more than 64 KiB, however much comes", async () => {
    const sink = await startSink((_request, response) => {
      const pour = (): void => void (response.destroyed || response.write("x".repeat(16_384), () => setImmediate(pour)));
      pour();
    });
    const answer = await send({ url: sink.url });
    expect(answer).toMatchObject({ kind: "answered", status: 200 });
    expect(answer.kind === "answered" && answer.body.length).toBe(65_536);
    expect(answer).toMatchObject({ isCut: true });
  });

  requirement("outbound.limits", "reads up to its limit, and reports whether there was more", async () => {
    const sink = await startSink((_request, response) => void response.end("12345"));
    for (const [maxAnswerBytes, body, isCut] of [
      [4, "1234", true],
      [5, "12345", false],
      [6, "12345", false],
    ] as const)
      expect(await send({ url: sink.url, maxAnswerBytes })).toMatchObject({ body, isCut });
  });

  requirement("outbound.limits", "answers headers in lower case, and repeated ones as one text", async () => {
    const sink = await startSink((_request, response) => {
      response.setHeader("X-Mixed-Case", "a");
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.end();
    });
    expect(await send({ url: sink.url })).toMatchObject({ headers: { "x-mixed-case": "a", "set-cookie": "a=1, b=2" } });
    for (const method of ["GET", "HEAD", "PATCH", "DELETE", "OPTIONS"] as const)
      expect(await send({ url: sink.url, method, body: undefined })).toMatchObject({ status: 200, body: "" });
    expect(sink.received.map(({ method }) => method)).toEqual(["POST", "GET", "HEAD", "PATCH", "DELETE", "OPTIONS"]);
  });

  requirement("outbound.limits", "ends at its deadline, though bytes trickle in", async () => {
    const sink = await startSink((_request, response) => {
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    });
    expect(await send({ url: sink.url, timeoutMs: 300 })).toEqual({ kind: "failed", reason: "timedOut" });
    const silent = await startSink(() => undefined);
    expect(await send({ url: silent.url, timeoutMs: 200 })).toEqual({ kind: "failed", reason: "timedOut" });
  });

  requirement("outbound.limits", "follows no redirect", async () => {
    const target = await startSink();
    const sink = await startSink((_request, response) => void response.writeHead(308, { location: target.url }).end());
    expect(await send({ url: sink.url })).toMatchObject({ kind: "answered", status: 308 });
    expect(target.received).toEqual([]);
  });

  requirement("outbound.limits", "to nobody, to gibberish or to an unknown name fails and never rejects", async () => {
    const server = createServer((socket) => void socket.end("not HTTP at all\r\n\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const urls = [
      `http://127.0.0.1:${port}`,
      "http://127.0.0.1:1",
      "http://does-not-exist.invalid/",
      "no URL",
      "ftp://127.0.0.1/",
    ];
    for (const url of urls) expect([url, await send({ url })]).toEqual([url, { kind: "failed", reason: "unreachable" }]);
  });

  requirement("outbound.limits", "verifies certificates", async () => {
    const server = createTlsServer(
      { cert: signer.certificate, key: signer.privateKey },
      (_request, response) => void response.end(),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await send({ url: `https://127.0.0.1:${port}/` })).toEqual({ kind: "failed", reason: "unreachable" });
  });
});

describe("a guarded call", () => {
  requirement("outbound.guard", "reaches no address of this machine by any spelling or name", async () => {
    const sink = await startSink();
    const { port } = new URL(sink.url);
    const hosts = [
      "127.0.0.1",
      "127.1",
      "0x7f.1",
      "0177.0.0.1",
      "2130706433",
      "0.0.0.0",
      "0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "localhost",
      "localhost.",
    ];
    for (const host of hosts) {
      const outcome = await send({ url: `http://${host}:${port}/` }, false);
      expect([host, outcome.kind]).toEqual([host, "failed"]);
      if (!host.endsWith(".")) expect([host, outcome]).toEqual([host, { kind: "failed", reason: "forbiddenAddress" }]);
    }
    expect(sink.received).toEqual([]);
    expect(await send({ url: `http://localhost:${port}/` })).toMatchObject({ status: 201 });
  });
});
