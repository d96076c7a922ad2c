import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiRequest, Random } from "latchkey/ports";

/** A secret of the browser, and the token that its forms hold. */
export interface FormToken {
  /** What the cookie holds. */
  readonly secret: string;
  /** What forms hold: it says nothing of the secret. */
  readonly token: string;
  /** The hidden fields of forms that are shown now. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the browser had no secret before. */
  readonly isNew: boolean;
}

/** The field whose value is new each time that a form is shown. */
export const formNonceField = "showing";

/** The token of a browser: that of its cookie, or a new one. */
export function createFormToken(random: Random, cookie: string | undefined): FormToken {
  const isNew = cookie === undefined || !/^[\w-]{43}$/.test(cookie);
  const secret = isNew ? toText(random(32)) : cookie;
  const token = createHash("sha256").update(`form ${secret}`).digest("base64url");
  return { secret, token, fields: { token, [formNonceField]: toText(random(12)) }, isNew };
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** Whether a form holds the token of the browser that sends it. */
export function isFormToken({ isNew, token }: FormToken, given: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(given)];
  return !isNew && a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether another site made a browser send a form (OWASP, Cross-Site Request Forgery). The pages send no referrer, and so browsers send `null` for
 * their origin: then `Sec-Fetch-Site` decides, and in browsers that do not know it the token alone.
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
