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
