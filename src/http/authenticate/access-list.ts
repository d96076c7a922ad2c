import { type IpAddress, parseIpAddress } from "../../shared/ip-address.js";

/** One rule of an access list, for a range of addresses or for all others (`*`). */
export interface AccessRule {
  /** The action for callers from this range. */
  readonly action: "Allow" | "Block";
  /** The first address of the range, or `*`. */
  readonly startIPAddress: string;
  /** The last address of the range; the first is the only one when this is absent. */
  readonly endIPAddress?: string | undefined;
}

interface Range {
  readonly start: IpAddress;
  readonly end: IpAddress;
  readonly action: AccessRule["action"];
}

/** Whether an access list allows an address (docs/reference/api-keys.md#access-lists); see {@link createAccessCheck}. */
export function isAllowed(list: { readonly entries: readonly AccessRule[] }, address: IpAddress): boolean {
  return createAccessCheck(list.entries)(address);
}

/**
 * The check of an access list, for many addresses: the narrowest range decides, and of equally narrow ones the one that blocks;
 * without a range, `*` decides. A list without `*` blocks all other addresses.
 */
export function createAccessCheck(rules: readonly AccessRule[]): (address: IpAddress) => boolean {
  const ranges = rules.flatMap(toRange).sort(byWidth);
  const otherwise = rules.find((rule) => rule.startIPAddress === "*")?.action ?? "Block";
  return (address) => (ranges.find((range) => holds(range, address))?.action ?? otherwise) === "Allow";
}

function toRange({ action, startIPAddress, endIPAddress }: AccessRule): readonly Range[] {
  const start = parseIpAddress(startIPAddress);
  const end = endIPAddress === undefined ? start : parseIpAddress(endIPAddress);
  return start === undefined || end === undefined ? [] : [{ start, end, action }];
}

function byWidth(a: Range, b: Range): number {
  const difference = a.end.value - a.start.value - (b.end.value - b.start.value);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return Number(a.action === "Allow") - Number(b.action === "Allow");
}

function holds({ start, end }: Range, { version, value }: IpAddress): boolean {
  return version === start.version && value >= start.value && value <= end.value;
}
