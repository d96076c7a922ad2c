import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, test } from "vitest";
import { exchange } from "./support/exchange.js";
import { hosts } from "./support/hosts.js";
import { apiKey, authorized, createTestService } from "./support/service.js";

describe.each(hosts)("$name", (host) => {
  test("holds two services with options of their own", async () => {
    const one = await createTestService({ names: { service: "One" }, maxBodyBytes: 500 });
    const two = await createTestService({ apiKey: "the-key-of-two", names: { service: "Two" }, storage: memoryStorage() });
    const mounts = [
      { identity: one.identity, basePath: "/one" },
      { identity: two.identity, basePath: "/two" },
    ];
    await using running = await host.start(mounts);
    const create = async (path: string, key: string, name: string, headers: Record<string, string> = {}): Promise<number> => {
      const body = { group: { name, data: { text: "x".repeat(400) } } };
      return (await exchange(running.port, { method: "POST", path, headers: { authorization: key, ...headers }, body })).status;
    };
    expect(await create("/one/api/group", apiKey, "In one")).toBe(200);
    expect(await create("/two/api/group", "the-key-of-two", "In two")).toBe(200);
    expect(await create("/two/api/group", apiKey, "With the key of the other")).toBe(401);
    expect(await create("/one/api/group", apiKey, "Too long for one".padEnd(100))).toBe(413);
    expect(await create("/two/api/group", "the-key-of-two", "Too long for one".padEnd(100))).toBe(200);
    expect(await create("/one/api/group", apiKey, "A", { "x-one-tenantid": "nonsense" })).toBe(400);
    expect(await create("/one/api/group", apiKey, "A", { "x-two-tenantid": "nonsense" })).toBe(200);
    expect((await one.identity.groups.search({})).total).toBe(2);
    expect((await two.identity.groups.search({})).total).toBe(2);
  });

  test("carries several cookies, each in a header of its own", async () => {
    const cookies = ["access_token=a.b.c; HttpOnly; Secure; SameSite=Lax", "refresh_token=r; Max-Age=0"];
    const response = { status: 200, headers: { "set-cookie": cookies, "cache-control": "no-store" }, body: "" };
    await using running = await host.start([{ identity: { handle: async () => response, paths: ["/api/*"] }, basePath: "" }]);
    const received = await exchange(running.port, { method: "POST", path: "/api/login", body: {} });
    expect([received.status, received.headers["set-cookie"], received.headers["cache-control"]]).toEqual([
      200,
      cookies,
      ["no-store"],
    ]);
  });

  test.each<[string, readonly string[], string | undefined, string]>([
    ["the socket's other end", [], undefined, "127.0.0.1"],
    ["the socket's other end, whatever is claimed", [], "203.0.113.9", "127.0.0.1"],
    ["what the trusted proxy saw", ["127.0.0.0/8"], "203.0.113.9", "203.0.113.9"],
    [
      "the right-most hop that is no trusted proxy",
      ["127.0.0.1", "10.0.0.0/8"],
      "198.51.100.1, 203.0.113.9, 10.1.2.3",
      "203.0.113.9",
    ],
    ["an address of the newer kind", ["127.0.0.1"], "2001:db8::7", "2001:db8::7"],
  ])("notes as the address of a caller %s", async (_what, trustedProxies, forwarded, address) => {
    const directory = await mkdtemp(join(tmpdir(), "latchkey-proxy-"));
    try {
      const open = (): ReturnType<typeof createTestService> =>
        createTestService({
          storage: sqliteStorage({ filename: join(directory, "identity.db") }),
          secret: "a secret of at least thirty-two characters",
          trustedProxies,
        });
      const { identity } = await open();
      {
        await using running = await host.start([{ identity, basePath: "" }]);
        const headers = forwarded === undefined ? authorized : { ...authorized, "x-forwarded-for": forwarded };
        expect((await exchange(running.port, { path: "/api/group", headers })).status).toBe(200);
      }
      // Uses are written in the background and, at the latest, when the service closes.
      await identity.close();
      const { identity: later } = await open();
      const keyId = (await later.findPrincipal(apiKey))?.keyId ?? "";
      expect((await later.apiKeys.retrieve({ keyId })).apiKey.lastUsedIPAddress).toBe(address);
      await later.close();
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
