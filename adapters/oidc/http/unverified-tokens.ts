import type { ApiRequest } from "latchkey";

/** Whom the answer to a token is for, so that a page of that client can read it, be it a refusal; undefined where it says none. */
export function clientOfToken({ headers }: ApiRequest): string | undefined {
  return audienceOf(/^(?:bearer|dpop) (.+)$/i.exec(String(headers.authorization ?? ""))?.[1] ?? null);
}

/** The first audience of a token or a hint; undefined for none. Read without being verified: that needs the keys of the tenant that it leads to. */
export function audienceOf(token: string | null): string | undefined {
  const [, payload = ""] = token?.split(".") ?? [];
  try {
    const { applicationId, aud } = JSON.parse(Buffer.from(payload, "base64url").toString() || "{}");
    const [audience]: readonly unknown[] = [applicationId ?? aud].flat();
    return typeof audience === "string" ? audience : undefined;
  } catch {
    return undefined;
  }
}
