import { hash, timingSafeEqual } from "node:crypto";
import type { ApiRequest } from "latchkey/ports";
import type { LoginState } from "./login-state.js";
import { signInCallbackPath } from "./sign-user-in.js";

function cookieName({ nonce }: LoginState): string {
  return `latchkey_saml_${nonce.slice(0, 12)}`;
}

/** Returns the cookie that binds a login to its browser; 0 seconds remove it. */
export function toCookie(publicUrl: string, state: LoginState, seconds: number): string {
  const { pathname, protocol } = new URL(publicUrl);
  const path = `${pathname.replace(/\/$/, "")}${signInCallbackPath}/${state.tenantId}`;
  const secure = protocol === "https:" ? "; Secure" : "";
  return `${cookieName(state)}=${seconds === 0 ? "" : state.nonce}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Whether the request comes from the browser that started the login. */
export function isOfBrowser(state: LoginState, { headers }: ApiRequest): boolean {
  const [name, expected] = [cookieName(state), state.nonce];
  const pairs = [headers.cookie].flat().flatMap((cookie) => (cookie ?? "").split(";"));
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  return pairs.some((pair) => timingSafeEqual(digest(pair.trim()), digest(`${name}=${expected}`)));
}
