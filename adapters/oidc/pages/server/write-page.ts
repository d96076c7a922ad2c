import type { ApiResponse } from "latchkey/ports";
import { browserHeaders, type PagePolicy, pageHeaders } from "../../../internal/page-headers.js";
import { errorSummary, noErrors } from "../html/fields.js";
import { html } from "../html/html.js";
import { writeLayout } from "../html/layout.js";
import type { PageView } from "./page.js";
import type { PageCall } from "./page-call.js";

/** The URLs of a page's assets. */
export interface PageAssets {
  readonly styleUrl: string;
  readonly scriptUrl: string;
}

/** Writes a page. */
export function writePage(call: PageCall, view: PageView, assets: PageAssets): ApiResponse {
  const { errors = noErrors, refreshSeconds, refreshUrl, title, usesScript } = view;
  const summary = errorSummary(call.fields(errors));
  const hasErrors = summary !== false;
  const { logoUrl } = call.parts.theme;
  const page = writeLayout({
    title,
    content: html`${summary}${view.content}`,
    language: call.language,
    name: call.name,
    logoUrl,
    styleUrl: assets.styleUrl,
    scriptUrl: usesScript ? assets.scriptUrl : undefined,
    refreshUrl,
    refreshSeconds,
    hasErrors,
  });
  const headers = {
    ...pageHeaders(policyOf(view, logoUrl)),
    "content-type": "text/html; charset=utf-8",
    "content-language": call.language.tag,
    vary: "accept-language, cookie",
  };
  return { status: view.status ?? (hasErrors ? 400 : 200), headers: withCookies(call, headers), body: page.toString() };
}

function policyOf({ frames = [], images = [], leadsOut = false, usesScript }: PageView, logoUrl: string | undefined): PagePolicy {
  const logo = logoUrl === undefined || logoUrl.startsWith("/") ? [] : [new URL(logoUrl).origin];
  return {
    "style-src": ["'self'"],
    "img-src": ["'self'", ...logo, ...images],
    ...(usesScript && { "script-src": ["'self'"], "connect-src": ["'self'"] }),
    "form-action": leadsOut ? "any" : ["'self'"],
    "frame-src": frames,
  };
}

/** Writes a redirect to another page. */
export function writeRedirect(call: PageCall, to: string): ApiResponse {
  return { status: 303, headers: withCookies(call, { ...browserHeaders, "cache-control": "no-store", location: to }), body: "" };
}

/** Adds the cookies of a call to headers. If a call sets a cookie twice, the last one counts. */
export function withCookies(call: PageCall, headers: ApiResponse["headers"]): ApiResponse["headers"] {
  const given = [headers["set-cookie"] ?? []].flat();
  const byName = new Map(call.setCookies.map((cookie) => [cookie.slice(0, cookie.indexOf("=")), cookie]));
  const cookies = [...given, ...byName.values()];
  return cookies.length === 0 ? headers : { ...headers, "set-cookie": cookies };
}

/**
 * The CSP source for the origin of a URL; undefined where a policy cannot express it. For schemes without an origin, such as
 * those of apps, it is the scheme.
 */
export function toPolicySource(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  const source = origin === "null" ? protocol : origin;
  return /^[\w:/.+[\]-]+$/.test(source) && !/^(?:javascript|data|blob|vbscript):/.test(source) ? source : undefined;
}
