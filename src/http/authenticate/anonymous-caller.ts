import type { ApiRequest } from "../../ports/transport.js";

/** Someone without a credential, such as a visitor of your pages. `anonymousCaller` makes it. */
export interface AnonymousCaller {
  /** Distinguishes the caller from principals. */
  readonly kind: "anonymous";
  /** The address of the client, such as `request.ip`: limits count by it. All callers without an address count as one. */
  readonly address: string | undefined;
  /** The tenant that the calls are bound to. Default: calls name one, as the tenant header does. */
  readonly tenantId?: string | undefined;
  /** The `User-Agent` of the client, which events and mails about devices show. */
  readonly userAgent?: string | undefined;
}

/**
 * Returns a caller without a credential, for `identity.as()`: its calls have the rights, the answers and the limits of HTTP requests without
 * one. Use it where the body of a request goes into a call, such as `identity.as(anonymousCaller({ address: request.ip })).logins.forgotPassword(body)`.
 */
export function anonymousCaller({ address, tenantId, userAgent }: Omit<AnonymousCaller, "kind">): AnonymousCaller {
  return { kind: "anonymous", address, tenantId, userAgent };
}

/** The request that an anonymous call stands for: limits and events read its source. */
export function toAnonymousRequest({ address, userAgent }: AnonymousCaller, method: string, path: string): ApiRequest {
  return { method, path, query: "", headers: { "user-agent": userAgent }, remoteAddress: address };
}
