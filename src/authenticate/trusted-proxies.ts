import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * Whether an address is one of these addresses or CIDR ranges.
 * @throws TypeError when one of them is neither.
 */
export function createProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const ranges = trustedProxies.map(parseRange);
  return (text) => {
    const address = parseAddress(text);
    return address !== undefined && ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
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
