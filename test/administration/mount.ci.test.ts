// The page and the files of the console, which are built first.

import { adminConsole } from "latchkey/console";
import type { ApiResponse } from "latchkey/ports";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../examples/console.js";
import { buildConsoleWhenStale } from "../../scripts/build-console.js";
import { requirement } from "../support/requirement.js";
import { expectSecurePage } from "../support/secure-page.js";
import { exchange } from "../transport/support/exchange.js";
import { hosts } from "../transport/support/hosts.js";
import { type ConsoleClient, createConsoleClient } from "./support/console-client.js";

let client: ConsoleClient;

beforeAll(async () => {
  await buildConsoleWhenStale();
  client = await createConsoleClient({ basePath: "" });
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> =>
  client.send("GET", path, { headers });

/** What the page says to its script. */
const configOf = (body: string): Record<string, unknown> =>
  JSON.parse(/<script type="application\/json" id="console-config">(.*)<\/script>/.exec(body)?.[1] ?? "");
const baseOf = (body: string): string | undefined => /<base href="([^"]*)"/.exec(body)?.[1];

describe.each(hosts.filter(({ name }) => name !== "node"))("$name", (host) => {
  requirement("console.mount", "serves the page, its files and the session at any depth", async () => {
    const { identity } = client;
    const basePaths = ["/admin", "/a/b/admin", ""];
    for (const basePath of basePaths) {
      await using running = await host.start([{ identity: adminConsole(identity), basePath }]);
      const urls =
        basePath === "" ? ["/", "/users/1?q=a"] : [basePath, `${basePath}/`, `${basePath}?q=a`, `${basePath}/users/1?q=a`];
      for (const url of urls) {
        const { body, status } = await exchange(running.port, { path: url });
        expect([url, status, baseOf(body), configOf(body).base]).toEqual([url, 200, `${basePath}/`, `${basePath}/`]);
      }
      const { body } = await exchange(running.port, { path: `${basePath}/` });
      const asset = /src="\.\/(assets\/[^"]+)"/.exec(body)?.[1];
      const file = await exchange(running.port, { path: `${basePath}/${asset}`, headers: { "accept-encoding": "gzip, br" } });
      expect([file.status, file.headers["content-encoding"], file.headers["cache-control"]]).toEqual([
        200,
        ["br"],
        ["public, max-age=31536000, immutable"],
      ]);
      const session = await exchange(running.port, { path: `${basePath}/session`, headers: { "sec-fetch-site": "same-origin" } });
      expect([session.status, JSON.parse(session.body).setUp]).toEqual([401, true]);
      const signIn = {
        method: "POST",
        path: `${basePath}/session`,
        headers: { "content-type": "application/json", "x-console": "1" },
        body: "{}",
      };
      expect((await exchange(running.port, signIn)).status).toBeGreaterThanOrEqual(400);
    }
  });
});

requirement("console.mount", "a proxy that takes a prefix away names it; what is no path is refused", async () => {
  const seen = async (prefix: string): Promise<unknown> => {
    const { body, status } = await get("/users", { "x-forwarded-prefix": prefix });
    return status === 200 ? baseOf(body) : status;
  };
  expect(await seen("/tools")).toBe("/tools/");
  expect(await seen("/tools/")).toBe("/tools/");
  for (const hostile of [
    "//evil.example",
    "https://evil.example",
    "/a/../b",
    '/"><script>',
    "/a b",
    "tools",
    "/a;b",
    "/a\\b",
    "/a,b",
    `/${"a".repeat(2_000)}`,
  ])
    expect([hostile, await seen(hostile)]).toEqual([hostile, 404]);
});

requirement("console.mount", "a proxy that says nothing takes away what the host says", async () => {
  const quiet = await createConsoleClient({ basePath: "/admin", proxyPrefix: "/tools/" });
  const seen = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> =>
    baseOf((await quiet.send("GET", "/users", { headers })).body);
  expect(await seen({})).toBe("/tools/admin/");
  expect(await seen({ "x-forwarded-prefix": "/other" })).toBe("/other/admin/");
  expect(await seen({ "x-forwarded-prefix": "" })).toBe("/admin/");
});

requirement("console.files", "no path leads to a file that was not built", async () => {
  const paths = [
    "/assets/none.js",
    "/assets/../index.html",
    "/assets/..%2f..%2fpackage.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/assets/\0.js",
    "/assets/",
  ];
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 404]);
  for (const path of ["/../package.json", "/%2e%2e/package.json", "/index.html.br"]) {
    const { body, headers } = await get(path);
    expect([headers["content-type"], baseOf(body)]).toEqual(["text/html; charset=utf-8", "/"]);
  }
  expect((await client.send("POST", "/users")).status).toBe(405);
  // The preview of a theme answers POST alone.
  expect((await get("/theme-preview")).headers["content-type"]).toContain("text/html");
});

requirement("console.files", "files come in the form that a browser takes; the page is checked again each time", async () => {
  const { body, headers } = await get("/");
  const asset = /src="\.\/(assets\/[^"]+)"/.exec(body)?.[1];
  const sizes: number[] = [];
  for (const [accepted, encoding] of [
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["identity", undefined],
  ] as const) {
    const file = await get(`/${asset}`, { "accept-encoding": accepted });
    expect([file.headers["content-encoding"], file.headers.vary]).toEqual([encoding, "accept-encoding"]);
    sizes.push(file.bytes?.length ?? 0);
  }
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  expect(headers["cache-control"]).toBe("no-cache");
  const again = await get("/", { "if-none-match": String(headers.etag) });
  // A policy with a fresh nonce would not fit the page that the browser holds.
  expect([again.status, again.headers["content-security-policy"]]).toEqual([304, undefined]);
});

requirement("console.policy", "the policy of the page forbids what is inline, foreign or framing", async () => {
  const [first, second] = [await get("/"), await get("/")];
  const policy = String(first.headers["content-security-policy"]);
  expect(policy.split("; ").map((rule) => rule.replace(/nonce-[\w-]{22}/, "nonce"))).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'nonce'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]);
  expectSecurePage(first.headers, first.body);
  expect(policy).toContain(`nonce-${configOf(first.body).nonce}`);
  expect(second.headers["content-security-policy"]).not.toBe(policy);
  expect(first.body).not.toMatch(/<style|style=|<script(?! type="application\/json"| type="module" crossorigin src="\.\/assets)/);
  for (const path of ["/", "/session", "/api/user", "/brand.css", "/assets/none"]) {
    const { headers } = await get(path);
    expect([path, headers["x-content-type-options"], headers["referrer-policy"], headers["cross-origin-opener-policy"]]).toEqual([
      path,
      "nosniff",
      "no-referrer",
      "same-origin",
    ]);
  }
});

requirement("console.options", "name, tokens, areas, links and tabs reach the page; texts cannot end its script", async () => {
  const name = "</script><script>alert(1)</script>";
  const tabs = [{ id: "orders", label: "Orders", url: "https://orders.example.com/week" }];
  const links = [{ label: "Help", href: "/help" }];
  const own = await createConsoleClient({
    basePath: "",
    brand: { name, tokens: { "--accent": "#7a1f5c" } },
    hiddenAreas: ["forms"],
    links,
    tabs,
  });
  const { body, headers } = await own.send("GET", "/");
  expect(body).not.toContain("<script>");
  expect(configOf(body)).toMatchObject({
    brand: { name },
    hiddenAreas: ["forms"],
    links,
    tabs,
    tenantHeader: "X-Service-TenantId",
  });
  expect(headers["content-security-policy"]).toContain("frame-src 'self' https://orders.example.com;");
  expect((await own.send("GET", "/brand.css")).body).toBe(":root {\n  --accent: #7a1f5c;\n}\n");
});

test("the example shows the console and prints its link", async () => {
  const { app, setUpPath } = await createApp();
  expect(setUpPath).toMatch(/^\/admin\/set-up#[\w-]{43}$/);
  expect(app).toBeDefined();
});
