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
    const rule = "each must be an IP address or a CIDR range, such as 10.0.0.1 or 10.0.0.0/8.";
    throw new TypeError(`trustedProxies holds ${String(text)}: ${rule}`, { cause: error });
  }
}

// An IPv4 address written as IPv6 (::ffff:a.b.c.d) is the IPv4 address.
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}
