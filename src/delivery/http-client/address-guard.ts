import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { OutboundGuard } from "../../ports/event-transport.js";

/** Addresses that look public and are not: a cloud's own services, and documentation. */
const otherForbidden = ["168.63.129.16/32", "2001:db8::/32", "3fff::/20"].map((range) => ipaddr.parseCIDR(range));

/** The only IPv6 addresses that are given out for use in public (RFC 4291, 2.4). */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Whether a call may go to an address: a public one, which none of IANA's special-purpose ranges has (docs/reference/webhooks.md#where-webhooks-may-go
 * go). Loopback, link-local, private, shared and multicast addresses are not, nor IPv4 addresses wrapped into IPv6.
 */
export function isPublicAddress(text: string): boolean {
  // Node's own parser, which connects, reads no octal and no short forms; what it does not read is no address.
  if (isIP(text) === 0 || text.includes("%")) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv6" && !address.match(globalUnicast)) return false;
  if (address.range() !== "unicast") return false;
  return !otherForbidden.some((range) => range[0].kind() === address.kind() && address.match(range));
}

/** The address that the host of a URL is, without brackets; undefined for a name, which has to be looked up. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

/** A call was about to go where calls must not go. */
export class ForbiddenAddress extends Error {
  constructor() {
    super("The address is not one that calls may go to.");
    this.name = "ForbiddenAddress";
  }
}

/**
 * Looks a name up and refuses it when any of its addresses is forbidden. The connection is made to the very addresses that were looked at,
 * so a name that changes its mind in between changes nothing.
 */
export function guardLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "");
      const addresses = found as readonly LookupAddress[];
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new ForbiddenAddress(), "");
      return options.all === true ? callback(null, [...addresses]) : callback(null, first.address, first.family);
    });
  };
}

/** Checks the addresses that adapters of the host may connect to. */
export function createOutboundGuard(allowsPrivateNetwork: boolean, lookup: LookupFunction): OutboundGuard {
  return allowsPrivateNetwork ? { isAllowed: () => true, lookup } : { isAllowed: isPublicAddress, lookup: guardLookup(lookup) };
}
