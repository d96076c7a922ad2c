import type { ApiRequest } from "../../ports/transport.js";

/** A caller without a credential, such as a visitor of your pages. `anonymousCaller` makes it. */
export interface AnonymousCaller {
  /** Distinguishes the caller from principals. */
  readonly kind: "anonymous";
  /** The address of the client, such as `request.ip`, for rate limits. All callers without an address count as one. */
  readonly address: string | undefined;
  /** The tenant that the calls are bound to. Default: each call names one, like the tenant header. */
  readonly tenantId?: string | undefined;
  /** The `User-Agent` of the client, for events and mails about devices. */
  readonly userAgent?: string | undefined;
}

/**
 * Returns a caller without a credential, for `identity.as()`: its calls have the rights, the answers and the limits of HTTP
 * requests without one. Use it where the body of a request goes into a call, such as
 * `identity.as(anonymousCaller({ address: request.ip })).logins.forgotPassword(body)`.
 */
export function anonymousCaller({ address, tenantId, userAgent }: Omit<AnonymousCaller, "kind">): AnonymousCaller {
  return { kind: "anonymous", address, tenantId, userAgent };
}

/** The equivalent HTTP request of an anonymous call: limits and events read its source. */
export function toAnonymousRequest({ address, userAgent }: AnonymousCaller, method: string, path: string): ApiRequest {
  return { method, path, query: "", headers: { "user-agent": userAgent }, remoteAddress: address };
}
