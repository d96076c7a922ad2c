import { isIPv4, isIPv6 } from "node:net";

/** An address as a number of its version, so that addresses can be compared. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
  /** The canonical form: four decimal numbers, or the text of RFC 5952. */
  readonly text: string;
}

/**
 * The address that a text means, or undefined: IPv4 as four decimal numbers without leading zeros, or IPv6 in any of its
 * forms without a zone. An IPv4 address that is written as IPv6 (`::ffff:a.b.c.d`) is the IPv4 address.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return toVersion4(toNumber(text.split("."), 8n));
  if (!isIPv6(text) || text.includes("%")) return undefined;
  // The serializer of URLs writes IPv6 as RFC 5952 does.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const groups = [...head, ...zeros, ...tail].map((group) => `0x${group}`);
  const value = toNumber(groups, 16n);
  return value >> 32n === 0xffffn ? toVersion4(value & 0xffffffffn) : { version: 6, value, text: canonical };
}

/**
 * The address of the other end of a connection, as sockets and proxies write it: also with a port (`192.0.2.1:4711`, `[::1]:4711`), in
 * brackets, or with a zone (`fe80::1%eth0`), which names an interface of one machine. Undefined for what is no address, such as `unknown`.
 */
export function parseClientAddress(text: string): IpAddress | undefined {
  const bare = text.trim();
  if (bare.length > maxClientLength) return undefined;
  const [, bracketed, ported] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(bare) ?? [];
  const [address = ""] = (bracketed ?? ported ?? bare).split("%", 1);
  return parseIpAddress(address);
}

/** IPv6 in full with an IPv4 address at its end, a zone of the length of an interface's name, brackets and a port. */
const maxClientLength = 100;

/** What the addresses of one host have in common: an IPv4 address, or the /64 network of an IPv6 address, which one host controls. */
export function networkOf({ version, value, text }: IpAddress): string {
  return version === 4 ? text : `${value >> 64n}/64`;
}

/** Addresses with a common beginning, as CIDR writes them, or a single one. */
export interface IpRange {
  readonly address: IpAddress;
  /** How many bits at the end differ. */
  readonly freeBits: bigint;
}

/** The range that a text means: `10.0.0.0/8`, `fd00::/8`, or an address. Undefined for any other text. */
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

/** Whether an address is one of this machine's own, which no other can call from. */
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
