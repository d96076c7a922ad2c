import { createHash } from "node:crypto";
import type { ApiRequest, ApiResponse, Random } from "latchkey/ports";
import manifest from "../../package.json" with { type: "json" };
import { browserHeaders } from "../internal/page-headers.js";
import type { ConsoleOptions, ConsoleTab } from "./options.js";

/** The response for a path that the console does not serve. */
export const notFound: ApiResponse = Object.freeze({ status: 404, headers: browserHeaders, body: "" });

/** The response for a method that its files do not support. */
export const notAllowed: ApiResponse = Object.freeze({
  status: 405,
  headers: { ...browserHeaders, allow: "GET, HEAD" },
  body: "",
});

/** The input of {@link writePage}. */
export interface PageParts {
  readonly template: string;
  /** The path of the console as browsers see it, without a trailing slash. */
  readonly mount: string;
  readonly tenantHeader: string;
  /** The public URL of the service, if the host sets it. */
  readonly publicUrl: string | undefined;
  readonly options: ConsoleOptions;
  readonly random: Random;
}

/** Renders the page of the application, the same for every screen: its script picks the screen by path. */
export function writePage(parts: PageParts, { headers }: ApiRequest): ApiResponse {
  const { template, mount, publicUrl, random, tenantHeader, options } = parts;
  const nonce = Buffer.from(random(16)).toString("base64url");
  const { brand, hiddenAreas = [], links = [], tabs = [] } = options;
  const config = {
    base: `${mount}/`,
    brand: { name: brand?.name ?? "Latchkey", logoUrl: brand?.logoUrl },
    hiddenAreas,
    links,
    tabs,
    locales: ["en", "de"],
    version: manifest.version,
    tenantHeader,
    publicUrl,
  };
  const etag = `"${createHash("sha256").update(template).update(JSON.stringify(config)).digest("base64url").slice(0, 22)}"`;
  // A browser's cached page has the nonce of its own headers: a 304 must not replace them.
  if (String(headers["if-none-match"] ?? "").includes(etag))
    return { status: 304, headers: { etag, "cache-control": "no-cache" }, body: "" };
  return {
    status: 200,
    headers: {
      ...browserHeaders,
      "x-frame-options": "DENY",
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": toPolicy(nonce, tabs),
      etag,
    },
    body: fill(template, mount, { ...config, nonce }),
  };
}

// The base comes first, so that every relative address resolves below the mount point, with or without a trailing slash in the
// URL. The host's tokens come last, to override.
function fill(template: string, mount: string, config: object): string {
  const json = JSON.stringify(config).replaceAll("<", "\\u003c");
  const base = `<base href="${mount.replaceAll("&", "&amp;")}/" />`;
  const last = `<link rel="stylesheet" href="brand.css" />\n    <script type="application/json" id="console-config">${json}</script>\n  `;
  return template.replace("<head>", () => `<head>\n    ${base}`).replace("</head>", () => `${last}</head>`);
}

function toPolicy(nonce: string, tabs: readonly ConsoleTab[]): string {
  const framed = tabs.flatMap(({ url }) => (url.startsWith("/") ? [] : [new URL(url).origin]));
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${["'self'", ...new Set(framed)].join(" ")}`,
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** The host's design tokens as a style sheet: the page's policy refuses inline styles. */
export function writeBrand({ brand }: ConsoleOptions): ApiResponse {
  const rules = Object.entries(brand?.tokens ?? {}).map(([name, value]) => `  ${name}: ${value};\n`);
  return {
    status: 200,
    headers: { ...browserHeaders, "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" },
    // Not empty: Koa drops the content type of an empty body.
    body: `:root {\n${rules.join("")}}\n`,
  };
}
