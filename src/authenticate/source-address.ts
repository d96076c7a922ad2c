import ipaddr from "ipaddr.js";
import type { ApiRequest } from "../ports/transport.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * Tells where a request really comes from: the socket's other end or, when that is a proxy the host trusts, the right-most
 * entry of `X-Forwarded-For` that is not one (decisions.md, Source address). What stands further left is the caller's own claim.
 * `trustedProxies` are addresses or CIDR ranges, IPv4 or IPv6.
 * @throws TypeError when one of them is neither.
 */
export function createAddressResolver(trustedProxies: readonly string[]): (request: ApiRequest) => string | undefined {
  const ranges = trustedProxies.map(parseRange);
  if (ranges.length === 0) return (request) => request.remoteAddress;
  const isTrusted = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
  };
  return (request) => {
    const forwarded = request.headers["x-forwarded-for"];
    const hops =
      forwarded === undefined
        ? []
        : String(forwarded)
            .split(",")
            .map((hop) => hop.trim());
    const path = [...hops, request.remoteAddress ?? ""];
    return path.findLast((address) => !isTrusted(address)) ?? path[0];
  };
}

function parseRange(text: string): Range {
  try {
    if (text.includes("/")) return ipaddr.parseCIDR(text) as Range;
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch (error) {
    throw new TypeError(`trustedProxies holds ${text}, which is no address or range.`, { cause: error });
  }
}

// An IPv4 address written as IPv6 (::ffff:a.b.c.d) is the IPv4 address.
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}
