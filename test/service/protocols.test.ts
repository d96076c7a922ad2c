import { createIdentityService, hostPrincipal, IdentityError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { Protocol, ProtocolHost } from "latchkey/ports";
import { expect, test } from "vitest";
import { bootstrapKey, forEachStorage, startWorld, testSecret } from "../support/world.js";

const path = "/api/example/v1";

/** A protocol that answers by `answer`, and what it was started with. */
function createProtocol(answer: (host: ProtocolHost) => ReturnType<Protocol["start"]>, more: Partial<Protocol> = {}): Protocol {
  return { name: "example", path, start: answer, ...more };
}

const echo = createProtocol(async (host) => async (request, given) => {
  const principal = given ?? (await host.authenticate(request));
  const tenantId = host.authorize(principal, { method: "POST", endpoint: path }, request);
  const body = await host.readBody(request, { types: ["application/example+json"], bulkLists: [["items"]] });
  const url = host.urlOf(request);
  return { status: 200, headers: {}, body: JSON.stringify({ kind: principal.kind, tenantId, body, url }) };
});

const headers = { authorization: bootstrapKey, "content-type": "application/example+json" };

test("a protocol answers below its path, and nowhere else", async () => {
  const { identity } = await startWorld(memoryStorage(), { protocols: [echo] });
  const answer = await identity.inject({ method: "POST", url: `${path}/things?a=b`, headers, body: { a: 1 } });
  expect(JSON.parse(answer.body)).toEqual({ kind: "apiKey", body: { a: 1 }, url: `http://localhost${path}/things` });
  for (const url of ["/api/example", "/api/example/v1x", "/other"])
    expect(await identity.handle({ method: "GET", path: url, query: "", headers: {} })).toBeUndefined();
});

test("callers, tenants and bodies are checked as those of other routes", async () => {
  const { identity, defaultTenantId } = await startWorld(memoryStorage(), { protocols: [echo] });
  const send = (more: object, body: unknown = {}) =>
    identity.inject({ method: "POST", url: path, headers: { ...headers, ...more }, body });
  expect((await send({ authorization: "wrong" })).status).toBe(401);
  expect((await send({ "content-type": "application/json" })).status).toBe(400);
  expect((await send({}, "{")).status).toBe(400);
  expect((await send({}, '{"__proto__":1}')).status).toBe(400);
  const many = Array.from({ length: 10_001 }, () => "a");
  expect((await send({}, { items: many })).status).toBe(200);
  expect((await send({}, { others: many })).status).toBe(400);
  const bound = await send({ "x-service-tenantid": defaultTenantId });
  expect(JSON.parse(bound.body)).toMatchObject({ tenantId: defaultTenantId });
  const principal = { kind: "host" } as const;
  const given = await identity.handle({ method: "POST", path, query: "", headers: {} }, principal);
  expect(JSON.parse(given?.body ?? "{}")).toMatchObject({ kind: "host" });
});

test("requests of protocols have ids, and are counted", async () => {
  const { identity, caller } = await startWorld(memoryStorage(), { protocols: [echo], requestIds: true });
  const answer = await identity.inject({ method: "POST", url: path, headers: { ...headers, "x-request-id": "abc" }, body: {} });
  expect(answer.headers["x-request-id"]).toBe("abc");
  const metrics = (await caller.get("/api/prometheus/metrics")).text;
  expect(metrics).toContain(`{method="POST",route="${path}/*",status="200"} 1`);
});

test("a protocol that does not serve a request leaves it to the others", async () => {
  const nothing = createProtocol(async () => async () => undefined);
  const { identity } = await startWorld(memoryStorage(), { protocols: [nothing] });
  expect(await identity.handle({ method: "GET", path, query: "", headers: {} })).toBeUndefined();
});

test("a protocol has several paths, one below the id of any tenant, and leaves others to the service's own routes", async () => {
  const paths = ["/oauth2", "/:tenantId/.well-known/example"];
  const several = createProtocol(
    async (host) => async (request) => {
      if (request.path === "/oauth2/introspect") return undefined;
      if (request.path === "/oauth2/status") return host.serve({ ...request, path: "/api/status" }, hostPrincipal);
      return { status: 200, headers: {}, body: request.path };
    },
    { path: paths },
  );
  const { identity, caller, defaultTenantId } = await startWorld(memoryStorage(), { protocols: [several] });
  const get = async (url: string) => (await identity.handle({ method: "GET", path: url, query: "", headers: {} }))?.body;
  expect(await get("/oauth2/authorize")).toBe("/oauth2/authorize");
  expect(await get(`/${defaultTenantId}/.well-known/example`)).toBe(`/${defaultTenantId}/.well-known/example`);
  for (const url of ["/x/.well-known/example", `/${defaultTenantId}/.well-known`, `/${defaultTenantId}`, "/.well-known/example"])
    expect(await get(url)).toBeUndefined();
  expect((await identity.inject({ method: "POST", url: "/oauth2/introspect" })).status).toBe(401);
  expect((await identity.inject({ url: "/oauth2/status" })).status).toBe(200);
  const metrics = (await caller.get("/api/prometheus/metrics")).text;
  expect(metrics).toContain(`{method="GET",route="/:tenantId/.well-known/example/*",status="200"} 1`);
});

test("a protocol receives secrets of its own, the public URL and the address of a request", async () => {
  let host: ProtocolHost | undefined;
  const protocol = createProtocol(async (given) => {
    host = given;
    return async () => undefined;
  });
  const secrets = ["a".repeat(32), "b".repeat(32)];
  const options = { protocols: [protocol], publicUrl: "https://id.example.com/", trustedProxies: ["10.0.0.1"], secret: secrets };
  const { identity } = await startWorld(memoryStorage(), options);
  await identity.inject({ url: path });
  const [first, second, ...more] = host?.deriveSecrets("cookies") ?? [];
  expect([first?.length, second?.length, more]).toEqual([43, 43, []]);
  expect(new Set([first, second, ...(host?.deriveSecrets("other") ?? [])]).size).toBe(4);
  expect(host?.publicUrl).toBe("https://id.example.com");
  const request = { method: "GET", path, query: "", headers: { "x-forwarded-for": "1.2.3.4" }, remoteAddress: "10.0.0.1" };
  expect(host?.addressOf(request)).toBe("1.2.3.4");
});

test("a failure is logged, and answered without its reason; a refusal is answered as it is", async () => {
  const failing = createProtocol(async () => async (request) => {
    if (request.method === "PUT") throw new IdentityError(409, { generalErrors: [{ code: "[busy]", message: "Busy." }] });
    throw new Error("secret");
  });
  const { identity, log } = await startWorld(memoryStorage(), { protocols: [failing] });
  const failed = await identity.inject({ method: "POST", url: `${path}/a-one-time-id` });
  expect([failed.status, failed.body]).toEqual([500, ""]);
  const requestId = failed.headers["x-request-id"];
  expect(log.at(-1)).toMatchObject({ level: "error", fields: { path, method: "POST", requestId: expect.any(String) } });
  expect(log.at(-1)?.fields).toMatchObject({ requestId });
  const refused = await identity.inject({ method: "PUT", url: path });
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([409, { generalErrors: [{ code: "[busy]" }] }]);
});

forEachStorage((start) => {
  test("calls of a caller in one transaction are stored together, or not at all", async () => {
    let host: ProtocolHost | undefined;
    const protocol = createProtocol(async (given) => {
      host = given;
      return async () => ({ status: 204, headers: {}, body: "" });
    });
    const { identity, defaultTenantId: tenantId } = await start({ protocols: [protocol] });
    await identity.inject({ url: path });
    const make = (names: readonly string[]) =>
      host?.transaction(hostPrincipal, async (tx) => {
        for (const name of names) await tx.groups.create({ group: { name } }, { tenantId });
      });
    await make(["one", "two"]);
    await expect(make(["three", "one"])).rejects.toMatchObject({ code: "[duplicate]group.name" });
    const { groups } = await identity.groups.search();
    expect(groups.map(({ name }) => name)).toEqual(["one", "two"]);
  });
});

test("what a protocol sets up is made once in the life of a storage", async () => {
  const storage = memoryStorage();
  const made: string[] = [];
  const protocol = createProtocol(async () => async () => undefined, {
    setUp: async (api) => {
      made.push("setUp");
      await api.entityTypes.create({ entityType: { name: "Example" } });
    },
  });
  const options = { storage, secret: testSecret, protocols: [protocol] };
  const first = await createIdentityService(options);
  const { entityTypes } = await first.entityTypes.search({ search: { name: "Example" } });
  await first.entityTypes.remove({ entityTypeId: entityTypes[0]?.id ?? "" });
  await createIdentityService(options);
  expect(made).toEqual(["setUp"]);
});

test("a protocol that the version or plan does not have answers nothing, and is set up once they have it", async () => {
  const storage = memoryStorage();
  const made: string[] = [];
  const protocol = createProtocol(async () => async () => ({ status: 204, headers: {}, body: "" }), {
    isAvailable: ({ isLicensed, version }) => version === "1.65.0" && isLicensed("entityType"),
    setUp: async () => void made.push("setUp"),
  });
  const statusOf = async (options: object): Promise<number | undefined> => {
    const { handle } = await createIdentityService({ storage, secret: testSecret, protocols: [protocol], ...options });
    return (await handle({ method: "GET", path, query: "", headers: {} }))?.status;
  };
  expect(await statusOf({ version: "1.35.0" })).toBeUndefined();
  expect(await statusOf({ version: "1.65.0", plan: "community" })).toBeUndefined();
  expect(made).toEqual([]);
  expect(await statusOf({ version: "1.65.0" })).toBe(204);
  expect(made).toEqual(["setUp"]);
});

test("protocols that exclude each other, and paths that are none, are refused", async () => {
  const storage = memoryStorage();
  const create = (...protocols: Protocol[]) => createIdentityService({ storage, protocols });
  const other = { ...echo, name: "other" };
  await expect(create(echo, { ...echo, path: "/elsewhere" })).rejects.toThrow(TypeError);
  await expect(create(echo, { ...other, path: `${path}/below` })).rejects.toThrow(/exclude each other/);
  await expect(create(echo, { ...other, path: ["/elsewhere", `${path}/below`] })).rejects.toThrow(/exclude each other/);
  for (const wrong of [[], "/a/:tenantId", "/:tenantId", ["/a", "b"]])
    await expect(create({ ...echo, path: wrong })).rejects.toThrow(/protocols\[0\]\.path/);
  await expect(create({ ...echo, path: "api" })).rejects.toThrow(/protocols\[0\]\.path/);
});

test("a protocol reads forms, opens keys, and calls another protocol", async () => {
  const form = createProtocol(async (host) => async (request) => {
    const fields = await host.readForm(request);
    const key = await host.findKey(fields.key ?? "");
    return { status: 200, headers: {}, body: JSON.stringify({ fields, algorithm: key?.alg ?? null }) };
  });
  const calling = createProtocol(async (host) => async (request) => host.callProtocol({ ...request, path }), {
    name: "calling",
    path: "/calling",
  });
  const { caller, identity } = await startWorld(memoryStorage(), { protocols: [form, calling] });
  const made = await caller.post("/api/key/generate", { key: { name: "Key", algorithm: "ES256" } });
  const send = (url: string, body: string, type = "application/x-www-form-urlencoded") =>
    identity.inject({ method: "POST", url, headers: { "content-type": type }, body });
  const fields = { a: "1", key: made.textAt("key.id") };
  for (const url of [path, "/calling"]) {
    const answer = await send(url, `a=1&a=2&key=${fields.key}`);
    expect(JSON.parse(answer.body)).toEqual({ fields, algorithm: "ES256" });
  }
  expect(JSON.parse((await send(path, "key=unknown")).body)).toEqual({ fields: { key: "unknown" }, algorithm: null });
  expect((await send(path, "{}", "application/json")).status).toBe(400);
});
