import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exchange, type Received } from "../transport/support/exchange.js";
import { RawConnection } from "../transport/support/raw-connection.js";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";

let stage: Stage;
let directory: string;
let databaseUrl: string;

beforeAll(async () => {
  stage = await createStage();
}, 60_000);

afterAll(() => stage[Symbol.asyncDispose]());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "latchkey-lifecycle-"));
  databaseUrl = `sqlite:${join(directory, "identity.db")}`;
});

afterEach(() => rm(directory, { recursive: true }));

const keyLines = (printed: readonly string[]): readonly string[] => printed.filter((line) => line.includes("lk_"));

describe("the first start", () => {
  test("makes an API key and prints it once, ever", async () => {
    let key: string;
    {
      await using server = await startServer(stage.directory, { DATABASE_URL: databaseUrl });
      const lines = keyLines(server.printed);
      expect(lines).toHaveLength(1);
      key = /lk_\S+/.exec(lines[0] ?? "")?.[0] ?? "";
      expect((await exchange(server.port, { path: "/api/tenant", headers: { authorization: key } })).status).toBe(200);
      expect(await server.stop()).toBe(0);
    }
    await using again = await startServer(stage.directory, { DATABASE_URL: databaseUrl });
    expect(keyLines(again.printed)).toEqual([]);
    expect((await exchange(again.port, { path: "/api/tenant", headers: { authorization: key } })).status).toBe(200);
    expect(await readFile(join(directory, "identity.db"), "latin1")).not.toContain(key);
  });

  test("takes another secret, seals anew what the one before sealed, and needs that no more", async () => {
    const [first, second] = [
      "the first secret of this test, long enough",
      "the second secret of this test, long enough",
    ] as const;
    const env = { DATABASE_URL: databaseUrl, LATCHKEY_API_KEY: "the-key-of-the-life-cycle-0123456789" };
    const headers = { authorization: env.LATCHKEY_API_KEY };
    const path = "/api/api-key/00000000-0000-4000-8000-000000000001";
    {
      await using server = await startServer(stage.directory, { ...env, LATCHKEY_SECRET: first });
      const body = { apiKey: { key: "a-retrievable-key-value", retrievable: true } };
      expect((await exchange(server.port, { method: "POST", path, headers, body })).status).toBe(200);
      await server.stop();
    }
    {
      const both = { LATCHKEY_SECRET: second, LATCHKEY_PREVIOUS_SECRETS: JSON.stringify([first]) };
      await using server = await startServer(stage.directory, { ...env, ...both });
      expect(server.printed.join("\n")).toMatch(/secrets sealed anew: [1-9]\d*; still sealed with a previous one: 0/);
      await server.stop();
    }
    await using server = await startServer(stage.directory, { ...env, LATCHKEY_SECRET: second });
    expect(JSON.parse((await exchange(server.port, { path, headers })).body).apiKey.key).toBe("a-retrievable-key-value");
  });

  test("makes a secret that its owner alone can read, and keeps it", async () => {
    const file = join(directory, "identity.db.secret");
    const env = { DATABASE_URL: databaseUrl, LATCHKEY_API_KEY: "the-key-of-the-life-cycle-0123456789" };
    const authorization = { authorization: env.LATCHKEY_API_KEY };
    let keyId: string;
    {
      await using server = await startServer(stage.directory, env);
      expect(keyLines(server.printed)).toEqual([]);
      const body = { apiKey: { key: "a-retrievable-key-value", retrievable: true } };
      const created = await exchange(server.port, { method: "POST", path: "/api/api-key", headers: authorization, body });
      keyId = JSON.parse(created.body).apiKey.id;
      await server.stop();
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const secret = await readFile(file, "utf8");
    expect(secret.length).toBeGreaterThanOrEqual(32);
    await using again = await startServer(stage.directory, env);
    // Only the same secret opens what was sealed.
    const read = await exchange(again.port, { path: `/api/api-key/${keyId}`, headers: authorization });
    expect(JSON.parse(read.body).apiKey.key).toBe("a-retrievable-key-value");
    expect(await readFile(file, "utf8")).toBe(secret);
  });

  test.each([
    [{ DATABASE_URL: "mysql://user:hunter2@host/db" }, "DATABASE_URL"],
    [{ DATABASE_URL: "memory:", LATCHKEY_FRAMEWORK: "other" }, "LATCHKEY_FRAMEWORK"],
    [{ DATABASE_URL: "memory:", LATCHKEY_VERSION: "nonsense" }, "version"],
    [{ DATABASE_URL: "memory:", LATCHKEY_KICKSTART: "/nowhere.json" }, "kickstart"],
  ])("says what is wrong with %o", async (env, word) => {
    const started = startServer(stage.directory, env);
    await expect(started).rejects.toThrow(word);
    await expect(started).rejects.not.toThrow("hunter2");
  });
});

describe("a kickstart of 3 tenants, 4 applications, 40 groups and 500 users", () => {
  const apiKey = "the-key-of-the-kickstart-0123456789";
  const authorization = { authorization: apiKey };
  const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
  const tenant = (index: number): string => `#{tenant${index % 3}}`;

  const kickstart = {
    variables: { tenant0: "#{UUID()}", tenant1: "#{UUID()}", tenant2: "#{UUID()}" },
    apiKeys: [{ key: apiKey, description: "Everything" }],
    requests: [
      ...range(3).map((index) => ({
        method: "POST",
        url: `/api/tenant/${tenant(index)}`,
        body: { tenant: { name: `Tenant ${index}` } },
      })),
      ...range(4).map((index) =>
        toRequest("/api/application", index, { application: { name: `App ${index}`, roles: [{ name: "admin" }] } }),
      ),
      ...range(40).map((index) => toRequest("/api/group", index, { group: { name: `Group ${index}` } })),
      ...range(500).map((index) =>
        toRequest("/api/user", index, { user: { email: `user${index}@example.com`, data: { index } } }),
      ),
    ],
  };

  function toRequest(url: string, index: number, body: object): object {
    return { method: "POST", url, tenantId: tenant(index), body };
  }

  async function countAll(port: number): Promise<Readonly<Record<string, number>>> {
    const paths = { tenants: "tenant", applications: "application", groups: "group", users: "user" };
    const totals = Object.entries(paths).map(async ([plural, path]) => {
      const query = path === "user" ? "queryString=*&numberOfResults=0" : "numberOfResults=0";
      return [
        plural,
        JSON.parse((await exchange(port, { path: `/api/${path}/search?${query}`, headers: authorization })).body).total,
      ];
    });
    return Object.fromEntries(await Promise.all(totals));
  }

  test.each(["memory:", "sqlite:"])("is run at the first start and never again (%s)", async (storage) => {
    const file = join(directory, "kickstart.json");
    await writeFile(file, JSON.stringify(kickstart));
    const env = { DATABASE_URL: storage === "sqlite:" ? databaseUrl : storage, LATCHKEY_KICKSTART: file };
    {
      await using server = await startServer(stage.directory, env);
      expect(await countAll(server.port)).toEqual({ tenants: 4, applications: 4, groups: 40, users: 500 });
      expect(server.complaints()).toBe("");
      const { groups } = JSON.parse((await exchange(server.port, { path: "/api/group", headers: authorization })).body);
      await exchange(server.port, { method: "DELETE", path: `/api/group/${groups[0].id}`, headers: authorization });
      expect(await server.stop()).toBe(0);
    }
    if (storage === "memory:") return;
    await using again = await startServer(stage.directory, env);
    expect(await countAll(again.port)).toEqual({ tenants: 4, applications: 4, groups: 39, users: 500 });
    expect(again.complaints()).toBe("");
  });
});

describe.each(["express", "fastify", "koa", "node"])("SIGTERM to %s", (framework) => {
  test("lets requests under way finish, takes no others, and ends with 0", async () => {
    const env = {
      DATABASE_URL: databaseUrl,
      LATCHKEY_FRAMEWORK: framework,
      LATCHKEY_API_KEY: "the-key-of-the-end-0123456789abcd",
    };
    const authorization = { authorization: env.LATCHKEY_API_KEY };
    const body = JSON.stringify({ group: { name: "Made at the last moment" } });
    {
      await using server = await startServer(stage.directory, env);
      await using idle = await RawConnection.open(server.port);
      idle.writeHead("GET /api/group HTTP/1.1");
      expect((await idle.readResponse()).status).toBe(401);
      await using busy = await RawConnection.open(server.port);
      const head = [`authorization: ${env.LATCHKEY_API_KEY}`, "content-type: application/json", `content-length: ${body.length}`];
      busy.writeHead("POST /api/group HTTP/1.1", ...head, "expect: 100-continue");
      expect((await busy.readResponse()).status).toBe(100);
      // Nobody waits for what these never send.
      await using silent = await RawConnection.open(server.port);
      await using half = await RawConnection.open(server.port);
      half.write("GET /api/group HTTP/1.1\r\nhost: loc");
      const ended = server.stop();
      await idle.closed();
      await refusesConnections(server.port);
      busy.write(body);
      const answer = await busy.readResponse();
      expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
      await Promise.all([silent.closed(), half.closed()]);
      expect(await ended).toBe(0);
      expect(server.complaints()).toBe("");
    }
    await using again = await startServer(stage.directory, env);
    const found: Received = await exchange(again.port, { path: "/api/group/search?name=last", headers: authorization });
    expect(JSON.parse(found.body).total).toBe(1);
  }, 20_000);
});

async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (!isOpen) return;
  }
}
