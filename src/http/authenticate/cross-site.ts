import type { ApiRequest } from "../../ports/transport.js";

/** Returns whether a browser sent a request on behalf of another site than its target. */
export type CrossSiteCheck = (request: ApiRequest) => boolean;

/**
 * The check that what a browser adds by itself – a cookie – is worth nothing to other sites (OWASP, Cross-Site Request Forgery: verifying
 * the origin with standard headers). A request counts as cross-site when `Sec-Fetch-Site` says so, or when its `Origin` is another host than
 * the one it is for. `trustedOrigins` are origins such as `https://app.example.com` that are ours although they are not this host. What sends
 * neither header is no browser of today, and nothing that a site could make it do.
 */
export function createCrossSiteCheck(trustedOrigins: readonly string[]): CrossSiteCheck {
  const trusted = new Set(trustedOrigins);
  return ({ headers }) => {
    const { origin } = headers;
    if (typeof origin === "string" && trusted.has(origin)) return false;
    if (headers["sec-fetch-site"] === "cross-site") return true;
    return origin !== undefined && !isOwn(origin, headers.host ?? headers[":authority"]);
  };
}

// Only the hosts are compared: behind a proxy that ends TLS nobody here knows the scheme.
function isOwn(origin: string | readonly string[], host: string | readonly string[] | undefined): boolean {
  if (typeof origin !== "string" || typeof host !== "string" || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  // A default port may be written or not.
  const own = `${from.protocol}//${host}`;
  return /^https?:$/.test(from.protocol) && URL.canParse(own) && new URL(own).host === from.host;
}
