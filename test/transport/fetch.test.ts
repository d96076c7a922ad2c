import { Hono } from "hono";
import { fetchHandler } from "latchkey/fetch";
import { describe, expect, test } from "vitest";
import { apiKey, authorized, createTestService } from "./support/service.js";

const origin = "http://localhost";
const body = JSON.stringify({ group: { name: "Editors" } });
const post = { method: "POST", headers: { ...authorized, "content-type": "application/json" }, body };

interface AnyAnswer {
  readonly group?: { readonly id: string };
  readonly generalErrors?: readonly { readonly code: string }[];
}

async function readJson(response: Response | undefined): Promise<AnyAnswer> {
  return (await response?.json()) as AnyAnswer;
}

describe("fetchHandler", () => {
  test("answers a Request with a Response", async () => {
    const { identity } = await createTestService();
    const response = await fetchHandler(identity)(new Request(`${origin}/api/group`, post));
    expect([response?.status, response?.headers.get("content-type")]).toEqual([200, "application/json; charset=UTF-8"]);
    expect(response?.headers.get("etag")).toMatch(/^"[\w-]{8,}"$/);
    expect(await response?.json()).toMatchObject({ group: { name: "Editors" } });
  });

  test("leaves every other path to the host, and says so with undefined", async () => {
    const { identity } = await createTestService();
    const handler = fetchHandler(identity, { basePath: "/identity/" });
    expect(await handler(new Request(`${origin}/identity/api/nothing`))).toBeUndefined();
    expect(await handler(new Request(`${origin}/api/group`))).toBeUndefined();
    expect(await handler(new Request(`${origin}/identity`))).toBeUndefined();
    expect((await handler(new Request(`${origin}/identity/api/group`)))?.status).toBe(401);
  });

  test("refuses a URL with a user, which a server may pass on that makes its requests late", async () => {
    const { identity } = await createTestService();
    const handler = fetchHandler(identity, { basePath: "/identity" });
    for (const user of ["a", "a:b", ":b"]) {
      // As @hono/node-server: reading the body makes a request of the URL, which throws.
      const toLate = (path: string): Request => {
        const late = new Request(`${origin}${path}`, { headers: authorized });
        const url = late.url.replace("//", `//${user}@`);
        return Object.defineProperties(late, { url: { value: url }, body: { get: () => new Request(url).body } });
      };
      expect((await handler(toLate("/identity/api/group")))?.status).toBe(400);
      expect(await handler(toLate("/other"))).toBeUndefined();
    }
  });

  test("gives answers that have no body none at all", async () => {
    const { identity } = await createTestService();
    const handler = fetchHandler(identity);
    const created = await handler(new Request(`${origin}/api/group`, post));
    const path = `${origin}/api/group/${(await readJson(created)).group?.id}`;
    const unchanged = { ...authorized, "if-none-match": created?.headers.get("etag") ?? "" };
    const responses = [
      await handler(new Request(path, { headers: unchanged })),
      await handler(new Request(path, { method: "HEAD", headers: authorized })),
      await handler(new Request(path, { method: "DELETE", headers: authorized })),
      await handler(new Request(path)),
    ];
    expect(responses.map((response) => [response?.status, response?.body])).toEqual([
      [304, null],
      [200, null],
      [200, null],
      [401, null],
    ]);
  });

  test("refuses a body that breaks off or is too long, and logs nothing", async () => {
    const { identity, logged } = await createTestService({ maxBodyBytes: 100 });
    const handler = fetchHandler(identity);
    const send = (stream: ReadableStream<Uint8Array>): Promise<Response | undefined> => {
      const init = { ...post, body: stream, duplex: "half" as const };
      return handler(new Request(`${origin}/api/group`, init));
    };
    const broken = await send(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new TextEncoder().encode('{"group"'));
          controller.error(new Error("The client went away."));
        },
      }),
    );
    expect([broken?.status, (await readJson(broken)).generalErrors?.[0]?.code]).toEqual([400, "[invalidJSON]"]);
    let pulls = 0;
    const endless = await send(
      new ReadableStream({
        pull(controller) {
          pulls++;
          controller.enqueue(new Uint8Array(1_048_576));
        },
      }),
    );
    expect(endless?.status).toBe(413);
    // Some of it is dropped, so that a client that is still sending gets the answer; not all there may be.
    expect(pulls).toBeLessThan(70);
    expect(logged).toEqual([]);
  });

  test("gives up on a body that stalls", async () => {
    const { identity } = await createTestService({ bodyTimeoutMs: 10 });
    const init = { ...post, body: new ReadableStream({}), duplex: "half" as const };
    expect((await fetchHandler(identity)(new Request(`${origin}/api/group`, init)))?.status).toBe(408);
  });

  test("takes the body that the host has read, and refuses one that it withholds", async () => {
    const { identity } = await createTestService();
    const handler = fetchHandler(identity);
    const asJson = new Request(`${origin}/api/group`, post);
    const parsedBody: unknown = await asJson.json();
    expect((await handler(asJson, { parsedBody }))?.status).toBe(200);
    const asText = new Request(`${origin}/api/group`, { ...post, body: body.replace("Editors", "Readers") });
    expect((await handler(asText, { parsedBody: await asText.text() }))?.status).toBe(200);
    const asBytes = new Request(`${origin}/api/group`, { ...post, body: body.replace("Editors", "Writers") });
    expect((await handler(asBytes, { parsedBody: await asBytes.bytes() }))?.status).toBe(200);
    const kept = new Request(`${origin}/api/group`, post);
    await kept.text();
    const refused = await handler(kept);
    expect([refused?.status, await refused?.text()]).toEqual([400, expect.stringMatching(/unreadableBody.*parsedBody/)]);
  });
});

describe("hono", () => {
  async function createApp(): Promise<Hono> {
    const { identity } = await createTestService();
    const handler = fetchHandler(identity, { basePath: "/identity" });
    const app = new Hono();
    app.get("/hello", (context) => context.text("hello"));
    app.post("/identity/api/custom", async (context) => context.json({ echo: await context.req.json() }));
    app.use("/identity/*", async (context, next) => (await handler(context.req.raw)) ?? next());
    app.notFound((context) => context.text("no such page", 404));
    return app;
  }

  test("serves the service beside the host's own routes", async () => {
    const app = await createApp();
    expect(await (await app.request("/hello")).text()).toBe("hello");
    const custom = await app.request("/identity/api/custom", { method: "POST", body: '{"a":1}' });
    expect(await custom.json()).toEqual({ echo: { a: 1 } });
    for (const path of ["/identity/api/nothing", "/api/group", "/other"]) {
      const response = await app.request(path, { headers: authorized });
      expect([path, response.status, await response.text()]).toEqual([path, 404, "no such page"]);
    }
  });

  test.each([
    ["GET", 200],
    ["HEAD", 200],
    ["POST", 400],
    ["PUT", 400],
    ["PATCH", 400],
    ["DELETE", 400],
    ["OPTIONS", 405],
  ])("answers %s with %i", async (method, status) => {
    const app = await createApp();
    expect((await app.request("/identity/api/group", { method, headers: { authorization: apiKey } })).status).toBe(status);
  });

  test("carries a patch through", async () => {
    const app = await createApp();
    const { group } = await readJson(await app.request("/identity/api/group", post));
    const patch = await app.request(`/identity/api/group/${group?.id}`, {
      method: "PATCH",
      headers: { ...authorized, "content-type": "application/json-patch+json" },
      body: JSON.stringify([{ op: "replace", path: "/group/name", value: "Readers" }]),
    });
    expect(await patch.json()).toMatchObject({ group: { name: "Readers" } });
  });
});
