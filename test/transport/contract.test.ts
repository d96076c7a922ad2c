import { unzipSync } from "fflate";
import type { IdentityService } from "latchkey";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { exchange, type Received, type Sent } from "./support/exchange.js";
import { hosts, type Parser, type RunningHost } from "./support/hosts.js";
import { authorized, createTestService } from "./support/service.js";

const maxBodyBytes = 2_000;
const mounts = hosts.flatMap((host) =>
  host.parsers.flatMap((parser, place) =>
    steps(["", "/identity"], 2, place).map((basePath) => ({ name: host.name, host, parser, basePath })),
  ),
);

describe.each(mounts)("$name, body parser $parser, mounted at '$basePath'", ({ host, parser, basePath }) => {
  let running: RunningHost;
  let identity: IdentityService;
  let logged: readonly string[];

  const send = (sent: Sent): Promise<Received> =>
    exchange(running.port, { ...sent, path: `${basePath}${sent.path}`, headers: { ...authorized, ...sent.headers } });
  const createGroup = async (name: string, data: object = {}): Promise<{ path: string; etag: string }> => {
    const created = await send({ method: "POST", path: "/api/group", body: { group: { name, data } } });
    expect(created.status).toBe(200);
    return { path: `/api/group/${JSON.parse(created.body).group.id}`, etag: created.headers.etag?.[0] ?? "" };
  };

  beforeAll(async () => {
    ({ identity, logged } = await createTestService({ maxBodyBytes }));
    running = await host.start([{ identity, basePath }], parser);
  });

  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await identity.close();
    expect(logged).toEqual([]);
  });

  test("carries a record through every method", async () => {
    const { path } = await createGroup("Éditeurs 編集者", { a: 1, list: [1] });
    const read = await send({ path: `${path}/?unknown=1` });
    expect(JSON.parse(read.body).group).toMatchObject({ name: "Éditeurs 編集者", data: { a: 1, list: [1] } });
    const replaced = await send({ method: "PUT", path, body: { group: { name: "Editors", data: { b: 2, list: [1] } } } });
    expect(JSON.parse(replaced.body).group).toMatchObject({ name: "Editors", data: { b: 2, list: [1] } });
    const removed = await send({ method: "DELETE", path });
    expect(removed).toMatchObject({ status: 200, body: "" });
    expect(removed.headers).toMatchObject({ "content-length": ["0"] });
  });

  test.each([
    ["application/json", { group: { data: { list: [2] } } }, { list: [1, 2], keep: true }],
    ["application/merge-patch+json", { group: { data: { list: [2], keep: null } } }, { list: [2] }],
    ["application/json-patch+json", [{ op: "add", path: "/group/data/list/0", value: 0 }], { list: [0, 1], keep: true }],
  ])("applies a patch of the type %s", async (type, body, data) => {
    const { path } = await createGroup(`Patched by ${type}`, { list: [1], keep: true });
    const patched = await send({ method: "PATCH", path, headers: { "content-type": type }, body });
    expect(patched.status).toBe(200);
    expect(JSON.parse((await send({ path })).body).group.data).toEqual(data);
  });

  requirement("login.export-transports", "carries a file byte by byte", async () => {
    const file = await send({ method: "POST", path: "/api/system/login-record/export", body: {} });
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      "content-type": ["application/zip"],
      "content-length": [String(file.bytes.length)],
      "content-disposition": ['attachment; filename="login-records.zip"'],
    });
    const [[name, content] = []] = Object.entries(unzipSync(file.bytes));
    expect([name, Buffer.from(content ?? []).toString()]).toEqual([
      "login-records.csv",
      expect.stringMatching(/^"userId","time"/),
    ]);
  });

  test("answers HEAD as GET, without the body", async () => {
    const { path } = await createGroup("Head");
    const [head, get] = [await send({ method: "HEAD", path }), await send({ path })];
    expect(head).toMatchObject({ status: 200, body: "" });
    expect(withoutTransfer(head)).toEqual(withoutTransfer(get));
    if (host.name !== "fetch") expect(head.headers["content-length"]).toEqual([String(Buffer.byteLength(get.body))]);
  });

  test("answers 304 to a caller who has the record, without body, type or length", async () => {
    const { path, etag } = await createGroup("Tagged");
    const unchanged = await send({ path, headers: { "if-none-match": `"other", ${etag}` } });
    expect(unchanged).toMatchObject({ status: 304, body: "" });
    expect(withoutTransfer(unchanged)).toEqual({ "cache-control": ["no-cache"], etag: [etag] });
    expect(unchanged.headers["content-length"]).toBeUndefined();
    expect((await send({ path, headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("sends each header once and as the service wrote it", async () => {
    const { path } = await createGroup("Headers");
    const requests: Sent[] = [
      { path },
      { path: "/api/group/search" },
      { path: "/api/group/nobody" },
      { path: "/api/group/member" },
    ];
    for (const sent of requests) {
      const expected = await identity.inject({ url: sent.path, headers: authorized });
      const received = await send(sent);
      expect(received).toMatchObject({ status: expected.status, body: expected.body });
      expect(withoutTransfer(received)).toEqual(
        Object.fromEntries(Object.entries(expected.headers).map(([name, value]) => [name, [value]])),
      );
      expect(received.headers["content-length"]).toEqual([String(Buffer.byteLength(expected.body))]);
    }
  });

  test.each<[number, Sent]>([
    [401, { path: "/api/group", headers: { authorization: "wrong" } }],
    [401, { method: "POST", path: "/api/group", headers: { authorization: "wrong" }, body: { group: { name: "Unread" } } }],
    [404, { path: "/api/group/7ab98b7b-7b7b-4b7b-8b7b-7b7b7b7b7b7b" }],
    [404, { method: "DELETE", path: "/api/group/7ab98b7b-7b7b-4b7b-8b7b-7b7b7b7b7b7b" }],
    [405, { method: "OPTIONS", path: "/api/group" }],
    [405, { method: "DELETE", path: "/api/group/search" }],
    [405, { method: "PATCH", path: "/api/group/member", body: {} }],
  ])("answers %i with an empty body of length 0 (%o)", async (status, sent) => {
    const received = await send(sent);
    expect(received).toMatchObject({ status, body: "" });
    expect(received.headers["content-length"]).toEqual(["0"]);
    expect(received.headers["content-type"]).toBeUndefined();
    if (status === 405) expect(received.headers.allow?.[0]).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  });

  test("treats a body that is not there as none", async () => {
    const empty = { "content-length": "0" };
    for (const headers of [undefined, empty, { ...empty, "content-type": "application/json" }]) {
      const received = await send({ method: "POST", path: "/api/group", ...(headers && { headers }) });
      expect([received.status, Object.keys(JSON.parse(received.body).fieldErrors)]).toEqual([400, ["group"]]);
    }
  });

  const refused: readonly (readonly [body: string | Buffer, type: string, code: string, parsers?: readonly Parser[]])[] = [
    ["{", "application/json", "[invalidJSON]"],
    [Buffer.from([0x7b, 0xff, 0x7d]), "application/json", "[invalidText]", ["none", "raw"]],
    ["{}", "nonsense", "[InvalidContentType]"],
    ["{}", "text/plain", "[UnsupportedContentType]"],
    ["{}", "application/json; charset=utf-16", "[UnsupportedContentType]", ["none"]],
    ["{}", "application/merge-patch+json", "[UnsupportedContentType]"],
  ];
  for (const [body, type, code, parsers] of refused)
    if (parser !== "json" && (parsers ?? [parser]).includes(parser))
      test(`refuses the body ${JSON.stringify(String(body))} of the type ${type}`, async () => {
        const received = await send({ method: "POST", path: "/api/group", headers: { "content-type": type }, body });
        expect([received.status, JSON.parse(received.body).generalErrors[0]?.code]).toEqual([400, code]);
      });

  test("refuses a content encoding", async () => {
    const headers = { "content-encoding": "br2" };
    if (host.name === "express" && parser !== "none") return; // The host's parser answers before.
    const received = await send({ method: "POST", path: "/api/group", headers, body: { group: { name: "Packed" } } });
    expect([received.status, JSON.parse(received.body).generalErrors[0].code]).toEqual([415, "[UnsupportedContentEncoding]"]);
  });

  test("refuses a body over the limit, whether its length is announced or not", async () => {
    const request: Sent = { method: "POST", path: "/api/group", body: { group: { name: "x".repeat(maxBodyBytes) } } };
    // What the host's own parser made of a body of unknown length has met the host's limit, not ours.
    const chunked = { ...request, headers: { "transfer-encoding": "chunked" } };
    for (const sent of parser === "json" ? [request] : [request, chunked]) {
      const received = await send(sent);
      expect([received.status, JSON.parse(received.body).generalErrors[0]?.code]).toEqual([413, "[tooLarge]"]);
    }
  });

  test("leaves every other path to the host", async () => {
    const paths = ["/api/nothing", "/api/group/a/b/c", "/api", "/api/", "/api//group", "/apigroup", "/other", "/oauth2/x", "/"];
    for (const path of paths)
      for (const method of ["GET", "POST", "DELETE"]) {
        const received = await send({ method, path, ...(method === "POST" && { body: { some: "body" } }) });
        expect([method, path, received.status, received.body]).toEqual([method, path, 404, "no such page"]);
      }
    expect(await exchange(running.port, { path: "/hello" })).toMatchObject({ status: 200, body: "hello" });
    const custom = await exchange(running.port, { method: "POST", path: "/api/custom", body: { a: 1 } });
    expect([custom.status, JSON.parse(custom.body)]).toEqual([200, { echo: { a: 1 } }]);
  });

  if (basePath !== "")
    test("answers nothing outside of its base path", async () => {
      for (const path of ["/api/group", "/identityapi/group", "/identity", "/identit/api/group", "/x/identity/api/group"])
        expect(await exchange(running.port, { path, headers: authorized })).toMatchObject({ status: 404, body: "no such page" });
    });
});

/** The headers that are the service's own: without those of the transfer and of the framework. */
function withoutTransfer(received: Received): Received["headers"] {
  const {
    date,
    connection,
    "keep-alive": _keepAlive,
    "x-powered-by": _framework,
    "content-length": _length,
    ...own
  } = received.headers;
  expect([date?.length, connection?.length]).toEqual([1, 1]);
  return own;
}
