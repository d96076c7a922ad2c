import { createHash } from "node:crypto";
import { createIdentityService, type IdentityService } from "latchkey";
import { consoleApplicationId } from "latchkey/console";
import { memoryStorage } from "latchkey/memory";
import type { ApiResponse } from "latchkey/ports";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { type ConsoleClient, createConsoleClient, password, setUpFirst, toClient } from "./support/console-client.js";

const loginId = "ann@example.com";
const minutes = 60_000;
const start = Date.UTC(2030, 0, 1);

const statusOf = async (asked: Promise<ApiResponse>): Promise<number> => (await asked).status;
const isSignedIn = async (client: ConsoleClient): Promise<boolean> => (await client.send("GET", "/session")).status === 200;
const signIn = (client: ConsoleClient, body: object = { loginId, password }): Promise<ApiResponse> =>
  client.send("POST", "/session", { body });

/** A console on a clock that the test moves, with its first administrator signed in. */
async function createSignedIn(
  service?: IdentityService,
): Promise<{ client: ConsoleClient; move: (milliseconds: number) => void }> {
  let now = start;
  const client = await createConsoleClient({ clock: () => now }, service);
  expect((await setUpFirst(client)).status).toBe(200);
  return {
    client,
    move: (milliseconds) => {
      now += milliseconds;
    },
  };
}

requirement("console.set-up", "the set-up link makes one administrator, once; only its digest is stored", async () => {
  const client = await createConsoleClient();
  expect(JSON.parse((await client.send("GET", "/session")).body)).toMatchObject({ setUp: true });
  const first = await client.console.issueSetUp();
  const second = await client.console.issueSetUp();
  const create = (token: string | undefined, email: string) =>
    client.send("POST", "/session/set-up", { body: { token, email, password } });
  expect(await statusOf(create(first?.token, loginId))).toBe(403);
  const { application } = await client.identity.applications.retrieve({ applicationId: consoleApplicationId });
  expect(JSON.stringify(application)).not.toContain(second?.token);
  expect(JSON.stringify(application)).toContain(createHash("sha256").update(String(second?.token)).digest("base64url"));
  const statuses = await Promise.all([
    statusOf(create(second?.token, loginId)),
    statusOf(create(second?.token, "bob@example.com")),
  ]);
  expect(statuses.sort()).toEqual([200, 403]);
  expect(await client.console.issueSetUp()).toBeUndefined();
  expect((await client.identity.users.search({ search: { queryString: "*" } })).total).toBe(1);
  expect(JSON.parse((await client.send("GET", "/session", { cookie: "" })).body)).not.toHaveProperty("setUp");
});

requirement("console.set-up", "the set-up link expires, and dies when there is an administrator", async () => {
  let now = start;
  const client = await createConsoleClient({ clock: () => now });
  const setUp = await client.console.issueSetUp();
  const create = () => client.send("POST", "/session/set-up", { body: { token: setUp?.token, email: loginId, password } });
  now += 24 * 60 * minutes;
  expect(await statusOf(create())).toBe(403);
  now -= 1;
  const registration = { applicationId: consoleApplicationId, roles: ["full"] };
  await client.identity.registrations.create({ user: { email: "eve@example.com", password }, registration });
  expect(await statusOf(create())).toBe(403);
});

requirement("console.set-up", "a password that is refused leaves the set-up link as it was", async () => {
  const client = await createConsoleClient();
  const setUp = await client.console.issueSetUp();
  const body = { token: setUp?.token, email: loginId };
  const refused = await client.send("POST", "/session/set-up", { body: { ...body, password: "short" } });
  expect([refused.status, JSON.parse(refused.body).fieldErrors]).toEqual([400, { "user.password": expect.anything() }]);
  expect(await statusOf(client.send("POST", "/session/set-up", { body: { ...body, password } }))).toBe(200);
});

requirement("console.cookie", "the cookie is bound to the mount point, and no script reads it", async () => {
  for (const [basePath, path] of [
    ["/a/b/admin", "/a/b/admin"],
    ["", "/"],
  ] as const) {
    const client = await createConsoleClient({ basePath });
    const { headers } = await setUpFirst(client);
    const attributes = String(headers["set-cookie"]).split("; ").slice(1);
    expect(attributes).toEqual([`Path=${path}`, "Max-Age=1800", "HttpOnly", "SameSite=Strict"]);
    const secure = await client.send("POST", "/session", {
      body: { loginId, password },
      headers: { "x-forwarded-proto": "https" },
    });
    expect(String(secure.headers["set-cookie"])).toContain("; Secure;");
  }
});

requirement("console.session", "a session ends when it is idle, when it is old, and at its sign-out", async () => {
  const { client, move } = await createSignedIn();
  for (let call = 0; call < 8; call++) {
    move(25 * minutes);
    expect(await isSignedIn(client)).toBe(true);
  }
  move(31 * minutes);
  expect(await isSignedIn(client)).toBe(false);
  await signIn(client);
  for (let call = 0; call < 28; call++) {
    move(25 * minutes);
    expect([call, await isSignedIn(client)]).toEqual([call, true]);
  }
  move(21 * minutes);
  expect(await isSignedIn(client)).toBe(false);
  await signIn(client);
  const { cookie } = client;
  expect(await statusOf(client.send("DELETE", "/session"))).toBe(204);
  expect(await statusOf(client.send("GET", "/session", { cookie }))).toBe(401);
});

/** What ends all sessions of a user, with the next request. */
const ends: Readonly<Record<string, (client: ConsoleClient, userId: string) => Promise<unknown>>> = {
  "a revocation of the session": ({ identity }, userId) => identity.jwt.revoke({ userId }),
  "a new password": ({ identity }, userId) =>
    identity.users.patch({ userId, patch: { user: { password: "another horse battery" } } }),
  "a deactivation": ({ identity }, userId) => identity.users.remove({ userId }),
  "a removal": ({ identity }, userId) => identity.users.remove({ userId, hardDelete: true }),
  "the end of the registration": ({ identity }, userId) =>
    identity.registrations.remove({ userId, applicationId: consoleApplicationId }),
  "the end of the role": ({ identity }, userId) =>
    identity.registrations.patch({
      userId,
      applicationId: consoleApplicationId,
      patch: { registration: { roles: [] } },
      mode: "merge",
    }),
};

test.each(Object.entries(ends))("%s ends the session", async (_name, end) => {
  const { client } = await createSignedIn();
  const { user } = JSON.parse((await client.send("GET", "/session")).body);
  await end(client, user.id);
  expect(await isSignedIn(client)).toBe(false);
  expect(await statusOf(client.send("GET", "/api/tenant"))).toBe(401);
});

requirement(
  "console.session",
  "each sign-in begins a session of its own and ends the one before; two cookies are none",
  async () => {
    const { client } = await createSignedIn();
    const { cookie: planted } = client;
    await signIn(client);
    expect(client.cookie).not.toBe(planted);
    expect(await statusOf(client.send("GET", "/session", { cookie: planted }))).toBe(401);
    expect(await statusOf(client.send("GET", "/session", { cookie: `${client.cookie}; ${planted}` }))).toBe(401);
    const { user } = JSON.parse((await client.send("GET", "/session")).body);
    const { refreshTokens } = await client.identity.jwt.list({ userId: user.id });
    expect(refreshTokens.map(({ metaData }) => metaData)).toEqual([
      expect.objectContaining({ device: expect.objectContaining({ name: "Console" }) }),
    ]);
  },
);

requirement("console.sign-in", "a wrong password, no role, and a locked user are refused as the login does", async () => {
  const { client } = await createSignedIn();
  const other = toClient(client.identity, client.console, "/admin");
  const wrong = await signIn(other, { loginId, password: "wrong" });
  expect([wrong.status, JSON.parse(wrong.body).generalErrors[0].code]).toEqual([404, "[invalid_credentials]"]);
  await client.identity.users.create({ user: { email: "bob@example.com", password } });
  expect(await statusOf(signIn(other, { loginId: "bob@example.com", password }))).toBe(403);
  expect((await client.identity.jwt.list({ userId: await idOf(client, "bob@example.com") })).refreshTokens).toEqual([]);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 40 && statuses.at(-1) !== 423; attempt++)
    statuses.push(await statusOf(signIn(other, { loginId, password: "wrong" })));
  expect(statuses.at(-1)).toBe(423);
  expect(await statusOf(signIn(other))).toBe(423);
  expect(other.cookie).toBe("");
});

async function idOf({ identity }: ConsoleClient, email: string): Promise<string> {
  return (await identity.users.find({ email })).user.id;
}

requirement("console.two-factor", "a second factor is asked for, at the sign-in and at a confirmation", async () => {
  const { client, move } = await createSignedIn();
  const userId = await idOf(client, loginId);
  await client.identity.twoFactor.enable({ userId, method: "authenticator", code: codeAt(secret, start), secret });
  move(6 * minutes);
  const asked = await signIn(client);
  const { methods, twoFactorId } = JSON.parse(asked.body);
  expect([asked.status, asked.headers["set-cookie"], methods.length]).toEqual([242, undefined, 1]);
  expect(await statusOf(client.send("POST", "/session/two-factor", { body: { twoFactorId, code: "000000" } }))).toBe(421);
  const code = codeAt(secret, start + 6 * minutes);
  expect(await statusOf(client.send("POST", "/session/two-factor", { body: { twoFactorId, code } }))).toBe(200);
  expect(await statusOf(client.send("POST", "/session/confirm", { body: { password } }))).toBe(242);
});

requirement("console.confirmation", "secrets and administrators need a sign-in of the last five minutes", async () => {
  const { client, move } = await createSignedIn();
  const userId = await idOf(client, loginId);
  const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["GET", "/api/api-key"],
    ["POST", "/api/user/export", {}],
    ["PATCH", `/api/user/${userId}`, { user: { firstName: "Ann" } }],
    ["PATCH", `/api/user/registration/${userId}/${consoleApplicationId}`, { registration: { timezone: "UTC" } }],
    ["POST", `/api/application/${consoleApplicationId}/role`, { role: { name: "auditor" } }],
    ["POST", "/api/user/forgot-password", { loginId, sendForgotPasswordEmail: false }],
  ];
  const codes = () =>
    Promise.all(
      calls.map(async ([method, path, body]) => {
        const response = await client.send(method, path, { body: body && JSON.stringify(body) });
        return response.status === 403 ? JSON.parse(response.body).generalErrors[0].code : "passed";
      }),
    );
  move(6 * minutes);
  expect(await codes()).toEqual(calls.map(() => "[confirmation_required]"));
  expect(await statusOf(client.send("POST", "/api/group", { body: { group: { name: "Editors" } } }))).toBe(200);
  expect(JSON.parse((await client.send("GET", "/session")).body).needsConfirmation).toBe(true);
  expect(await statusOf(client.send("POST", "/session/confirm", { body: { password: "wrong" } }))).toBe(404);
  expect(await statusOf(client.send("POST", "/session/confirm", { body: { password } }))).toBe(200);
  expect(await codes()).toEqual(calls.map(() => "passed"));
});

requirement("console.audit", "the audit log names the person", async () => {
  const { client } = await createSignedIn();
  const made = await client.send("POST", "/api/group", {
    body: { group: { name: "Editors" } },
    headers: { "x-audit-reason": "A new team" },
  });
  expect(made.status).toBe(200);
  const { auditLogs } = await client.identity.auditLogs.search({ search: { message: "Created the group" } });
  expect(auditLogs[0]).toMatchObject({ insertUser: `user:${await idOf(client, loginId)}`, reason: "A new team" });
});

requirement("console.audit", "the audit log has what administrators change, also where it has no other changes", async () => {
  const clock = (): number => start;
  const service = await createIdentityService({ storage: memoryStorage(), secret: "s".repeat(32), delivery: false, clock });
  const { client } = await createSignedIn(service);
  const headers = { "x-audit-reason": "A new team" };
  const sent = { body: { group: { name: "Editors" } }, headers };
  const { group } = JSON.parse((await client.send("POST", "/api/group", sent)).body);
  await client.send("PATCH", `/api/group/${group.id}`, { body: { group: { name: "Authors" } }, headers });
  await client.send("DELETE", `/api/group/${group.id}?dryRun=true`);
  await client.send("DELETE", `/api/group/${group.id}`);
  await client.identity.groups.create({ group: { name: "Of the host" } });
  const { auditLogs } = await client.identity.auditLogs.search({ search: { orderBy: "id ASC" } });
  const person = `user:${await idOf(client, loginId)}`;
  expect(auditLogs.map(({ insertUser, message, reason }) => [insertUser, message.split(" ")[0], reason])).toEqual([
    [person, "Created", "A new team"],
    [person, "Changed", "A new team"],
    [person, "Removed", undefined],
  ]);
  await service.close();
});

requirement("console.host", "a host that signs its persons in says who makes a request, and with which role", async () => {
  const authorize = async ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
    headers["x-person"] === undefined ? undefined : ({ id: "mia", name: "Mia", role: "support" } as const);
  const client = await createConsoleClient({ authorize });
  const headers = { "x-person": "mia" };
  expect(await statusOf(client.send("GET", "/api/tenant"))).toBe(401);
  expect(JSON.parse((await client.send("GET", "/session", { headers })).body)).toMatchObject({
    role: "support",
    user: { id: "mia", fullName: "Mia" },
  });
  expect(await statusOf(client.send("GET", "/api/tenant", { headers }))).toBe(200);
  expect(await statusOf(client.send("POST", "/api/group", { headers, body: { group: { name: "Editors" } } }))).toBe(403);
  expect(await statusOf(client.send("POST", "/session", { headers, body: { loginId, password } }))).toBe(404);
  expect(await client.console.issueSetUp()).toBeUndefined();
});
