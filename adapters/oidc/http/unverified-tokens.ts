import type { ApiRequest } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";

/** Whom the answer to a token is for, so that a page of that client can read it, be it a refusal; undefined where it says none. */
export function clientOfToken({ headers }: ApiRequest): string | undefined {
  return audienceOf(/^(?:bearer|dpop) (.+)$/i.exec(String(headers.authorization ?? ""))?.[1] ?? null);
}

/** The first audience of a token or a hint; undefined for none. Read without being verified: that needs the keys of the tenant that it leads to. */
export function audienceOf(token: string | null): string | undefined {
  const { applicationId, aud } = readClaims(token);
  const [audience]: readonly unknown[] = [applicationId ?? aud].flat();
  return typeof audience === "string" ? audience : undefined;
}

/** The claims of a token, read without being verified; none for another text. */
export function readClaims(token: string | null | undefined): Readonly<Record<string, unknown>> {
  const [, payload = ""] = token?.split(".") ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString() || "{}");
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
