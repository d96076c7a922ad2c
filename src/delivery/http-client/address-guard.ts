import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { OutboundGuard } from "../../ports/event-transport.js";

/** Addresses that look public but are not: a cloud's own services, and documentation. */
const otherForbidden = ["168.63.129.16/32", "2001:db8::/32", "3fff::/20"].map((range) => ipaddr.parseCIDR(range));

/** The only range of public IPv6 addresses (RFC 4291, 2.4). */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Whether calls to an address are allowed: a public one, outside of IANA's special-purpose ranges
 * (docs/reference/webhooks.md#where-webhooks-may-go). Refuses loopback, link-local, private, shared and multicast addresses, and
 * IPv4 addresses embedded in IPv6.
 */
export function isPublicAddress(text: string): boolean {
  // Node's own parser, which connects, reads no octal and no short forms.
  if (isIP(text) === 0 || text.includes("%")) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv6" && !address.match(globalUnicast)) return false;
  if (address.range() !== "unicast") return false;
  return !otherForbidden.some((range) => range[0].kind() === address.kind() && address.match(range));
}

/** The address in the host of a URL, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

/** A call to a forbidden address. */
export class ForbiddenAddress extends Error {
  constructor() {
    super("The address is not one that calls may go to.");
    this.name = "ForbiddenAddress";
  }
}

/**
 * Looks a name up and refuses it when any of its addresses is forbidden. The connection goes to the checked addresses, so a later
 * change of the name has no effect.
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
