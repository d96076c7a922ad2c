import type { Logger } from "../../ports/runtime.js";
import type { ApiRequest } from "../../ports/transport.js";
import { accessTokenCookie } from "./read-credential.js";

/** The settings of login cookies, with all defaults. */
export interface CookieSettings {
  readonly secure: boolean;
  readonly sameSite: "Strict" | "Lax" | "None";
  /** Undefined: this host only. */
  readonly domain: string | undefined;
  readonly path: string;
}

/** The cookie with the refresh token of a browser. */
export const refreshTokenCookie = "refresh_token";

/** The cookie by which a login recognizes a browser. It is no credential. */
export const deviceCookie = "device";

/** The longest lifetime of a cookie in browsers. */
const deviceCookieSeconds = 400 * 86_400;

/** The header that sets {@link deviceCookie}. Other sites only make a browser send it by navigation (SameSite Lax). */
export function toDeviceCookie(settings: CookieSettings, value: string): string {
  return toCookie({ ...settings, sameSite: "Lax", maxAge: deviceCookieSeconds }, deviceCookie, value);
}

interface IssuedTokens {
  readonly token: string;
  readonly refresh?: { readonly token: string; readonly lifetimeSeconds: number } | undefined;
}

/**
 * The headers that set the login cookies: a session cookie with the access token (docs/reference/authentication.md#schemes), and
 * the refresh token for its lifetime. Scripts can read neither.
 */
export function tokenCookies(settings: CookieSettings, { token, refresh }: IssuedTokens): string[] {
  const access = toCookie(settings, accessTokenCookie, token);
  return refresh === undefined
    ? [access]
    : [access, toCookie({ ...settings, maxAge: refresh.lifetimeSeconds }, refreshTokenCookie, refresh.token)];
}

/** The headers that remove the cookies of a login. */
export function clearedCookies(settings: CookieSettings): string[] {
  return [accessTokenCookie, refreshTokenCookie].map((name) => toCookie({ ...settings, maxAge: 0 }, name, ""));
}

type CookieAttributes = CookieSettings & { readonly maxAge?: number };

function toCookie({ secure, sameSite, domain, path, maxAge }: CookieAttributes, name: string, value: string): string {
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
 * Protects cookies, which browsers add by themselves, against other sites (OWASP, Cross-Site Request Forgery: verifying the
 * origin with standard headers). A request is cross-site when `Sec-Fetch-Site` says so, or when its `Origin` has another host
 * than its target. `trustedOrigins` are own origins on other hosts, such as `https://app.example.com`. A client that sends
 * neither is no current browser, so no site can control it.
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

/** The most logged origins: callers can send any number. */
const maxLoggedOrigins = 10;

/** Logs how to trust each of the first refused origins, since the answer is an empty 401 like any other. */
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

// Compares hosts only: behind a proxy that terminates TLS, the scheme is unknown.
function isOwn(origin: string | readonly string[], host: string | readonly string[] | undefined): boolean {
  if (typeof origin !== "string" || typeof host !== "string" || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  // A default port may be written or not.
  const own = `${from.protocol}//${host}`;
  return /^https?:$/.test(from.protocol) && URL.canParse(own) && new URL(own).host === from.host;
}
