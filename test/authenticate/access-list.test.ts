import { BlockList, isIPv6 } from "node:net";
import { describe, expect, test } from "vitest";
import { type AccessRule, createAccessCheck, isAllowed } from "../../src/http/authenticate/access-list.js";
import { type IpAddress, parseClientAddress } from "../../src/shared/ip-address.js";
import { fc } from "../support/properties.js";

const allow = (startIPAddress: string, endIPAddress?: string): AccessRule => ({ action: "Allow", startIPAddress, endIPAddress });
const block = (startIPAddress: string, endIPAddress?: string): AccessRule => ({ action: "Block", startIPAddress, endIPAddress });

function toAddress(text: string): IpAddress {
  const address = parseClientAddress(text);
  if (address === undefined) throw new TypeError(`${text} is no address.`);
  return address;
}

/** Which of the addresses get in. */
function letIn(entries: readonly AccessRule[], ...addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => isAllowed({ entries }, toAddress(address)));
}

describe("an access list", () => {
  test("asks * about addresses that are in no range", () => {
    expect(letIn([block("*")], "10.0.0.1", "::1")).toEqual([]);
    expect(letIn([allow("*")], "10.0.0.1", "::1")).toEqual(["10.0.0.1", "::1"]);
    expect(letIn([allow("*"), block("10.0.0.1")], "10.0.0.1", "10.0.0.2")).toEqual(["10.0.0.2"]);
  });

  test("takes a start without an end for one address, and both ends for part of the range", () => {
    const entries = [block("*"), allow("10.0.0.1"), allow("10.0.1.0", "10.0.1.9"), allow("10.0.2.1", "10.0.2.1")];
    const addresses = ["10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.255", "10.0.1.0", "10.0.1.9", "10.0.1.10", "10.0.2.1"];
    expect(letIn(entries, ...addresses)).toEqual(["10.0.0.1", "10.0.1.0", "10.0.1.9", "10.0.2.1"]);
  });

  test("lets the narrowest of several ranges decide, wherever it stands", () => {
    const ranges = [block("10.0.0.0", "10.255.255.255"), allow("10.1.0.0", "10.1.255.255"), block("10.1.2.3")];
    for (const entries of [ranges, ranges.toReversed()].map((some) => [allow("*"), ...some]))
      expect(letIn(entries, "9.9.9.9", "10.0.0.1", "10.1.0.1", "10.1.2.3")).toEqual(["9.9.9.9", "10.1.0.1"]);
  });

  test("blocks where equally narrow ranges disagree", () => {
    const both = [allow("10.0.0.1"), block("10.0.0.1")];
    for (const entries of [both, both.toReversed()].map((some) => [allow("*"), ...some]))
      expect(letIn(entries, "10.0.0.1", "10.0.0.2")).toEqual(["10.0.0.2"]);
    expect(letIn([allow("*"), allow("10.0.0.1", "10.0.0.3"), block("10.0.0.3", "10.0.0.5")], "10.0.0.3")).toEqual([]);
  });

  test("keeps IPv4 and IPv6 apart, and takes an IPv4 address written as IPv6 for what it is", () => {
    const entries = [block("*"), allow("0.0.0.0", "255.255.255.255"), allow("2001:db8::", "2001:db8::ffff")];
    expect(letIn(entries, "::1", "::102:304", "2001:DB8:0::1", "::ffff:10.0.0.1", "::ffff:a00:1")).toEqual([
      "2001:DB8:0::1",
      "::ffff:10.0.0.1",
      "::ffff:a00:1",
    ]);
    expect(letIn([allow("*"), block("::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")], "10.0.0.1", "::1")).toEqual(["10.0.0.1"]);
  });

  test("looks past the zone, the brackets and the port of an address", () => {
    const spellings = ["fe80::1%eth0", "[fe80::1]", "[fe80::1%eth0]:4711"];
    expect(letIn([block("*"), allow("fe80::1")], ...spellings, "fe80::2%eth0")).toEqual(spellings);
  });

  test("blocks everybody without any rule, and ignores a rule that is none", () => {
    expect(letIn([], "10.0.0.1")).toEqual([]);
    expect(letIn([block("*"), allow("nowhere", "10.0.0.1"), allow("10.0.0.1", "")], "10.0.0.1")).toEqual([]);
  });

  test("does not change the rules that it is made of", () => {
    const entries = Object.freeze(
      [allow("*"), block("10.0.0.0", "10.0.0.9"), block("10.0.0.1")].map((rule) => Object.freeze(rule)),
    );
    expect(createAccessCheck(entries)(toAddress("10.0.0.1"))).toBe(false);
  });
});

// A small world, in which every address can be looked at: the last numbers of a few IPv4 and IPv6 addresses.
const small = fc.integer({ min: 0, max: 12 });
const toText = (version: 4 | 6, value: number): string => (version === 4 ? `10.0.0.${value}` : `2001:db8::${value.toString(16)}`);
const range = fc.record({
  version: fc.constantFrom(4 as const, 6 as const),
  first: small,
  width: fc.integer({ min: 0, max: 6 }),
  action: fc.constantFrom("Allow" as const, "Block" as const),
});

interface SmallRange {
  readonly version: 4 | 6;
  readonly first: number;
  readonly width: number;
  readonly action: "Allow" | "Block";
}

/** The rule as its sentence says it: of all ranges that hold the address, those of the least width; one that blocks wins. */
function decideNaively(ranges: readonly SmallRange[], otherwise: string, version: 4 | 6, value: number): boolean {
  const holding = ranges.filter((one) => one.version === version && one.first <= value && value <= one.first + one.width);
  const least = Math.min(...holding.map((one) => one.width));
  const narrowest = holding.filter((one) => one.width === least);
  if (narrowest.length === 0) return otherwise === "Allow";
  return narrowest.every((one) => one.action === "Allow");
}

describe("any access list", () => {
  test("decides as a naive reading of the rule does", () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), fc.constantFrom("Allow" as const, "Block" as const), (ranges, otherwise) => {
        const entries: AccessRule[] = ranges.map(({ version, first, width, action }) => ({
          action,
          startIPAddress: toText(version, first),
          endIPAddress: width === 0 ? undefined : toText(version, first + width),
        }));
        const check = createAccessCheck([...entries, { action: otherwise, startIPAddress: "*" }]);
        for (const version of [4, 6] as const)
          for (let value = 0; value <= 20; value++)
            expect(check(toAddress(toText(version, value)))).toBe(decideNaively(ranges, otherwise, version, value));
      }),
    );
  });

  test("holds what the runtime's own list of ranges holds", () => {
    const pair = fc.oneof(fc.tuple(fc.ipV4(), fc.ipV4()), fc.tuple(fc.ipV6(), fc.ipV6()));
    fc.assert(
      fc.property(pair, fc.oneof(fc.ipV4(), fc.ipV6()), ([one, another], address) => {
        const family = isIPv6(one) ? "ipv6" : "ipv4";
        const known = new BlockList();
        const ordered = tryRange(known, one, another, family);
        if (ordered === undefined) return;
        const [start, end] = ordered;
        for (const candidate of [start, end, address]) {
          const isHeld = known.check(candidate, isIPv6(candidate) ? "ipv6" : "ipv4");
          // The runtime finds IPv4 addresses in ranges of IPv6 that hold them mapped; here they are never IPv6.
          if (isIPv6(start) !== isIPv6(candidate) || isMapped(start) || isMapped(end) || isMapped(candidate)) continue;
          expect(createAccessCheck([{ action: "Allow", startIPAddress: start, endIPAddress: end }])(toAddress(candidate))).toBe(
            isHeld,
          );
        }
      }),
    );
  });
});

// The runtime refuses a range whose end is before its start.
function tryRange(list: BlockList, one: string, another: string, family: "ipv4" | "ipv6"): [string, string] | undefined {
  for (const [start, end] of [
    [one, another],
    [another, one],
  ] as const)
    try {
      list.addRange(start, end, family);
      return [start, end];
    } catch {}
  return undefined;
}

function isMapped(address: string): boolean {
  return /^[0:]*ffff:/i.test(address) || /^::[\d.]+$/.test(address);
}
