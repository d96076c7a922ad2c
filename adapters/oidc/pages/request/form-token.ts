import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiRequest, Random } from "latchkey/ports";

/** A secret of the browser, and the anti-forgery token of its forms. */
export interface FormToken {
  /** The value of the cookie. */
  readonly secret: string;
  /** The token in forms; it does not reveal the secret. */
  readonly token: string;
  /** The hidden fields of the forms in this response. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the browser had no secret before. */
  readonly isNew: boolean;
}

/** The field with a new nonce each time a form is shown. */
export const formNonceField = "showing";

/** The token of a browser, from its cookie or new. */
export function createFormToken(random: Random, cookie: string | undefined): FormToken {
  const isNew = cookie === undefined || !/^[\w-]{43}$/.test(cookie);
  const secret = isNew ? toText(random(32)) : cookie;
  const token = createHash("sha256").update(`form ${secret}`).digest("base64url");
  return { secret, token, fields: { token, [formNonceField]: toText(random(12)) }, isNew };
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** Whether a form has the token of its browser. */
export function isFormToken({ isNew, token }: FormToken, given: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(given)];
  return !isNew && a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether another site made the browser send a form (OWASP, Cross-Site Request Forgery). The pages send no referrer, so browsers
 * send the origin `null`: then `Sec-Fetch-Site` decides, and in browsers without it only the token.
 */
export function isCrossSiteForm({ headers }: Pick<ApiRequest, "headers">, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const { origin } = headers;
  if (origin === undefined || (origin === "null" && site !== undefined)) return false;
  return !(typeof origin === "string" && isOwnOrigin(origin, headers, publicUrl)) && origin !== "null";
}

function isOwnOrigin(origin: string, headers: ApiRequest["headers"], publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const own = [new URL(publicUrl).host, headers.host, headers[":authority"]];
  return own.includes(new URL(origin).host);
}
