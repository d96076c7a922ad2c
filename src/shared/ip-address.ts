import { isIPv4, isIPv6 } from "node:net";

/** An address as a number of its version, for comparison. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
  /** The canonical form: four decimal numbers, or the text of RFC 5952. */
  readonly text: string;
}

/**
 * Parses an address: IPv4 as four decimal numbers without leading zeros, or IPv6 in any form without a zone; undefined for
 * other texts. Converts an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`) to IPv4.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return toVersion4(toNumber(text.split("."), 8n));
  if (!isIPv6(text) || text.includes("%")) return undefined;
  // The URL serializer writes IPv6 in the form of RFC 5952.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const groups = [...head, ...zeros, ...tail].map((group) => `0x${group}`);
  const value = toNumber(groups, 16n);
  return value >> 32n === 0xffffn ? toVersion4(value & 0xffffffffn) : { version: 6, value, text: canonical };
}

/**
 * Parses the address of the other end of a connection, as sockets and proxies write it: optionally with a port
 * (`192.0.2.1:4711`, `[::1]:4711`), in brackets, or with a zone (`fe80::1%eth0`), which is local to one machine. Undefined for
 * other texts, such as `unknown`.
 */
export function parseClientAddress(text: string): IpAddress | undefined {
  const bare = text.trim();
  if (bare.length > maxClientLength) return undefined;
  const [, bracketed, ported] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(bare) ?? [];
  const [address = ""] = (bracketed ?? ported ?? bare).split("%", 1);
  return parseIpAddress(address);
}

/** A full IPv6 address with an IPv4 suffix, a zone with an interface name, brackets and a port. */
const maxClientLength = 100;

/** The network that one host controls: its IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf({ version, value, text }: IpAddress): string {
  return version === 4 ? text : `${value >> 64n}/64`;
}

/** A CIDR range, or a single address. */
export interface IpRange {
  readonly address: IpAddress;
  /** The number of variable bits at the end. */
  readonly freeBits: bigint;
}

/** Parses a range: `10.0.0.0/8`, `fd00::/8`, or an address. Undefined for other texts. */
export function parseIpRange(text: string): IpRange | undefined {
  const [, start = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseIpAddress(start);
  if (address === undefined) return undefined;
  const written = start.includes(":") ? 128 : 32;
  const freeBits = bits === undefined ? 0 : written - Number(bits);
  return freeBits < 0 || freeBits > (address.version === 4 ? 32 : 128) ? undefined : { address, freeBits: BigInt(freeBits) };
}

/** Whether an address is in a range. */
export function isInRange({ version, value }: IpAddress, { address, freeBits }: IpRange): boolean {
  return version === address.version && value >> freeBits === address.value >> freeBits;
}

/** Whether an address is a loopback address, from which no other machine can call. */
export function isLoopback({ version, value }: IpAddress): boolean {
  return version === 4 ? value >> 24n === 127n : value === 1n;
}

function toVersion4(value: bigint): IpAddress {
  const text = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  return { version: 4, value, text };
}

function toNumber(parts: readonly string[], bits: bigint): bigint {
  return parts.reduce((number, part) => (number << bits) | BigInt(part), 0n);
}
