import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { expect, onTestFinished, test } from "vitest";
import type { CommandCall } from "../../adapters/cli/command/command.js";
import { type ImportPlan, readPlan } from "../../adapters/cli/users/import-plan.js";
import { JobApi } from "../../adapters/cli/users/job-api.js";
import { type ReadRow, readRows } from "../../adapters/cli/users/read-rows.js";
import { toUuid } from "../../adapters/cli/users/source.js";
import { toImportRow } from "../../adapters/cli/users/to-import-row.js";
import { requirement } from "../support/requirement.js";
import { testCost } from "../support/world.js";
import { makeTerminal } from "./support.js";

const folder = join(import.meta.dirname, "../../examples/moving");
const apiKey = "a-key-that-moves-users-0123456789abc";
const applicationId = "2d1f5c9e-1f5c-4c1e-9c1f-5c9e1f5c4c1e";

const rowsOf = async (text: string, path?: string, size = 7): Promise<ReadRow[]> => {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return collect(readRows(Readable.from(chunks), path));
};

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("lines, lists, objects and tables are read a row at a time, in chunks of any size", async () => {
  const ada = { line: 1, row: { name: "Adä" } };
  expect(await rowsOf('\uFEFF{"name":"Adä"}\r\n\n{"name":', undefined)).toEqual([
    ada,
    { line: 3, error: expect.stringContaining("The row is no JSON: ") },
  ]);
  expect(await rowsOf(' [{"name":"Adä"}, 7]')).toEqual([ada, { line: 2, error: "The row is no JSON object." }]);
  expect(await rowsOf('{"a":[1],"users":[{"name":"Adä"}],"b":{"users":[1]}}', "$.users.*")).toEqual([ada]);
  expect(await rowsOf('id,name\n1,"A, ""B""\nC"\n')).toEqual([{ line: 1, row: { id: "1", name: 'A, "B"\nC' } }]);
  expect(await rowsOf(" \n")).toEqual([]);
  await expect(rowsOf('[{"a":1},}')).rejects.toThrow("The file is no JSON after row 1");
  await expect(rowsOf("a,b\n1,2\n3\n")).rejects.toThrow("The file is no CSV table: ");
});

test("a row of any length does not fill the memory", async () => {
  const long = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('{"a":1}\n{"b":"');
    for (let index = 0; index < 200; index++) yield Buffer.alloc(65_536, "x");
    yield Buffer.from('"}\n{"c":1}');
  };
  expect(await collect(readRows(Readable.from(long())))).toEqual([
    { line: 1, row: { a: 1 } },
    { line: 2, error: "The row is longer than 4194304 bytes." },
    { line: 3, row: { c: 1 } },
  ]);
});

test("an id is that of the other system, or stays the same", () => {
  expect(toUuid("auth0", "6C1F5C9E-1F5C-4C1E-9C1F-5C9E1F5C4C1E")).toBe("6c1f5c9e-1f5c-4c1e-9c1f-5c9e1f5c4c1e");
  expect(toUuid("auth0", "auth0|1")).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(toUuid("auth0", "auth0|1")).toBe(toUuid("auth0", "auth0|1"));
  expect(toUuid("auth0", "auth0|1")).not.toBe(toUuid("firebase", "auth0|1"));
});

async function startShop(): Promise<{ readonly identity: IdentityService; readonly api: JobApi }> {
  const cognito = { verify: (password: string, username: string) => password === `of ${username}` };
  const identity = await createIdentityService({
    storage: memoryStorage(),
    apiKey,
    passwordSchemes: { cognito },
    passwordHashing: testCost,
  });
  const server = createServer(nodeHandler(identity)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await identity.close();
  });
  await identity.applications.create({ applicationId, application: { name: "Shop", roles: [{ name: "editor" }] } });
  await identity.groups.create({ group: { name: "Everybody" } });
  const address = server.address();
  return { identity, api: new JobApi(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, apiKey) };
}

async function planOf(
  api: JobApi,
  from: string,
  file: string,
  given: Readonly<Record<string, string>> = {},
): Promise<ImportPlan> {
  const texts: Readonly<Record<string, string>> = { from, map: join(folder, "map.json"), ...given };
  const call: Pick<CommandCall, "flag" | "list" | "positionals" | "terminal" | "text"> = {
    terminal: makeTerminal(),
    positionals: ["import", join(folder, file)],
    text: (name) => texts[name],
    flag: () => false,
    list: (name) => (name === "application" ? ["Shop"] : undefined),
  };
  return readPlan(call, api);
}

/** What the examples of each system hold: login ids with passwords and roles, and how many losses. */
const moves: readonly (readonly [
  from: string,
  file: string,
  given: Readonly<Record<string, string>>,
  logins: readonly (readonly [loginId: string, password: string, roles: readonly string[]])[],
  losses: number,
])[] = [
  [
    "auth0",
    "auth0-users.ndjson",
    { passwords: join(folder, "auth0-passwords.ndjson") },
    [
      ["john@example.com", "hashcat", ["editor"]],
      ["jane@example.com", "test", []],
      ["old@example.com", "shh", []],
    ],
    0,
  ],
  [
    "keycloak",
    "keycloak-realm.json",
    {},
    [
      ["admin", "admin", ["editor"]],
      ["user@localhost.example", "user", []],
    ],
    8,
  ],
  [
    "firebase",
    "firebase-users.json",
    { "firebase-config": join(folder, "firebase-config.txt") },
    [["user1@example.com", "user1password", ["editor"]]],
    1,
  ],
  [
    "supabase",
    "supabase-users.csv",
    {},
    [
      ["mara@example.com", "test", []],
      ["fire@example.com", "mytestpassword", []],
    ],
    0,
  ],
  ["cognito", "cognito-users.json", { "password-scheme": "cognito" }, [["grace@example.com", "of grace", []]], 0],
  ["django", "django-users.json", {}, [["ann@example.com", "not a password", ["editor"]]], 1],
  [
    "aspnet",
    "aspnet-users.csv",
    {},
    [
      ["two@example.com", "my password", ["editor"]],
      ["three", "my password", []],
    ],
    1,
  ],
  ["wordpress", "wordpress-users.json", {}, [["wordpress-user", "hashcat", ["editor"]]], 0],
  ["csv", "users.csv", {}, [["kim@example.com", "hashcat", ["editor"]]], 0],
];

for (const [from, file, given, logins, losses] of moves)
  requirement("cli.users-sources", `users of ${from} log in with the passwords that they have`, async () => {
    const { api, identity } = await startShop();
    const plan = await planOf(api, from, file, given);
    const read = await collect(readRows(createReadStream(plan.file), plan.source.path));
    const moved = read.flatMap((one) => ("row" in one ? (plan.source.map(one.row, plan.mapping) ?? []) : []));
    const rows = moved.map((user) => toImportRow(user, plan));
    expect(rows.flatMap((row) => row.losses)).toHaveLength(losses);
    expect(rows.filter(({ row }) => typeof row === "string")).toEqual([]);
    await identity.bulkUsers.import({ users: rows.map(({ row }) => row as object) });
    for (const [loginId, password, roles] of logins) {
      const login = await identity.logins.login({ loginId, password, applicationId });
      expect([loginId, JSON.stringify(login)]).toEqual([loginId, expect.stringContaining(`"roles":${JSON.stringify(roles)}`)]);
    }
  });

test("of ASP.NET, a name that repeats the address and a lockout that is over do not come along", async () => {
  const { mapping, source } = await planOf((await startShop()).api, "aspnet", "aspnet-users.csv");
  const read = (row: object): object => {
    const { active, username } = source.map({ Id: "1", Email: "ann@example.com", ...row }, mapping)?.fields ?? {};
    return { active, username };
  };
  expect(read({ UserName: "Ann@Example.com" })).toEqual({ active: true });
  expect(read({ UserName: "ann", LockoutEnd: "2001-01-01T00:00:00Z" })).toEqual({ active: true, username: "ann" });
  const locked = { UserName: "ann", LockoutEnd: "2999-01-01T00:00:00Z" };
  expect(read({ ...locked, LockoutEnabled: "1" })).toEqual({ active: false, username: "ann" });
  expect(read({ ...locked, LockoutEnabled: "0" })).toEqual({ active: true, username: "ann" });
});

test("what the examples say of a user comes along", async () => {
  const plan = await planOf((await startShop()).api, "auth0", "auth0-users.ndjson");
  const [first] = await collect(readRows(createReadStream(plan.file)));
  const moved = first !== undefined && "row" in first ? plan.source.map(first.row, plan.mapping) : undefined;
  expect(moved && toImportRow(moved, plan).row).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    active: true,
    email: "john@example.com",
    username: "johndoe",
    firstName: "John",
    lastName: "Doe",
    fullName: "John Doe",
    mobilePhone: "+1234567890",
    preferredLanguages: ["en_US"],
    verified: true,
    insertInstant: 1_614_962_116_775,
    lastLoginInstant: 1_617_271_200_000,
    registrations: [{ applicationId, roles: ["editor"] }],
    data: {
      auth0: { id: "auth0|60425dc43519d90068f82973", userMetadata: { color: "blue" }, appMetadata: { roles: ["editor"] } },
    },
  });
});

test("codes of apps go on in Keycloak's and Auth0's words, and other factors are counted", async () => {
  const { api, identity } = await startShop();
  const { mapping, source } = await planOf(api, "keycloak", "keycloak-realm.json");
  const otp = (digits: number, value: string, secretEncoding?: string): object => ({
    type: "otp",
    userLabel: "Phone",
    secretData: JSON.stringify({ value }),
    credentialData: JSON.stringify({ subType: "totp", digits, period: 30, counter: 0, algorithm: "HmacSHA1", secretEncoding }),
  });
  // Examples of RFC 4648 and RFC 6238: the same key as a text and in Base32.
  const [text, base32] = ["12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"];
  const credentials = [otp(6, text), otp(6, base32, "BASE32"), otp(8, text)];
  const moved = source.map({ username: "ada", credentials }, mapping);
  const secretBase64Encoded = Buffer.from(text).toString("base64");
  const methods = [
    { method: "authenticator", secret: text, name: "Phone" },
    { method: "authenticator", secretBase64Encoded, name: "Phone" },
  ];
  expect(moved).toMatchObject({ fields: { twoFactor: { methods } }, losses: ["second factors"] });
  const auth0 = await planOf(api, "auth0", "auth0-users.ndjson");
  const factors = [
    { totp: { secret: base32 } },
    { phone: { value: "+15551112233" } },
    { email: { value: "ada@example.net" } },
    { totp: { secret: "JTF18P5973P1KCZN" } },
  ];
  const other = auth0.source.map({ user_id: "auth0|1", email: "ada@example.com", mfa_factors: factors }, auth0.mapping);
  expect(other).toMatchObject({
    fields: { twoFactor: { methods: [{ secretBase64Encoded }, { mobilePhone: "+15551112233" }, { email: "ada@example.net" }] } },
    losses: ["second factors"],
  });
  const users = [moved, other].flatMap((user) => (user === undefined ? [] : [toImportRow(user, auth0).row as object]));
  await identity.bulkUsers.import({ users });
});
