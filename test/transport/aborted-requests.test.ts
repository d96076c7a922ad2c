import { adminConsole } from "latchkey/console";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { isLong, steps, strideOf } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { countWalk } from "../support/walk-counts.js";
import { consoleDoors, createOpenHouse, type Door, doors, type OpenHouse } from "./support/doors.js";
import { exchange } from "./support/exchange.js";
import { hosts, type RunningHost } from "./support/hosts.js";
import { RawConnection } from "./support/raw-connection.js";
import { apiKey, authorized } from "./support/service.js";

const post = "application/json";
const ofConsole = consoleDoors.map(({ method, path }) => ({ method, path: `/admin${path}` }));

/** The bytes of a request; the body is one that each kind of route begins to read. */
function write({ method, path }: Door): string {
  const isForm = /oauth2|samlv2|password|email|phone|registration/.test(path);
  const body = isForm ? "grant_type=password&token=a&loginId=b" : '{"loginId":"ada","password":"a"}';
  const type = isForm ? "application/x-www-form-urlencoded" : post;
  const head = [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", `authorization: ${apiKey}`, `content-type: ${type}`];
  return `${[...head, "x-console: 1", `content-length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;
}

/** Where a request is cut off: by default at a few bytes; in full at each byte of its body, which the hosts share, and in CI at a quarter of them. */
function cutsOf(request: string, share: number): readonly number[] {
  const start = request.indexOf("\r\n\r\n") + 4;
  // The head alone is Node's to read: one cut of it shows that.
  const few = [start - 3, start, start + 5, request.length];
  const ofBody = Array.from({ length: request.length - start }, (_, index) => start + index);
  return isLong ? [...few, ...ofBody.filter((cut) => (cut + share) % (hosts.length * strideOf([1, 4])) === 0)] : few;
}

const slowPaths = [
  "/api/login",
  "/oauth2/token",
  "/oauth2/introspect",
  "/oauth2/par",
  "/oauth2/register",
  "/samlv2/login/7ab98b7b-7b7b-4b7b-8b7b-7b7b7b7b7b7b",
  "/admin/api/user",
];

requirement(
  "wire.aborted-body",
  "a body that does not arrive ends with 408, of the API, protocols, pages and console",
  async () => {
    // Who calls the API of the console is said by the host, so that it reads the body.
    const house = await createOpenHouse({ bodyTimeoutMs: 20 });
    const admin = adminConsole(house.identity, { authorize: async () => ({ id: "a", name: "Ada", role: "support" }) });
    const node = hosts.find(({ name }) => name === "node");
    await using running = await node?.start([
      { identity: admin, basePath: "/admin" },
      { identity: house.identity, basePath: "" },
    ]);
    for (const path of slowPaths) {
      await using connection = await RawConnection.open(running?.port ?? 0);
      connection.write(write({ method: "POST", path }).slice(0, -3));
      expect([path, (await connection.readResponse()).status]).toEqual([path, 408]);
    }
  },
);

describe.each(hosts)("requests to $name that break off", (host) => {
  const start = hosts.indexOf(host);
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  let house: OpenHouse;
  let running: RunningHost;

  beforeAll(async () => {
    process.on("unhandledRejection", note);
    process.on("uncaughtExceptionMonitor", note);
    house = await createOpenHouse();
    running = await host.start([
      { identity: house.admin, basePath: "/admin" },
      { identity: house.identity, basePath: "" },
    ]);
  });

  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await house.identity.close();
    process.off("unhandledRejection", note);
    process.off("uncaughtExceptionMonitor", note);
  });

  requirement("wire.aborted-body", "end nothing else, and the next request is answered", async () => {
    const all = [...ofConsole, ...steps(doors, 24, start)];
    for (const [place, door] of all.entries()) {
      const request = write(door);
      const cuts = cutsOf(request, place + start);
      await Promise.all(cuts.map((cut) => cutOff(running.port, request.slice(0, cut))));
      countWalk("requests that break off, of each route on each adapter", cuts.length);
    }
    expect((await exchange(running.port, { path: "/api/group", headers: authorized })).status).toBe(200);
    expect(unhandled).toEqual([]);
  });
});

async function cutOff(port: number, bytes: string): Promise<void> {
  const connection = await RawConnection.open(port);
  connection.write(bytes);
  // The server has read what was written before it sees the end.
  await new Promise(setImmediate);
  connection.abort();
  await connection.closed();
}
