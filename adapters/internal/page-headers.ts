import { hash } from "node:crypto";

/** Headers of every response for browsers. */
export const browserHeaders: Readonly<Record<string, string>> = Object.freeze({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

/** The allowed sources of a page by directive; a missing directive forbids. */
export type PagePolicy = Readonly<
  Partial<Record<"connect-src" | "frame-src" | "img-src" | "script-src" | "style-src", readonly string[]>> & {
    /** Default: no form targets. `any`: for redirects to origins that are unknown in advance. */
    "form-action"?: readonly string[] | "any";
  }
>;

function toPolicy(allowed: PagePolicy): string {
  const { "form-action": targets = ["'none'"], ...loaded } = allowed;
  const listed = Object.entries({ ...loaded, "form-action": targets === "any" ? [] : targets }).flatMap(([name, sources = []]) =>
    sources.length === 0 ? [] : [`${name} ${[...new Set(sources)].join(" ")}`],
  );
  return ["default-src 'none'", ...listed, "base-uri 'none'", "frame-ancestors 'none'"].join("; ");
}

/** Headers of a page with a policy: no caching, no embedding in frames. */
export function pageHeaders(allowed: PagePolicy): Readonly<Record<string, string>> {
  return {
    ...browserHeaders,
    "cache-control": "no-store",
    "content-security-policy": toPolicy(allowed),
    "x-frame-options": "DENY",
  };
}

/** Returns the source expression that allows a script by its hash. */
export function toScriptSource(script: string): string {
  return `'sha256-${hash("sha256", script, "base64")}'`;
}

/**
 * Headers of a page with one script that posts a form to an application, which may redirect to any origin. The page keeps its
 * opener, which may wait for the login in another window, and sends its origin, which the receiver may check.
 */
export function formPostHeaders(scriptSource: string): Readonly<Record<string, string>> {
  const { "cross-origin-opener-policy": _opener, ...headers } = pageHeaders({
    "script-src": [scriptSource],
    "form-action": "any",
  });
  return { ...headers, "referrer-policy": "strict-origin" };
}
