import { Agent } from "node:http";
import type { ApiRequest } from "latchkey/ports";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { countWalk } from "../support/walk-counts.js";
import { consoleDoors, createOpenHouse, type Door, doors, type OpenHouse } from "./support/doors.js";
import { exchange } from "./support/exchange.js";
import { hosts, type RunningHost } from "./support/hosts.js";

const mounts = [
  { basePath: "", prefix: "" },
  { basePath: "/identity", prefix: "/identity" },
  { basePath: "/:organization/identity", prefix: "/acme/identity" },
];
const combinations = hosts.flatMap((host) => mounts.map((mount) => ({ name: host.name, host, ...mount })));

/** What a host of `support/hosts.ts` answers for a path that is nobody's. */
const notFound = "no such page";

describe.each(steps(combinations, 2))("$name, mounted at '$basePath'", ({ host, basePath, prefix }) => {
  const start = combinations.findIndex((one) => one.host === host && one.basePath === basePath);
  let house: OpenHouse;
  let running: RunningHost;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  beforeAll(async () => {
    house = await createOpenHouse({ publicUrl: `http://127.0.0.1${prefix}` });
    running = await host.start([
      { identity: house.admin, basePath: `${basePath}/admin` },
      { identity: house.identity, basePath },
    ]);
  });

  afterAll(async () => {
    agent.destroy();
    await running[Symbol.asyncDispose]();
    await house.identity.close();
  });

  const isShut = async ({ method, path }: Door): Promise<boolean> => {
    const { body, status } = await exchange(running.port, { method, path: prefix + path, agent });
    return status === 404 && body === notFound;
  };

  requirement("doors.paths", "answers every route, page and path of a protocol", async () => {
    const all = [...doors, ...consoleDoors.map(({ method, path }) => ({ method, path: `/admin${path}` }))];
    const shut: string[] = [];
    const visited = steps(all, 8, start);
    for (const door of visited) if (await isShut(door)) shut.push(`${door.method} ${door.path}`);
    countWalk("doors: routes, pages and paths of protocols on each adapter and mount", visited.length);
    expect(shut).toEqual([]);
  });

  requirement("doors.paths", "takes the forms of the endpoints that people see", async () => {
    const { tenants } = await house.identity.tenants.search();
    const [tenant] = tenants;
    const name = `${host.name} ${basePath}`;
    const { application } = await house.identity.applications.create({ application: { name } }, { tenantId: tenant?.id });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = `client_id=${application.id}`;
    for (const path of ["/oauth2/authorize", "/oauth2/logout", `/${tenant?.id}/oauth2/logout`]) {
      const answer = await exchange(running.port, { method: "POST", path: prefix + path, headers, body, agent });
      expect([path, answer.status, answer.headers.location]).toEqual([path, 303, [`${prefix}${path}?${body}`]]);
    }
  });

  requirement("doors.paths", "leaves all other paths to the host", async () => {
    const others = [
      "/",
      "/api",
      "/samlv2",
      "/email",
      "/password",
      "/email/other",
      "/.well-known/security.txt",
      "/oauth2/nothing",
    ];
    for (const path of [...others, "/no-tenant/oauth2/token", "/api/nothing"])
      expect([path, await isShut({ method: "GET", path })]).toEqual([path, true]);
  });

  requirement("doors.targets", "reads a request target in absolute form, whose host counts", async () => {
    const seen: ApiRequest[] = [];
    const handle = async (request: ApiRequest) => {
      seen.push(request);
      return { status: 200, headers: {}, body: "" };
    };
    await using recorder = await host.start([{ identity: { handle, paths: ["/api/*"] }, basePath }]);
    const path = `http://other.example:81${prefix}/api/status?a=/b`;
    expect((await exchange(recorder.port, { path })).status).toBe(200);
    const expected = { path: "/api/status", query: "a=/b", basePath: prefix };
    expect(seen).toEqual([expect.objectContaining(expected)]);
    // In a `Request`, the runtime has read the target.
    if (host.name !== "fetch") expect(seen[0]?.headers.host).toBe("other.example:81");
  });
});
