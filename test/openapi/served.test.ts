import { registerHooks } from "node:module";
import { createIdentityService, etagOf } from "latchkey";
import { fetchHandler } from "latchkey/fetch";
import { memoryStorage } from "latchkey/memory";
import type { ApiRequest } from "latchkey/ports";
import { describe, expect, onTestFinished } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { toApiRequest } from "../../src/http/transport/inject.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { expectSecurePage } from "../support/secure-page.js";
import { callerOfTenant, makeTenant, startWorld, type World } from "../support/world.js";

const path = "/api/openapi.json";
const start = (options: Parameters<typeof startWorld>[1] = {}): Promise<World> => startWorld(memoryStorage(), options);
const anybody = ({ identity }: World): Caller => new Caller(identity, {});

describe("the document", () => {
  requirement("openapi.served", "requires a credential", async () => {
    const world = await start();
    expectEmpty(await anybody(world).get(path), 401);
    const answer = expectOk(await world.caller.get(path));
    expect(answer.at("openapi")).toBe("3.1.1");
    expect(Object.keys(answer.at("paths") as object)).toEqual(Object.keys(document.paths));
    const tenantId = await makeTenant(world, "One");
    expectOk(await (await callerOfTenant(world, tenantId)).get(path));
  });

  requirement("openapi.served", "needs the grant of its path where a key has grants", async () => {
    const world = await start();
    await world.identity.apiKeys.create({
      apiKey: { key: "narrow-key-of-the-tests", permissions: { endpoints: { "/api/group": ["GET"] } } },
    });
    expectEmpty(await world.as("narrow-key-of-the-tests").get(path), 401);
  });

  requirement("openapi.served", "has an ETag, and answers 304 to a caller that has it", async () => {
    const world = await start();
    const first = expectOk(await world.caller.get(path));
    expect(first.etag).toMatch(/^"[\w-]{27}"$/);
    const again = await world.caller.get(path, { "If-None-Match": first.etag });
    expect([again.status, again.text, again.etag]).toEqual([304, "", first.etag]);
    expect(expectOk(await world.caller.get(path)).etag).toBe(first.etag);
  });

  requirement("openapi.served", "is there in process", async () => {
    const { identity } = await start();
    const api = await identity.system.openApi();
    expect(api).toMatchObject({ openapi: "3.1.1", servers: [{ url: "/" }] });
    expect(etagOf(api)).toMatch(/^"[\w-]+"$/);
  });

  requirement("openapi.version", "is that of the service's version and plan", async () => {
    const { caller } = await start({ version: "1.44.0", plan: "community" });
    const answer = expectOk(await caller.get(path));
    expect(answer.at("info")).toEqual({
      title: "Latchkey",
      version: "1.44.0",
      summary: expect.any(String),
      license: { name: "MIT", identifier: "MIT" },
    });
    expect(answer.text).not.toMatch(/x-(since|until|plan)/);
    const paths = answer.at("paths") as Record<string, object>;
    expect(paths["/api/group/search"]).toBeUndefined();
    expect(Object.keys(paths["/api/form/{formId}"] ?? {})).toEqual(["get", "delete"]);
  });

  requirement("openapi.names", "has the service's words and the path that it is mounted at", async () => {
    const { identity } = await start({ names: { service: "Acme", broker: "bus" } });
    const handler = fetchHandler(identity, { basePath: "/identity" });
    const request = new Request(`http://localhost/identity${path}`, {
      headers: { authorization: "bootstrap-key-of-the-tests-0123456789" },
    });
    const api = (await (await handler(request))?.json()) as typeof document;
    expect(api.servers).toEqual([{ url: "/identity" }]);
    expect(api.components.parameters.TenantHeader?.name).toBe("X-Acme-TenantId");
    expect(Object.keys(api.components.schemas.Integrations.properties)).toContain("bus");
    expect((await identity.system.openApi()).servers).toEqual([{ url: "/" }]);
  });

  requirement("openapi.version", "is each service's own, side by side", async () => {
    const [older, newer] = [await start({ version: "1.30.0" }), await start()];
    const versionOf = async ({ caller }: World): Promise<unknown> => expectOk(await caller.get(path)).at("info.version");
    expect([await versionOf(older), await versionOf(newer), await versionOf(older)]).toEqual(["1.30.0", "1.65.0", "1.30.0"]);
  });
});

describe("the page", () => {
  requirement("openapi.docs-off", "is not there unless it is wanted", async () => {
    const world = await start();
    const request = (url: string): ApiRequest => toApiRequest({ url });
    for (const url of ["/api/docs", "/api/docs/swagger-ui.css"])
      expect(await world.identity.handle(request(url))).toBeUndefined();
  });

  requirement("openapi.docs", "and the document are for everybody where they are wanted", async () => {
    const world = await start({ docs: true });
    expectOk(await anybody(world).get(path));
    const page = expectOk(await anybody(world).get("/api/docs"));
    expect(page.headers["content-type"]).toBe("text/html; charset=UTF-8");
    expectSecurePage(page.headers, page.text);
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
    expect(files).toEqual(["/api/docs/swagger-ui.css", "/api/docs/swagger-ui-bundle.js", "/api/docs/start.js"]);
    for (const url of files) expect(expectOk(await anybody(world).get(url)).text.length).toBeGreaterThan(100);
    expectEmpty(await anybody(world).get("/api/group"), 401);
  });

  requirement("openapi.docs", "finds its files below the path that the service is mounted at", async () => {
    const { identity } = await start({ docs: true });
    const get = (basePath: string): ApiRequest => ({ ...toApiRequest({ url: "/api/docs" }), basePath });
    expect((await identity.handle(get("/identity")))?.body).toContain('src="/identity/api/docs/start.js"');
    expect((await identity.handle(get(`/"><script>alert(1)</script>`)))?.body).not.toContain("<script>alert");
  });

  requirement("openapi.docs-safe", "runs no script but those files, and asks no other host", async () => {
    const world = await start({ docs: true });
    const page = expectOk(await anybody(world).get("/api/docs"));
    const policy = page.headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.text).not.toMatch(/<script>|<script [^>]*>[^<]|https?:\/\/| on\w+=/);
    const script = expectOk(await anybody(world).get("/api/docs/start.js"));
    expect(script.text).toContain("validatorUrl: null");
    for (const answer of [page, script]) expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });

  requirement("openapi.docs-safe", "serves no other file", async () => {
    const world = await start({ docs: true });
    const names = [
      "package.json",
      "index.html",
      "swagger-ui.js",
      "..%2Fpackage.json",
      "..%2f..%2fopenapi.json",
      "%2Fetc%2Fpasswd",
      "constructor",
      "__proto__",
      ".",
    ];
    for (const name of names) {
      const answer = await anybody(world).get(`/api/docs/${name}`);
      expect({ name, status: answer.status, text: answer.text }).toEqual({ name, status: 404, text: "" });
    }
  });

  requirement("openapi.docs-safe", "is not what a key's grants are about", async () => {
    const world = await start({ docs: true });
    const wrong = new Caller(world.identity, { Authorization: "no such key" });
    expectOk(await wrong.get(path));
  });
});

requirement("openapi.docs", "a service with docs is started and closed as any other", async () => {
  const identity = await createIdentityService({ storage: memoryStorage(), docs: true });
  onTestFinished(() => identity.close());
  expect((await identity.inject({ url: "/api/docs/" })).status).toBe(200);
});

requirement(
  "openapi.docs-missing",
  "a service with docs and without the viewer does not start, and says what to install",
  async () => {
    const hooks = registerHooks({
      resolve(specifier, context, next) {
        if (specifier.startsWith("swagger-ui-dist")) throw new Error("There is no such package.");
        return next(specifier, context);
      },
    });
    onTestFinished(() => hooks.deregister());
    const starting = createIdentityService({ storage: memoryStorage(), docs: true });
    await expect(starting).rejects.toThrow("npm install swagger-ui-dist");
  },
);
