import { createServer as createTlsServer, request as tlsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import express from "express";
import Koa from "koa";
import { createIdentityService, type IdentityServiceOptions } from "latchkey";
import { identityRouter } from "latchkey/express";
import { fetchHandler } from "latchkey/fetch";
import { identityMiddleware } from "latchkey/koa";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import type { ApiRequest } from "latchkey/ports";
import { describe, expect, onTestFinished } from "vitest";
import { createUrlResolver } from "../../src/http/authenticate/source-address.js";
import { addProofRoutes, type ClientKey, makeClientKey, makeProof, makeToken, presented, whoAmI } from "../support/dpop.js";
import { requirement } from "../support/requirement.js";
import { startWorld, type World } from "../support/world.js";
import { exchange } from "./support/exchange.js";
import { hosts } from "./support/hosts.js";

addProofRoutes();

interface Client {
  readonly world: World;
  readonly key: ClientKey;
  readonly token: string;
  /** The headers of a request that proves to be for this URL. */
  readonly prove: (url: string) => Promise<Record<string, string>>;
}

async function startClient(options: Partial<IdentityServiceOptions> = {}): Promise<Client> {
  const world = await startWorld(memoryStorage(), options);
  const key = await makeClientKey();
  const token = await makeToken(world, key);
  const prove = async (url: string): Promise<Record<string, string>> => ({
    ...presented(token, await makeProof(key, { token, url, now: world.clock.now() })),
  });
  return { world, key, token, prove };
}

describe.each(hosts)("the URL of a proof on $name", (host) => {
  requirement("dpop.url", "is the one that was called, mount point included", async () => {
    for (const basePath of ["", "/identity", "/deep/down"]) {
      const { world, prove } = await startClient();
      await using running = await host.start([{ identity: world.identity, basePath }]);
      const path = `${basePath}${whoAmI}`;
      const ask = async (url: string, headers = {}): Promise<number> =>
        (await exchange(running.port, { path: `${path}?a=b`, headers: { ...(await prove(url)), ...headers } })).status;
      const root = `http://127.0.0.1:${running.port}`;
      expect([basePath, await ask(root + path)]).toEqual([basePath, 200]);
      expect(await ask(`https://127.0.0.1:${running.port}${path}`)).toBe(401);
      expect(await ask(`${root}/other${whoAmI}`)).toBe(401);
      if (basePath !== "") expect(await ask(root + whoAmI)).toBe(401);
      expect(await ask(`http://id.example.com${path}`, { host: "id.example.com" })).toBe(200);
    }
  });

  requirement("dpop.proxies", "is what a trusted proxy says, and nobody else", async () => {
    const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "id.example.com" };
    const url = `https://id.example.com/identity${whoAmI}`;
    for (const [trustedProxies, status] of [
      [["127.0.0.0/8", "::1"], 200],
      [["10.0.0.1"], 401],
      [[], 401],
    ] as const) {
      const { world, prove } = await startClient({ trustedProxies });
      await using running = await host.start([{ identity: world.identity, basePath: "/identity" }]);
      const sent = { path: `/identity${whoAmI}`, headers: { ...(await prove(url)), ...forwarded } };
      expect([trustedProxies, (await exchange(running.port, sent)).status]).toEqual([trustedProxies, status]);
    }
  });

  requirement("dpop.proxies", "is below publicUrl where the host says so, despite other headers", async () => {
    const { world, prove } = await startClient({ publicUrl: "https://id.example.com/accounts/", trustedProxies: ["127.0.0.1"] });
    await using running = await host.start([{ identity: world.identity, basePath: "/identity" }]);
    const ask = async (url: string): Promise<number> => {
      const headers = {
        ...(await prove(url)),
        "x-forwarded-proto": "http",
        "x-forwarded-host": "other.example",
        host: "third.example",
      };
      return (await exchange(running.port, { path: `/identity${whoAmI}`, headers })).status;
    };
    expect(await ask(`https://id.example.com/accounts${whoAmI}`)).toBe(200);
    for (const root of ["http://other.example/identity", "http://third.example/identity", "https://id.example.com"])
      expect([root, await ask(root + whoAmI)]).toEqual([root, 401]);
  });
});

describe("the URL of a proof", () => {
  requirement("dpop.url", "has every mount point that Express has taken away", async () => {
    const { world, prove } = await startClient();
    const app = express().use("/outer", express.Router().use("/inner", identityRouter(world.identity)));
    const server = app.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const path = `/outer/inner${whoAmI}`;
    expect((await exchange(port, { path, headers: await prove(`http://127.0.0.1:${port}${path}`) })).status).toBe(200);
  });

  requirement("dpop.url", "has what other middleware of Koa has taken away", async () => {
    const { world, prove } = await startClient();
    const koa = new Koa();
    koa.use((context, next) => {
      context.path = context.path.replace(/^\/outer/, "");
      return next();
    });
    koa.use(identityMiddleware(world.identity, { basePath: "/inner" }));
    const server = koa.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const path = `/outer/inner${whoAmI}`;
    expect((await exchange(port, { path, headers: await prove(`http://127.0.0.1:${port}${path}`) })).status).toBe(200);
  });

  requirement("dpop.url", "is one of https where the connection is encrypted", async () => {
    const { world, prove } = await startClient();
    const handler = nodeHandler(world.identity);
    // A key that both sides know spares the test a certificate.
    const psk = Buffer.alloc(32, 7);
    const tls = { ciphers: "PSK-AES256-GCM-SHA384", maxVersion: "TLSv1.2" } as const;
    const server = createTlsServer({ ...tls, pskCallback: () => psk }, (req, res) => void handler(req, res));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const client = { ...tls, pskCallback: () => ({ psk, identity: "test" }), checkServerIdentity: () => undefined };
    const ask = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = tlsRequest({ host: "127.0.0.1", port, path: whoAmI, headers, agent: false, ...client }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.on("error", reject).end();
      });
    expect(await ask(await prove(`https://127.0.0.1:${port}${whoAmI}`))).toBe(200);
    expect(await ask(await prove(`http://127.0.0.1:${port}${whoAmI}`))).toBe(401);
  });

  requirement("dpop.url", "is that of the Request where a runtime shows no host", async () => {
    const { world, prove } = await startClient();
    const url = `https://id.example.com:8443/identity${whoAmI}`;
    const handler = fetchHandler(world.identity, { basePath: "/identity/" });
    expect((await handler(new Request(`${url}?a=b`, { headers: await prove(url) })))?.status).toBe(200);
  });

  requirement("dpop.proxies", "comes from the last of several entries, and only from a valid host or scheme", async () => {
    const urlOf = await createUrlResolver({ publicUrl: undefined, trustedProxies: ["10.0.0.1"] });
    const request: ApiRequest = {
      method: "GET",
      path: "/api/x",
      query: "",
      headers: {},
      basePath: "/id",
      remoteAddress: "10.0.0.1",
    };
    const cases: readonly (readonly [headers: ApiRequest["headers"], url: string | undefined])[] = [
      [{ host: "a.example" }, "http://a.example/id/api/x"],
      [{ ":authority": "a.example" }, "http://a.example/id/api/x"],
      [{ host: "[::1]:8080" }, "http://[::1]:8080/id/api/x"],
      [{ host: "a.example", "x-forwarded-proto": "http, HTTPS" }, "https://a.example/id/api/x"],
      [{ host: "a.example", "x-forwarded-host": "evil.example, b.example" }, "http://b.example/id/api/x"],
      [{ host: "a.example", "x-forwarded-host": ["evil.example", "b.example"] }, "http://b.example/id/api/x"],
      [{ host: "a.example", "x-forwarded-proto": "ftp" }, undefined],
      [{ host: "a.example", "x-forwarded-proto": "" }, undefined],
      [{ host: "a.example", "x-forwarded-host": "" }, undefined],
      [{ host: "a.example", "x-forwarded-host": "b.example/path" }, undefined],
      [{ host: "a.example:port" }, undefined],
      [{}, undefined],
    ];
    for (const [headers, url] of cases) expect([headers, urlOf({ ...request, headers })]).toEqual([headers, url]);
    const encrypted = { ...request, isEncrypted: true, headers: { host: "a.example" } };
    expect(urlOf(encrypted)).toBe("https://a.example/id/api/x");
    expect(urlOf({ method: "GET", path: "/x", query: "", headers: { host: "a.example" } })).toBe("http://a.example/x");
  });

  requirement("dpop.proxies", "cannot be said wrongly: publicUrl is a URL of HTTP without query and fragment", async () => {
    for (const publicUrl of [
      "",
      "id.example.com",
      "/identity",
      "ftp://id.example.com",
      "https://a@id.example.com",
      "https://id.example.com?a",
      "https://id.example.com/#a",
    ]) {
      const start = createIdentityService({ storage: memoryStorage(), publicUrl });
      await expect(start, publicUrl).rejects.toThrow(/publicUrl/);
    }
  });
});
