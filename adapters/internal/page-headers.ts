import { hash } from "node:crypto";

/** Headers of everything that is for browsers. */
export const browserHeaders: Readonly<Record<string, string>> = Object.freeze({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

/** What a page may load and do, by the names of directives; what is left out is forbidden. */
export type PagePolicy = Readonly<
  Partial<Record<"connect-src" | "frame-src" | "img-src" | "script-src" | "style-src", readonly string[]>> & {
    /** Default: nowhere. `any`: also where redirects lead that nobody knows before. */
    "form-action"?: readonly string[] | "any";
  }
>;

/** The policy of a page: what it does not name is forbidden. */
function toPolicy(allowed: PagePolicy): string {
  const { "form-action": targets = ["'none'"], ...loaded } = allowed;
  const listed = Object.entries({ ...loaded, "form-action": targets === "any" ? [] : targets }).flatMap(([name, sources = []]) =>
    sources.length === 0 ? [] : [`${name} ${[...new Set(sources)].join(" ")}`],
  );
  return ["default-src 'none'", ...listed, "base-uri 'none'", "frame-ancestors 'none'"].join("; ");
}

/** Headers of a page with a policy. It is not stored, and no other page shows it in a frame. */
export function pageHeaders(allowed: PagePolicy): Readonly<Record<string, string>> {
  return {
    ...browserHeaders,
    "cache-control": "no-store",
    "content-security-policy": toPolicy(allowed),
    "x-frame-options": "DENY",
  };
}

/** How a policy names the text of a script. */
export function toScriptSource(script: string): string {
  return `'sha256-${hash("sha256", script, "base64")}'`;
}

/**
 * Headers of a page whose one script posts a form to an application, which may lead on to any origin. Its opener stays, which may wait for the
 * login in another window, and the receiver learns the origin, which it may check.
 */
export function formPostHeaders(scriptSource: string): Readonly<Record<string, string>> {
  const { "cross-origin-opener-policy": _opener, ...headers } = pageHeaders({
    "script-src": [scriptSource],
    "form-action": "any",
  });
  return { ...headers, "referrer-policy": "strict-origin" };
}
