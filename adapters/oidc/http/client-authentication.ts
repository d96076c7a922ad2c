import type { ApiRequest } from "latchkey/ports";

/** Client authentication methods, by the names of RFC 7591. */
export type AuthenticationMethod = "client_secret_basic" | "client_secret_post" | "none";

/** The client credentials of a request. */
export interface PresentedClient {
  readonly clientId: string | undefined;
  readonly secret: string | undefined;
  /** The undecoded secret of HTTP Basic, if it differs: many clients forget to encode theirs. */
  readonly writtenSecret?: string | undefined;
  readonly method: AuthenticationMethod;
}

/** Reads the client credentials of a request: HTTP Basic, or its parameters. */
export function readPresentedClient({ headers }: ApiRequest, params: URLSearchParams): PresentedClient {
  const basic = readBasic(String(headers.authorization ?? ""));
  if (basic !== undefined) return { ...basic, method: "client_secret_basic" };
  const clientId = params.get("client_id") ?? undefined;
  const secret = params.get("client_secret") || undefined;
  return { clientId, secret, method: secret === undefined ? "none" : "client_secret_post" };
}

/** Writes HTTP Basic according to RFC 6749, 2.3.1: both parts are encoded. */
export function toAuthorizationHeader(clientId: string, secret: string): string {
  return `Basic ${Buffer.from([clientId, secret].map(encodeURIComponent).join(":")).toString("base64")}`;
}

function readBasic(header: string): Omit<PresentedClient, "method"> | undefined {
  const [, encoded] = /^basic ([\w+/]+={0,2})$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  const writtenSecret = text.slice(colon + 1);
  const secret = decode(writtenSecret);
  return { clientId: decode(text.slice(0, colon)), secret, ...(secret !== writtenSecret && { writtenSecret }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return text;
  }
}
