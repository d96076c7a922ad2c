import type { ApiRequest } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";

/** The client of a request's token, so that its pages can read even a refusal; undefined for none. */
export function clientOfToken({ headers }: ApiRequest): string | undefined {
  return audienceOf(/^(?:bearer|dpop) (.+)$/i.exec(String(headers.authorization ?? ""))?.[1] ?? null);
}

/** The first audience of a token or a hint; undefined for none. Verification needs the keys of the tenant that this finds. */
export function audienceOf(token: string | null): string | undefined {
  const { applicationId, aud } = readClaims(token);
  const [audience]: readonly unknown[] = [applicationId ?? aud].flat();
  return typeof audience === "string" ? audience : undefined;
}

/** The unverified claims of a token; empty for any other text. */
export function readClaims(token: string | null | undefined): Readonly<Record<string, unknown>> {
  const [, payload = ""] = token?.split(".") ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString() || "{}");
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
