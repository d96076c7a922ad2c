import type { ApiRequest } from "../../ports/transport.js";
import { lazily } from "../../shared/async/lazily.js";

/** Determines the source address of a request; undefined when the transport does not know it. */
export type AddressResolver = (request: ApiRequest) => string | undefined;

// Loaded where there are proxies: a start without does not pay for the library that reads addresses.
const loadProxies = lazily(() => import("./trusted-proxies.js"));

/**
 * The source address of a request: the socket's other end or, when that is a proxy the host trusts, the right-most
 * entry of `X-Forwarded-For` that is not one (docs/reference/authentication.md#source-address). What stands further left is the caller's own claim.
 * `trustedProxies` are addresses or CIDR ranges, IPv4 or IPv6.
 * @throws TypeError when one of them is neither.
 */
export async function createAddressResolver(trustedProxies: readonly string[]): Promise<AddressResolver> {
  if (!Array.isArray(trustedProxies))
    throw new TypeError("trustedProxies must be a list of IP addresses and CIDR ranges, such as ['10.0.0.0/8'].");
  if (trustedProxies.length === 0) return (request) => request.remoteAddress;
  const isTrusted = (await loadProxies()).createProxyCheck(trustedProxies);
  return (request) => {
    const path = [...forwardedAddresses(request), request.remoteAddress ?? ""];
    return path.findLast((address) => !isTrusted(address)) ?? path[0];
  };
}

function forwardedAddresses({ headers }: ApiRequest): readonly string[] {
  const forwarded = headers["x-forwarded-for"];
  if (forwarded === undefined) return [];
  return String(forwarded)
    .split(",")
    .map((hop) => hop.trim());
}
