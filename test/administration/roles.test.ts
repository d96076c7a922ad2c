import { generateKeyPairSync } from "node:crypto";
import { createIdentityService, type IdentityService } from "latchkey";
import { type ConsoleRole, consoleApplicationId } from "latchkey/console";
import { memoryStorage } from "latchkey/memory";
import { beforeAll, expect, test } from "vitest";
import { plantings } from "../support/planted-secrets.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { uuid } from "../support/world.js";
import { type ConsoleClient, createConsoleClient, password, setUpFirst, toClient } from "./support/console-client.js";

const apiKey = "a-key-of-the-test-0123456789abcdef";

/** Browsers of persons with each role, and of nobody. */
interface Persons extends Readonly<Record<ConsoleRole, ConsoleClient>> {
  readonly nobody: ConsoleClient;
  readonly identity: IdentityService;
}

let persons: Persons;

beforeAll(async () => {
  const full = await createConsoleClient();
  expect((await setUpFirst(full)).status).toBe(200);
  const { identity } = full;
  const signedIn = async (role: ConsoleRole): Promise<ConsoleClient> => {
    const email = `${role}@example.com`;
    const registration = { applicationId: consoleApplicationId, roles: [role] };
    await identity.registrations.create({ user: { email, password }, registration });
    const client = toClient(identity, full.console, "/admin");
    expect((await client.send("POST", "/session", { body: { loginId: email, password } })).status).toBe(200);
    return client;
  };
  const nobody = toClient(identity, full.console, "/admin");
  persons = { full, support: await signedIn("support"), "read-only": await signedIn("read-only"), nobody, identity };
});

/** The routes below the mount point: method and path, with an id that nothing has. */
function listCalls(
  identity: IdentityService,
): readonly { readonly method: string; readonly endpoint: string; readonly path: string; readonly access: string }[] {
  return identity.endpoints
    .filter(({ path }) => path.startsWith("/api/"))
    .map(({ access, endpoint, method, path }) => ({ access, endpoint, method, path: path.replace(/:\w+/g, uuid(999)) }));
}

/** Whether a response says that the caller may not. */
const isRefused = ({ body, status }: { readonly body: string; readonly status: number }): boolean =>
  status === 403 && /\[(?:forbidden|administrators|confirmation_required)\]/.test(body);

/** What support may do that others may not, all of it: a change of the role changes this list. */
const helpOfSupport = [
  "DELETE /api/jwt/refresh",
  "DELETE /api/user/action",
  "DELETE /api/user/two-factor",
  "DELETE /api/webauthn",
  "POST /api/identity/verify",
  "POST /api/identity/verify/send",
  "POST /api/system/audit-log",
  "POST /api/user/action",
  "POST /api/user/change-password",
  "POST /api/user/comment",
  "POST /api/user/forgot-password",
  "POST /api/user/verify-email",
  "POST /api/user/verify-registration",
  "PUT /api/user/action",
  "PUT /api/user/verify-email",
  "PUT /api/user/verify-registration",
];

const isRead = (method: string, endpoint: string): boolean =>
  method === "GET" || /\/search$|\/preview$|^\/api\/form\/(?:describe|validate)$/.test(endpoint);

requirement("console.roles", "each role may call what it is for, of all routes", async () => {
  const allowed: Record<string, Set<string>> = { full: new Set(), support: new Set(), "read-only": new Set() };
  const calls = steps(listCalls(persons.identity), 6);
  for (const role of ["read-only", "support", "full"] as const)
    for (const { access, endpoint, method, path } of calls) {
      if (access === "public") continue;
      const response = await persons[role].send(method, path, { ...(method !== "GET" && { body: {} }) });
      if (!isRefused(response)) allowed[role]?.add(`${method} ${endpoint}`);
    }
  const all = new Set(
    calls.filter(({ access }) => !["public", "token"].includes(access)).map(({ endpoint, method }) => `${method} ${endpoint}`),
  );
  expect([...all].filter((call) => !allowed.full?.has(call))).toEqual([]);
  const [readOnly = new Set<string>(), support = new Set<string>()] = [allowed["read-only"], allowed.support];
  expect([...readOnly].filter((call) => !isRead(call.split(" ")[0] ?? "", call.split(" ")[1] ?? ""))).toEqual([]);
  expect([...readOnly].filter((call) => !support.has(call))).toEqual([]);
  expect([...support].filter((call) => !readOnly.has(call)).toSorted()).toEqual(helpOfSupport.filter((call) => all.has(call)));
});

requirement("console.roles", "nothing that a role below full reads holds a secret", async () => {
  const { full, identity } = persons;
  for (const [, method, path, body] of plantings) await full.send(method, path, { body });
  const read: string[] = [];
  for (const role of ["read-only", "support"] as const)
    for (const { endpoint, method, path } of steps(listCalls(identity), 6, 1)) {
      if (!isRead(method, endpoint)) continue;
      const paths = [
        path,
        path.replace(/\/[\da-f-]{36}/g, ""),
        ...plantings.map(([, , planted]) => planted.replace("/import", "")),
      ];
      for (const one of method === "GET" ? new Set(paths) : [path])
        read.push((await persons[role].send(method, one, method === "GET" ? {} : { body: { search: {} } })).body);
    }
  expect(read.join("\n")).not.toMatch(/canary-/);
  expect(read.length).toBeGreaterThan(200);
});

requirement("console.roles", "a role below full reads an application without the secret of its client", async () => {
  const { full, support } = persons;
  const application = { name: "Shop of the test", oauthConfiguration: { clientSecret: "a-secret-of-the-client" } };
  const path = `/api/application/${uuid(77)}`;
  expect((await full.send("POST", path, { body: { application } })).status).toBe(200);
  expect((await full.send("GET", path)).body).toContain("a-secret-of-the-client");
  const reads = [
    support.send("GET", path),
    support.send("GET", "/api/application"),
    support.send("GET", "/api/application/search"),
  ];
  for (const { body, status } of await Promise.all(reads)) {
    expect([status, body.includes("a-secret-of-the-client")]).toEqual([200, false]);
    expect(body).toContain("Shop of the test");
  }
  const logs = await support.send("GET", "/api/system/audit-log/search?numberOfResults=100");
  expect(logs.body).toContain("Shop of the test");
  expect(logs.body).not.toContain("a-secret-of-the-client");
});

requirement("console.administrators", "support removes passkeys of users, and none of an administrator", async () => {
  const { identity, support } = persons;
  const { user: administrator } = await identity.users.find({ email: "ann@example.com" });
  const { user } = await identity.users.create({ user: { email: "passkeys@example.com" } });
  const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" });
  const removed: number[] = [];
  for (const { id: userId } of [administrator, user]) {
    const passkey = { algorithm: "ES256" as const, credentialId: userId.replaceAll("-", ""), publicKey: String(publicKey) };
    await identity.passkeys.import({ credentials: [{ ...passkey, relyingPartyId: "example.com", userId }] });
    const { credentials } = await identity.passkeys.list({ userId });
    removed.push((await support.send("DELETE", `/api/webauthn/${credentials[0]?.id}`)).status);
  }
  expect(removed).toEqual([403, 200]);
});

requirement("console.administrators", "support changes nothing of administrators, however it names them", async () => {
  const { identity, support } = persons;
  const { user } = await identity.users.find({ email: "ann@example.com" });
  const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["POST", "/api/user/forgot-password", { loginId: "ann@example.com" }],
    ["POST", "/api/user/forgot-password", { loginId: "ANN@example.com" }],
    ["POST", "/api/user/change-password", { loginId: "ann@example.com", password }],
    ["PUT", "/api/user/verify-email?email=ann@example.com"],
    ["PUT", "/api/user/verify-email?email=ann%40example.com"],
    ["DELETE", `/api/jwt/refresh?userId=${user.id}`],
    ["DELETE", `/api/jwt/refresh?applicationId=${consoleApplicationId}`],
    ["DELETE", `/api/user/two-factor/${user.id}?methodId=x&code=1`],
    ["DELETE", `/api/user/two-factor/${user.id.toUpperCase()}`],
    ["DELETE", `/api/user/two-factor/${user.id.replace("0", "%30")}`],
    ["POST", "/api/user/action", { action: { actioneeUserId: user.id } }],
    ["POST", "/api/user/comment", { userComment: { userId: user.id, comment: "x" } }],
  ];
  for (const [method, path, body] of calls)
    expect([path, isRefused(await support.send(method, path, { body: body && JSON.stringify(body) }))]).toEqual([path, true]);
  await identity.users.patch({ userId: user.id, patch: { user: { phoneNumber: "+1 555 0177" } } });
  const escaped = (text: string): string =>
    text.replace(/./g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const decoys = Array.from({ length: 30 }, (_, index) => ({ loginId: `nobody${index}` }));
  const texts = [
    `{"${escaped("loginId")}":"ann@example.com"}`,
    `{"loginId":"${escaped("ann@example.com")}"}`,
    '{"loginId":"+15550177","loginIdTypes":["phoneNumber"]}',
    JSON.stringify({ decoys, loginId: "ann@example.com" }),
    `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
  ];
  for (const body of texts)
    expect([body, isRefused(await support.send("POST", "/api/user/forgot-password", { body }))]).toEqual([body, true]);
  await identity.users.create({ userId: uuid(77), user: { email: "cat@example.com" } });
  const help = await support.send("POST", "/api/user/forgot-password", {
    body: { loginId: "cat@example.com", sendForgotPasswordEmail: false },
  });
  expect(help.status).toBe(200);
});

test("a read that names an administrator is no change", async () => {
  const { identity, support } = persons;
  const { user } = await identity.users.find({ email: "ann@example.com" });
  expect((await support.send("GET", `/api/user/${user.id}`)).status).toBe(200);
});

requirement("console.cross-site", "no write without the header of the console, and no call of another site, passes", async () => {
  const { full, identity } = persons;
  const calls = [
    ...listCalls(identity),
    ...["/session", "/session/two-factor", "/session/set-up", "/session/confirm"].map((path) => ({ method: "POST", path })),
    { method: "DELETE", path: "/session" },
  ];
  const foreign: readonly Readonly<Record<string, string | undefined>>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": undefined, origin: "https://evil.example" },
    { "sec-fetch-site": undefined, origin: "null" },
  ];
  for (const { method, path } of calls) {
    const isWrite = method !== "GET";
    const tried = [...foreign, ...(isWrite ? [{ "x-console": undefined }, { "sec-fetch-site": "none" }] : [])];
    for (const headers of tried) {
      const { body, status } = await full.send(method, path, { headers, ...(isWrite && { body: {} }) });
      expect([method, path, headers, status, body.includes("[cross_site]")]).toEqual([method, path, headers, 403, true]);
    }
  }
  const own = { "sec-fetch-site": undefined, origin: "https://app.example.com" };
  expect((await full.send("GET", "/session", { headers: own })).status).toBe(200);
  expect((await full.send("OPTIONS", "/api/user", { headers: own })).status).not.toBe(204);
});

requirement("console.apart", "the cookie opens nothing at the API, and keys and tokens open nothing at the console", async () => {
  const { full, identity, nobody } = persons;
  const calls = listCalls(identity).filter(({ access }) => access !== "public" && !access.startsWith("optional"));
  const [refreshToken, token] = full.cookie.slice(full.cookie.indexOf("=") + 1).split("~");
  for (const { method, path } of calls) {
    const outside = await identity.inject({
      method,
      url: path,
      headers: { cookie: full.cookie },
      ...(method !== "GET" && { body: {} }),
    });
    expect([method, path, outside.status]).toEqual([method, path, 401]);
    for (const authorization of [apiKey, `Bearer ${token}`, `JWT ${token}`]) {
      const inside = await nobody.send(method, path, {
        headers: { authorization },
        cookie: `access_token=${token}; refresh_token=${refreshToken}`,
      });
      expect([method, path, inside.status]).toEqual([method, path, 401]);
    }
  }
});

test("a principal of a console has no token and is no user", async () => {
  const identity = await createIdentityService({ storage: memoryStorage() });
  const principal = { kind: "administrator", userId: uuid(1), isKeyManager: true, grants: "all" } as const;
  for (const path of ["/api/jwt/validate", "/oauth2/userinfo"]) {
    const request = { method: "GET", path, query: "", headers: {} };
    expect((await identity.handle(request, principal))?.status).toBe(401);
  }
  // Known, and without an id.
  expect((await identity.handle({ method: "GET", path: "/api/api-key", query: "", headers: {} }, principal))?.status).toBe(400);
  await identity.close();
});
