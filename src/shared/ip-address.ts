import ipaddr from "ipaddr.js";

/** An address as a number of its version, so that addresses can be compared. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
  /** The canonical form: four decimal numbers, or the text of RFC 5952. */
  readonly text: string;
}

/** The longest form of an address: IPv6 in full with an IPv4 address at its end. */
const maxLength = 45;

/**
 * The address that a text means, or undefined: IPv4 as four decimal numbers without leading zeros, or IPv6 in any of its
 * forms without a zone. An IPv4 address that is written as IPv6 (`::ffff:a.b.c.d`) is the IPv4 address.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > maxLength) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return toIpAddress(ipaddr.IPv4.parse(text));
  const groups = withoutDots(text);
  if (groups === undefined || groups.includes("%") || !ipaddr.IPv6.isValid(groups)) return undefined;
  const address = ipaddr.IPv6.parse(groups);
  return toIpAddress(address.isIPv4MappedAddress() ? address.toIPv4Address() : address);
}

// The library reads an IPv4 address at the end of an IPv6 one loosely: octal numbers, and `::1.2.3.4` as if it were mapped.
function withoutDots(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const end = text.lastIndexOf(":") + 1;
  const tail = text.slice(end);
  if (end === 0 || !ipaddr.IPv4.isValidFourPartDecimal(tail)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = tail.split(".").map(Number);
  return `${text.slice(0, end)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function toIpAddress(address: ipaddr.IPv4 | ipaddr.IPv6): IpAddress {
  const value = BigInt(`0x${Buffer.from(address.toByteArray()).toString("hex")}`);
  return { version: address.kind() === "ipv4" ? 4 : 6, value, text: address.toString() };
}
