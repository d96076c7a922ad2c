import type { Logger } from "../../ports/runtime.js";
import type { ApiRequest } from "../../ports/transport.js";
import { accessTokenCookie } from "./read-credential.js";

/** How the cookies of a login are set, every default filled in. */
export interface CookieSettings {
  readonly secure: boolean;
  readonly sameSite: "Strict" | "Lax" | "None";
  /** Undefined: this host and no other. */
  readonly domain: string | undefined;
  readonly path: string;
}

/** The cookie that a browser refreshes its access token with. */
export const refreshTokenCookie = "refresh_token";

/** The cookie by which a login recognizes a browser. It authenticates nobody. */
export const deviceCookie = "device";

/** As long as browsers keep a cookie at most. */
const deviceCookieSeconds = 400 * 86_400;

/** The header that sets {@link deviceCookie}. No other site causes a browser to send it. */
export function toDeviceCookie(settings: CookieSettings, value: string): string {
  return toCookie({ ...settings, sameSite: "Lax" }, deviceCookie, value, deviceCookieSeconds);
}

/** The tokens that a login or a refresh issues. */
interface IssuedTokens {
  readonly token: string;
  /** With the seconds that it is good for. */
  readonly refresh?: { readonly token: string; readonly lifetimeSeconds: number } | undefined;
}

/**
 * The headers that set the cookies of a login: the access token until the browser ends (docs/reference/authentication.md#schemes: a session cookie), the refresh token as
 * long as it is good for. No script of a page can read either.
 */
export function tokenCookies(settings: CookieSettings, { token, refresh }: IssuedTokens): string[] {
  const access = toCookie(settings, accessTokenCookie, token);
  return refresh === undefined
    ? [access]
    : [access, toCookie(settings, refreshTokenCookie, refresh.token, refresh.lifetimeSeconds)];
}

/** The headers that take the cookies of a login away. */
export function clearedCookies(settings: CookieSettings): string[] {
  return [accessTokenCookie, refreshTokenCookie].map((name) => toCookie(settings, name, "", 0));
}

function toCookie({ secure, sameSite, domain, path }: CookieSettings, name: string, value: string, maxAge?: number): string {
  const attributes = [
    `${name}=${value}`,
    `Path=${path}`,
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    "HttpOnly",
    ...(secure ? ["Secure"] : []),
    `SameSite=${sameSite}`,
  ];
  return attributes.join("; ");
}

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

/** How many origins are logged: anybody can send some. */
const maxLoggedOrigins = 10;

/** The check, which logs for the first origins that it refuses what lets them in: the answer is an empty 401, as every other. */
export function withOriginLog(isCrossSite: CrossSiteCheck, logger: Logger): CrossSiteCheck {
  const logged = new Set<string>();
  return (request) => {
    const { origin } = request.headers;
    const isRefused = isCrossSite(request);
    if (!isRefused || typeof origin !== "string" || logged.size >= maxLoggedOrigins || !isOrigin(origin) || logged.has(origin))
      return isRefused;
    logged.add(origin);
    const fix = "If these pages are yours, list the origin in the option trustedOrigins, or name it in cors with credentials.";
    logger.warn({ origin }, `A page of another origin sent a cookie, and was refused with 401. ${fix}`);
    return isRefused;
  };
}

const isOrigin = (text: string): boolean => text.length <= 300 && URL.parse(text)?.origin === text;

// Only the hosts are compared: behind a proxy that ends TLS nobody here knows the scheme.
function isOwn(origin: string | readonly string[], host: string | readonly string[] | undefined): boolean {
  if (typeof origin !== "string" || typeof host !== "string" || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  // A default port may be written or not.
  const own = `${from.protocol}//${host}`;
  return /^https?:$/.test(from.protocol) && URL.canParse(own) && new URL(own).host === from.host;
}
