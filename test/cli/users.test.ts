import { once } from "node:events";
import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import { nodeHandler } from "latchkey/node";
import { sqliteStorage } from "latchkey/sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/eventually.js";
import { requirement } from "../support/requirement.js";
import { testCost } from "../support/world.js";
import { makeMigrated, runnerIn } from "./support.js";

const root = join(import.meta.dirname, "../..");
const apiKey = "a-key-that-moves-users-0123456789abc";
const applications = [{ name: "Shop", roles: [{ name: "editor" }] }];
const shop = { formatVersion: 1, applications, groups: [{ name: "Everybody" }] };

let directory: string;

beforeEach(async () => {
  await enterMigrated();
  return () => rm(directory, { recursive: true });
});

/** Makes a migrated database the one that the commands are about. */
async function enterMigrated(): Promise<void> {
  directory = await makeMigrated();
  await cp(join(root, "examples/moving"), directory, { recursive: true });
  await writeFile(join(directory, "shop.json"), JSON.stringify(shop));
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }));
}

const run = runnerIn(() => directory);

async function prepare(): Promise<void> {
  expect(await run(["apply", "shop.json"])).toMatchObject({ code: 0, said: "" });
}

async function openService(options: Partial<IdentityServiceOptions> = {}): Promise<IdentityService> {
  const secret = (await readFile(join(directory, "latchkey.db.secret"), "utf8")).trim();
  const storage = sqliteStorage({ filename: join(directory, "latchkey.db") });
  const identity = await createIdentityService({ storage, secret, delivery: false, passwordHashing: testCost, ...options });
  onTestFinished(() => identity.close());
  return identity;
}

async function serve(identity: IdentityService): Promise<string> {
  const server = createServer(nodeHandler(identity)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** A user of each system: all of them log in in users-sources.test.ts. */
const logins = [
  ["john@example.com", "hashcat"],
  ["admin", "admin"],
  ["user1@example.com", "user1password"],
] as const;

requirement(
  "cli.users-import",
  "exports of Auth0, Keycloak and Firebase move into a running service, and log in there",
  async () => {
    await prepare();
    const origin = await serve(await openService({ apiKey }));
    const move = (...args: string[]) =>
      run(["users", "import", ...args, "--map", "map.json", "--url", origin], { env: { LATCHKEY_API_KEY: apiKey } });
    const auth0 = await move("auth0-users.ndjson", "--from", "auth0", "--passwords", "auth0-passwords.ndjson");
    expect(auth0).toMatchObject({ code: 0, printed: "3 created, 0 updated, 0 skipped, 0 failed.\n" });
    expect(auth0.said).toMatch(/^Job [\da-f-]{36}\n$/);
    const keycloak = await move("keycloak-realm.json", "--from", "keycloak");
    expect(keycloak).toMatchObject({ code: 0, printed: "2 created, 0 updated, 0 skipped, 0 failed.\n" });
    expect(keycloak.said).toContain("2 users: the role or group offline_access did not come along.");
    const firebase = await move("firebase-users.json", "--from", "firebase", "--firebase-config", "firebase-config.txt");
    expect(firebase).toMatchObject({ code: 0, printed: "2 created, 0 updated, 0 skipped, 0 failed.\n" });
    expect(firebase.said).toContain("1 user: links to identity providers did not come along.");
    for (const [loginId, password] of logins) {
      const headers = { authorization: apiKey, "content-type": "application/json" };
      const body = JSON.stringify({ loginId, password });
      const { status } = await fetch(`${origin}/api/login`, { method: "POST", headers, body });
      expect([loginId, [200, 202].includes(status)]).toEqual([loginId, true]);
    }
    const found = await fetch(`${origin}/api/user/4c973896-5761-41fc-8217-07c5d13a004b`, { headers: { authorization: apiKey } });
    expect(await found.json()).toMatchObject({
      user: { username: "admin", registrations: [{ roles: ["editor"] }], memberships: [{}] },
    });
  },
);

requirement("cli.users-import", "a row that fails is named with its line, its reasons and itself", async () => {
  await prepare();
  const rows = [
    '{"email":"ada@example.com"}',
    "",
    '{"email":"no email"}',
    "{",
    '{"data":{}}',
    '{"username":"ada","email":"ada@example.com"}',
  ];
  await writeFile(join(directory, "users.ndjson"), rows.join("\n"));
  const moved = await run(["users", "import", "users.ndjson", "--errors", "failed.ndjson"]);
  expect(moved).toMatchObject({ code: 2, printed: "1 created, 0 updated, 0 skipped, 4 failed.\n" });
  const failed = lines(await readFile(join(directory, "failed.ndjson"), "utf8"));
  expect(failed).toMatchObject([
    { line: 3, errors: { fieldErrors: {} }, row: { email: "no email" } },
    { line: 4, errors: { generalErrors: [{ message: expect.stringContaining("The row is no JSON") }] } },
    { line: 5, row: { data: {} } },
    { line: 6, errors: { fieldErrors: {} }, row: { username: "ada" } },
  ]);
  expect((await stat(join(directory, "failed.ndjson"))).mode & 0o777).toBe(0o600);
  const [, job = ""] = /^Job (\S+)$/m.exec(moved.said) ?? [];
  const again = await run(["users", "import", "users.ndjson", "--resume", job, "--errors", "again.ndjson", "--json"]);
  expect(JSON.parse(again.printed)).toMatchObject({ job: { id: job, created: 1, failed: 2 }, refused: 2 });
  expect(lines(await readFile(join(directory, "again.ndjson"), "utf8"))).toEqual(failed);
});

requirement("cli.users-import", "two commands at once do not stand in each other's way", async () => {
  await prepare();
  const both = ["a@example.com", "b@example.com"].map((email) =>
    run(["users", "import", "-"], { input: JSON.stringify({ email }) }),
  );
  for (const ended of await Promise.all(both))
    expect(ended).toMatchObject({ code: 0, printed: expect.stringMatching(/^1 created/) });
});

test("a command that serves a database to itself leaves no server behind, which would keep its process", async () => {
  const countServers = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
  const before = countServers();
  expect(await run(["users", "export"])).toMatchObject({ code: 0 });
  await eventually(() => expect(countServers()).toBeLessThanOrEqual(before));
});

requirement("cli.users-import", "a dry run stores nobody, a second run nobody twice, and an update changes", async () => {
  await prepare();
  const move = (...args: string[]) =>
    run(["users", "import", "-", "--from", "csv", "--map", "map.json", ...args], { input: table });
  let table = "E-Mail,Name\nkim@example.com,Kim\n";
  expect((await move("--dry-run")).printed).toBe("1 created, 0 updated, 0 skipped, 0 failed.\n");
  expect((await move()).printed).toBe("1 created, 0 updated, 0 skipped, 0 failed.\n");
  expect(await move("--on-duplicate", "skip")).toMatchObject({
    code: 0,
    printed: "0 created, 0 updated, 1 skipped, 0 failed.\n",
  });
  table = "E-Mail,Name\nkim@example.com,Kim Possible\n";
  expect((await move("--on-duplicate", "update", "--events", "single")).printed).toBe(
    "0 created, 1 updated, 0 skipped, 0 failed.\n",
  );
  const identity = await openService();
  const { users } = await identity.users.search({ search: { queryString: "*" } });
  expect(users).toMatchObject([{ email: "kim@example.com", fullName: "Kim Possible" }]);
  expect((await identity.apiKeys.list()).apiKeys).toEqual([]);
});

requirement("cli.users-export", "an export comes back whole: with hashes where they were asked for", async () => {
  await prepare();
  await run(["users", "import", "users.csv", "--from", "csv", "--map", "map.json"]);
  const plain = await run(["users", "export"]);
  expect([plain.code, plain.said, lines(plain.printed)]).toMatchObject([0, "", [{ email: "kim@example.com" }]]);
  expect(plain.printed).not.toContain("$2a$");
  expect((await run(["users", "export", "--search", "email:nobody@example.com"])).printed).toBe("");
  const { printed } = await run(["users", "export", "--with-passwords"]);
  expect(printed).toContain("$2a$05$");
  await rm(directory, { recursive: true });
  await enterMigrated();
  await prepare();
  // Applications have other ids there.
  const rows = lines(printed).map(({ registrations: _registrations, tenantId: _tenant, ...row }) => JSON.stringify(row));
  expect((await run(["users", "import", "-"], { input: rows.join("\n") })).printed).toBe(
    "1 created, 0 updated, 0 skipped, 0 failed.\n",
  );
  const identity = await openService();
  await identity.logins.login({ loginId: "kim@example.com", password: "hashcat" });
});

const refusals: readonly (readonly [args: readonly string[], said: RegExp | string])[] = [
  [["users"], "Say what to do with users: import or export.\n"],
  [["users", "import"], "Name one file, or - for standard input.\n"],
  [["users", "import", "missing.ndjson"], "The file missing.ndjson cannot be read.\n"],
  [["users", "import", "broken.json", "--from", "keycloak"], /^The file is no JSON after row 1/],
  [["users", "import", "users.csv", "--errors", "missing/failed.ndjson"], "The file missing/failed.ndjson cannot be written.\n"],
  [["users", "import", "users.csv", "--from", "okta"], /^--from takes latchkey, auth0/],
  [["users", "import", "users.csv", "--application", "Nothing"], "There is no application Nothing.\n"],
  [["users", "import", "users.csv", "--url", "ftp://x", "--api-key", "x"], /^--url takes the root of a service/],
  [["users", "import", "users.csv", "--url", "http://127.0.0.1:1"], /^An API key is missing/],
  [
    ["users", "import", "users.csv", "--url", "http://127.0.0.1:1", "--api-key", "x", "--tenant", "x"],
    /^http:\/\/127\.0\.0\.1:1 does not answer/,
  ],
  [
    ["users", "import", "firebase-users.json", "--from", "firebase", "--firebase-config", "map.json"],
    /^The file of --firebase-config/,
  ],
];

test("what cannot be is refused with a reason", async () => {
  await prepare();
  await writeFile(join(directory, "broken.json"), '{"users":[{"username":"ada"},');
  for (const [args, said] of refusals) {
    const ended = await run(args);
    expect([args, ended.code, ended.printed]).toEqual([args, 1, ""]);
    expect(ended.said).toMatch(said);
  }
});
