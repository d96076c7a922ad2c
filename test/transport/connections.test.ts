import type { IdentityService } from "latchkey";
import type { ApiResponse } from "latchkey/ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hosts, type RunningHost } from "./support/hosts.js";
import { RawConnection } from "./support/raw-connection.js";
import { apiKey, createTestService } from "./support/service.js";

const key = `authorization: ${apiKey}`;
const json = "content-type: application/json";
const maxBodyBytes = 2_000;

describe.each(hosts)("connections of $name", (host) => {
  let running: RunningHost;
  let identity: IdentityService;
  let logged: readonly string[];
  const answers: Promise<ApiResponse | undefined>[] = [];

  beforeAll(async () => {
    ({ identity, logged } = await createTestService({ maxBodyBytes, bodyTimeoutMs: 60_000 }));
    const handle: IdentityService["handle"] = (request) => {
      const answer = identity.handle(request);
      answers.push(answer);
      return answer;
    };
    running = await host.start([{ identity: { handle, paths: identity.paths }, basePath: "" }]);
  });

  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await identity.close();
    expect(logged).toEqual([]);
  });

  test("stay open after a refusal, with or without its body read", async () => {
    await using connection = await RawConnection.open(running.port);
    const body = JSON.stringify({ group: { name: "" } });
    const refusals: [number, ...string[]][] = [
      [401, "POST /api/group HTTP/1.1", json, `content-length: ${body.length}`],
      [400, "POST /api/group HTTP/1.1", key, json, `content-length: ${body.length}`],
      [404, "POST /api/nothing HTTP/1.1", key, json, `content-length: ${body.length}`],
      [405, "PATCH /api/group/member HTTP/1.1", key, json, `content-length: ${body.length}`],
      [400, "DELETE /api/group/nonsense HTTP/1.1", key],
    ];
    for (const [status, ...lines] of refusals) {
      connection.writeHead(...lines);
      if (lines.some((line) => line.startsWith("content-length"))) connection.write(body);
      expect((await connection.readResponse()).status).toBe(status);
    }
    connection.writeHead("GET /api/group HTTP/1.1", key);
    expect((await connection.readResponse()).body).toBe('{"groups":[]}');
  });

  test("answer pipelined requests in their order", async () => {
    await using connection = await RawConnection.open(running.port);
    const body = JSON.stringify({ group: { name: `Pipelined at ${host.name}` } });
    connection.write(
      [
        `POST /api/group HTTP/1.1\r\nhost: a\r\n${key}\r\n${json}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        "GET /api/group HTTP/1.1\r\nhost: a\r\n\r\n",
        `GET /api/group/search?name=${host.name} HTTP/1.1\r\nhost: a\r\n${key}\r\n\r\n`,
      ].join(""),
    );
    const responses = [await connection.readResponse(), await connection.readResponse(), await connection.readResponse()];
    expect(responses.map((response) => response.status)).toEqual([200, 401, 200]);
    expect(JSON.parse(responses[0]?.body ?? "").group.name).toBe(`Pipelined at ${host.name}`);
    expect(responses[2]?.body).toMatch(/^{"groups":\[/);
  });

  test("are refused when they bring two Authorization headers", async () => {
    await using connection = await RawConnection.open(running.port);
    for (const lines of [
      [key, key],
      [key, "Authorization: other"],
      ["AUTHORIZATION: other", key],
    ]) {
      connection.writeHead("GET /api/group HTTP/1.1", ...lines);
      expect(await connection.readResponse()).toMatchObject({ status: 401, body: "" });
    }
    connection.writeHead("GET /api/group HTTP/1.1", key);
    expect((await connection.readResponse()).status).toBe(200);
  });

  test("that break off within a body leave nothing behind", async () => {
    for (const framing of ["content-length: 100", "transfer-encoding: chunked"]) {
      answers.length = 0;
      const connection = await RawConnection.open(running.port);
      // The server asks for the body once the request has reached it.
      connection.writeHead("POST /api/group HTTP/1.1", key, json, framing, "expect: 100-continue");
      expect((await connection.readResponse()).status).toBe(100);
      connection.write(framing.endsWith("chunked") ? '9\r\n{"group":\r\n' : '{"group":');
      while (answers.length === 0) await new Promise(setImmediate);
      connection.abort();
      expect(await answers[0]).toMatchObject({ status: 400, body: expect.stringContaining("[invalidJSON]") });
    }
    while ((await countConnections(running)) > 0) await new Promise(setImmediate);
  });
});

// How a connection ends is the server's business where requests come as `Request`: those are out of here.
describe.each(hosts.filter((host) => host.name !== "fetch"))("connections of $name whose body does not end", (host) => {
  const start = async (bodyTimeoutMs: number): Promise<RunningHost> => {
    const { identity } = await createTestService({ maxBodyBytes, bodyTimeoutMs });
    return host.start([{ identity, basePath: "" }]);
  };

  test.each(["content-length: 100", "transfer-encoding: chunked"])(
    "are answered 408 and closed when it stalls (%s)",
    async (framing) => {
      await using running = await start(20);
      await using connection = await RawConnection.open(running.port);
      connection.writeHead("POST /api/group HTTP/1.1", key, json, framing);
      connection.write(framing.endsWith("chunked") ? "1\r\n{\r\n" : "{");
      const response = await connection.readResponse();
      expect([response.status, response.headers.get("connection")]).toEqual([408, "close"]);
      expect(response.body).toContain("[requestTimeout]");
      await connection.closed();
    },
  );

  test.each([
    ["content-length: 10000000", "{"],
    ["transfer-encoding: chunked", `${(maxBodyBytes + 1).toString(16)}\r\n${" ".repeat(maxBodyBytes + 1)}\r\n`],
  ])("are answered 413 and closed when it is too long (%s)", async (framing, sent) => {
    await using running = await start(60_000);
    await using connection = await RawConnection.open(running.port);
    connection.writeHead("POST /api/group HTTP/1.1", key, json, framing);
    connection.write(sent);
    const response = await connection.readResponse();
    expect([response.status, response.headers.get("connection")]).toEqual([413, "close"]);
    expect(response.body).toContain("[tooLarge]");
    await connection.closed();
  });
});

function countConnections(running: RunningHost): Promise<number> {
  return new Promise((resolve, reject) => {
    running.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
