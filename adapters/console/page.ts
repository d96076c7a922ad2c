import { createHash } from "node:crypto";
import type { ApiRequest, ApiResponse, Random } from "latchkey/ports";
import manifest from "../../package.json" with { type: "json" };
import { browserHeaders } from "../internal/page-headers.js";
import type { ConsoleOptions, ConsoleTab } from "./options.js";

/** The answer to a path that the console does not have. */
export const notFound: ApiResponse = Object.freeze({ status: 404, headers: browserHeaders, body: "" });

/** The answer to a method that its files do not have. */
export const notAllowed: ApiResponse = Object.freeze({
  status: 405,
  headers: { ...browserHeaders, allow: "GET, HEAD" },
  body: "",
});

/** What a page is made of. */
export interface PageParts {
  /** The page as it was built. */
  readonly template: string;
  /** The path that browsers see the console at, without a slash at its end. */
  readonly mount: string;
  readonly tenantHeader: string;
  /** The URL of the service as browsers reach it, where the host says it. */
  readonly publicUrl: string | undefined;
  readonly options: ConsoleOptions;
  readonly random: Random;
}

/** The page of the application: the same for every screen, which its script finds by the path. */
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
  // The page that a browser holds has the nonce of its own headers: those of this answer must not replace them.
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

// The base stands first, so that every address after it is below the mount point, whether the URL ends with a slash or not; the host's tokens
// stand last, and win.
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

/** The host's design tokens as a style sheet: the page takes no styles of its own. */
export function writeBrand({ brand }: ConsoleOptions): ApiResponse {
  const rules = Object.entries(brand?.tokens ?? {}).map(([name, value]) => `  ${name}: ${value};\n`);
  return {
    status: 200,
    headers: { ...browserHeaders, "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" },
    // Koa sends an empty text without its type.
    body: `:root {\n${rules.join("")}}\n`,
  };
}
