import type { IdentityService } from "latchkey";
import { fetchHandler } from "latchkey/fetch";
import { describe, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { hosts } from "./support/hosts.js";
import { RawConnection } from "./support/raw-connection.js";
import { apiKey, createTestService } from "./support/service.js";

const key = `authorization: ${apiKey}`;
const megabyte = "x".repeat(1_000_000);

// Where requests come as `Request`, the runtime alone knows its connections.
const sockets = hosts.filter(({ name }) => name !== "fetch");

describe.each(sockets)("connections of $name", (host) => {
  requirement("sizes.in-turn", "have one request at work, however many were sent", async () => {
    const { identity } = await createTestService();
    let [now, most] = [0, 0];
    const handle: IdentityService["handle"] = async (request) => {
      most = Math.max(most, ++now);
      const response = await identity.handle(request);
      await new Promise(setImmediate);
      now--;
      return response;
    };
    await using running = await host.start([{ identity: { handle, paths: identity.paths }, basePath: "" }]);
    await using connection = await RawConnection.open(running.port);
    const body = JSON.stringify({ group: { name: "" } });
    const post = `POST /api/group HTTP/1.1\r\nhost: a\r\n${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    connection.write(`GET /api/group HTTP/1.1\r\nhost: a\r\n${key}\r\n\r\n${post}`.repeat(100));
    for (let count = 0; count < 100; count++) {
      expect((await connection.readResponse()).status).toBe(200);
      expect((await connection.readResponse()).status).toBe(400);
    }
    expect(most).toBe(1);
  });
});

describe.each(sockets)("answers of $name that are not read", (host) => {
  requirement("sizes.unsent", "count until they are, or their connection is closed", async () => {
    const { identity, logged } = await createTestService({ maxUnsentBytes: 15_000_000 });
    for (let index = 0; index < 12; index++)
      await identity.groups.create({ group: { name: `Group ${index}`, data: { megabyte } } });
    let answered = 0;
    const handle: IdentityService["handle"] = async (request) => {
      const response = await identity.handle(request);
      answered++;
      return response;
    };
    await using running = await host.start([{ identity: { handle, paths: identity.paths }, basePath: "" }]);
    const get = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${running.port}${path}`, { headers: { authorization: apiKey } });
    const slow = await RawConnection.open(running.port);
    slow.pause();
    slow.writeHead("GET /api/group HTTP/1.1", key);
    while (answered === 0) await new Promise(setImmediate);
    const refused = await get("/api/group");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.text()).toContain("[overloaded]");
    // What is small is answered all the same.
    expect((await get("/api/group/search?numberOfResults=0")).status).toBe(200);
    slow.abort();
    for (let isFree = false; !isFree; ) {
      const answer = await get("/api/group");
      isFree = answer.status === 200;
      await answer.arrayBuffer();
    }
    for (let count = 0; count < 2; count++)
      expect((await (await get("/api/group")).arrayBuffer()).byteLength).toBeGreaterThan(12_000_000);
    expect(logged).toEqual([]);
  });
});

describe("answers of fetchHandler that are not read", () => {
  requirement("sizes.unsent", "count until they are, or are canceled", async () => {
    const { identity } = await createTestService({ maxUnsentBytes: 3_000_000 });
    for (const name of ["One", "Two"]) await identity.groups.create({ group: { name, data: { megabyte } } });
    const handler = fetchHandler(identity);
    const get = async (): Promise<Response> => {
      const response = await handler(new Request("http://localhost/api/group", { headers: { authorization: apiKey } }));
      if (response === undefined) throw new Error("The path is not the service's.");
      return response;
    };
    for (const finish of [(answer: Response) => answer.body?.cancel(), (answer: Response) => answer.text()]) {
      const unread = await get();
      expect([unread.status, (await get()).status]).toEqual([200, 503]);
      await finish(unread);
      expect(JSON.parse(await (await get()).text()).groups).toHaveLength(2);
    }
    await identity.close();
  });
});
