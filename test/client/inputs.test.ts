import { inspect } from "node:util";
import type { InjectedRequest } from "latchkey";
import { ClientError, type ClientOptions, createClient, type Result } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { RouteTable } from "../../src/http/route/match-route.js";
import { fakeTime, listenFor } from "../support/client.js";
import { cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld, uuid } from "../support/world.js";

const codeOf = (result: Result<unknown>): unknown => (result.ok ? "ok" : [result.status, result.code, result.attempts]);

const hostileIds = ["..", ".", "search", "member", "%2e%2e", "a/b", "a\\b", "../user", "a?b", "a#b", "ü", "\ud800", "a b", "a\n"];

requirement("client.input", "what is no id never makes another request of a call", async () => {
  const { identity } = await startWorld(memoryStorage());
  let sent = 0;
  const client = createClient({
    inject: (request) => {
      sent += 1;
      return identity.inject(request);
    },
    apiKey: bootstrapKey,
  });
  for (const groupId of hostileIds) {
    expect(codeOf(await client.groups.retrieve({ groupId }))).toEqual([400, "[couldNotConvert]groupId", 0]);
    expect(codeOf(await client.groups.remove({ groupId }))).toEqual([400, "[couldNotConvert]groupId", 0]);
  }
  expect(codeOf(await client.groups.retrieve({ groupId: "" }))).toEqual([400, "[missing]groupId", 0]);
  expect(codeOf(await client.groups.retrieve({} as never))).toEqual([400, "[missing]groupId", 0]);
  expect(codeOf(await client.groupMembers.remove({ memberId: "" }))).toEqual([400, "[missing]memberId", 0]);
  expect(sent).toBe(0);
  expect(codeOf(await client.groups.remove({} as never))).toEqual([400, "[missing]groupId", 1]);
  expect(codeOf(await client.groups.retrieve({ groupId: "no-uuid-1" }))).toEqual([400, "[couldNotConvert]groupId", 1]);
});

requirement("client.input", "any id makes the same call, with the same id", async () => {
  const table = new RouteTable(routes);
  const sent: InjectedRequest[] = [];
  const client = createClient({
    inject: async (request) => {
      sent.unshift(request);
      return { status: 200, headers: {}, body: "" };
    },
  });
  const anyId = fc.oneof(fc.string(), fc.uuid(), fc.stringMatching(/^[\w./%-]{1,8}$/), fc.constantFrom(...hostileIds));
  const check = async (userId: string, applicationId: string): Promise<void> => {
    sent.length = 0;
    const result = await client.registrations.remove({ userId, applicationId });
    const [{ method = "", url } = { url: "" }] = sent;
    const match = table.match(method, url);
    const reached = match?.kind === "found" ? [match.route.target.name, match.params] : [result.status, result.attempts];
    expect(reached).toEqual(sent.length === 0 ? [400, 0] : ["registrations.remove", { userId, applicationId }]);
  };
  await fc.assert(fc.asyncProperty(anyId, anyId, check), cases(500));
  await check(uuid(1), uuid(2));
  expect(sent[0]).toMatchObject({ method: "DELETE", url: `/api/user/registration/${uuid(1)}/${uuid(2)}` });
});

requirement("client.input", "the codes are those of a call in process", async () => {
  const { identity } = await startWorld(memoryStorage());
  const client = createClient({ inject: identity.inject, apiKey: bootstrapKey });
  for (const groupId of ["", "..", "search", "no-uuid-1"]) {
    const refused = await identity.groups.retrieve({ groupId }).catch((error: unknown) => error);
    const result = await client.groups.retrieve({ groupId });
    expect(result).toMatchObject({ status: 400, code: (refused as { readonly code: string }).code });
  }
});

requirement("client.input", "texts that no header carries are refused, and others arrive", async () => {
  const { identity } = await startWorld(memoryStorage());
  const client = createClient({ inject: identity.inject, apiKey: bootstrapKey });
  const input = { group: { name: "A" } };
  expect(codeOf(await client.groups.create(input, { auditReason: "a\r\nb: c" }))).toEqual([400, "[invalid]auditReason", 0]);
  expect(codeOf(await client.groups.create(input, { tenantId: "a\nb" }))).toEqual([400, "[invalid]tenantId", 0]);
  expect(codeOf(await client.groups.create(input, { tenantId: "😀" }))).toEqual([400, "[invalid]tenantId", 0]);
  expect(codeOf(await client.groups.create(input, { ifMatch: "\0" }))).toEqual([400, "[invalid]ifMatch", 0]);
  expect(codeOf(await client.groups.create(input, { tenantId: "x" }))).toEqual([400, "[couldNotConvert]X-Service-TenantId", 1]);
  expect(codeOf(await client.groups.patch({ groupId: uuid(1), patch: {}, mode: "other" as never }))).toEqual([
    400,
    "[invalid]mode",
    0,
  ]);
});

requirement("client.input", "an input that is no JSON is refused, and what JSON leaves out is left out", async () => {
  const { identity } = await startWorld(memoryStorage());
  const client = createClient({ inject: identity.inject, apiKey: bootstrapKey });
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(codeOf(await client.groups.create({ group: { name: "A", data: circle } }))).toEqual([400, "[invalidJSON]", 0]);
  expect(codeOf(await client.groups.create({ group: { name: "A", data: { big: 1n } } }))).toEqual([400, "[invalidJSON]", 0]);
  const made = await client.groups.create({ group: { name: "A", data: { none: undefined, f: () => 1 } } });
  expect(made.ok && made.value.group.data).toEqual({});
  const polluting = JSON.parse('{"group":{"name":"B","data":{"__proto__":{"x":1}}}}') as { group: { name: string } };
  expect(codeOf(await client.groups.create(polluting))).toEqual([400, "[invalid]group.data.__proto__", 1]);
});

const secret = "a-secret-that-nobody-must-see-0123456789";

requirement("client.credentials", "no credential stands in a client, a result or an error", async () => {
  const baseUrl = await listenFor((req, res) => {
    if (req.url?.endsWith("1")) req.socket.destroy();
    else res.writeHead(Number(req.headers["x-service-tenantid"] ?? 500)).end();
  });
  const credentials: readonly ClientOptions[] = [
    { apiKey: secret },
    { token: secret },
    { apiKey: () => secret },
    { basic: { username: "apikey", password: secret } },
    { token: async () => `${secret}\n` },
  ];
  for (const credential of credentials) {
    const client = createClient({ baseUrl, runtime: fakeTime().runtime, ...credential });
    const results = [
      await client.groups.retrieve({ groupId: uuid(1) }),
      await client.groups.retrieve({ groupId: uuid(2) }),
      await client.groups.list({}, { tenantId: "401" }),
      await client.groups.list({}, { tenantId: "302" }),
    ];
    const errors = results.map((result) => (result.ok ? undefined : new ClientError(result)));
    const shown = [client, client.groups, ...results, ...errors].flatMap((one) => [
      inspect(one, { depth: 9, showHidden: true }),
      JSON.stringify(one),
      String(one),
    ]);
    const encoded = btoa(`apikey:${secret}`);
    for (const text of shown) expect(text).not.toMatch(new RegExp(`${secret}|${encoded}`));
    expect(errors.every((error) => error instanceof ClientError)).toBe(true);
  }
});

requirement(["client.options", "client.credentials"], "wrong options are refused without a word of what they hold", () => {
  const baseUrl = "http://localhost";
  const wrong: readonly ClientOptions[] = [
    {},
    { baseUrl, inject: async () => ({ status: 200, headers: {}, body: "" }) },
    { baseUrl: `http://me:${secret}@localhost` },
    { baseUrl: `http://localhost/?key=${secret}` },
    { baseUrl: "http://localhost/#a" },
    { baseUrl: "/identity" },
    { baseUrl: "ftp://localhost" },
    { baseUrl, apiKey: `${secret}\r\nx: y` },
    { baseUrl, apiKey: "" },
    { baseUrl, apiKey: secret, token: secret },
    { baseUrl, tenantHeader: "a b" },
    { baseUrl, timeoutMs: 0 },
    { baseUrl, timeoutMs: 2 ** 31 },
    { baseUrl, timeoutMs: Number.POSITIVE_INFINITY },
    { baseUrl, maxAnswerBytes: -1 },
    { baseUrl, retry: { attempts: 0 } },
    { baseUrl, retry: { baseMs: 1.5 } },
    { baseUrl, retry: { maxMs: Number.NaN } },
    { baseUrl, retry: { newKeyMs: -1 } },
  ];
  for (const options of wrong) {
    const make = (): unknown => createClient(options);
    expect(make, inspect(options)).toThrow(TypeError);
    expect(make).toThrow(/^(?!.*a-secret)/s);
  }
});

requirement("client.options", "a call with a time that no timer keeps is refused", async () => {
  const client = createClient({ baseUrl: "http://localhost" });
  await expect(client.groups.list({}, { timeoutMs: -1 })).rejects.toThrow(TypeError);
});

requirement("client.options", "the tenant header follows the names of the service", async () => {
  const world = await startWorld(memoryStorage(), { names: { service: "Acme" } as never });
  const options: ClientOptions = { inject: world.identity.inject, apiKey: bootstrapKey, tenantId: uuid(9) };
  const create = { group: { name: "A" } };
  expect((await createClient(options).groups.create(create)).status).toBe(200);
  const named = createClient({ ...options, tenantHeader: "X-Acme-TenantId" });
  expect(codeOf(await named.groups.create(create))).toEqual([400, "[invalid]tenantId", 1]);
});
