import { isIP } from "node:net";
import { describe, expect, test } from "vitest";
import { isInRange, networkOf, parseClientAddress, parseIpAddress, parseIpRange } from "../../src/shared/ip-address.js";
import { cases, fc } from "../support/properties.js";

describe("parseIpAddress", () => {
  test.each([
    ["0.0.0.0", 4, 0n, "0.0.0.0"],
    ["10.1.2.3", 4, 0x0a010203n, "10.1.2.3"],
    ["255.255.255.255", 4, 0xffffffffn, "255.255.255.255"],
    ["::", 6, 0n, "::"],
    ["2001:DB8:0:0:1:0:0:1", 6, 0x20010db8000000000001000000000001n, "2001:db8::1:0:0:1"],
    ["0001:2:3:4:5:6:7:8", 6, 0x00010002000300040005000600070008n, "1:2:3:4:5:6:7:8"],
    ["64:ff9b::1.2.3.4", 6, 0x0064ff9b000000000000000001020304n, "64:ff9b::102:304"],
    ["::1.2.3.4", 6, 0x01020304n, "::102:304"],
    ["::ffff:10.1.2.3", 4, 0x0a010203n, "10.1.2.3"],
    ["::FFFF:a01:203", 4, 0x0a010203n, "10.1.2.3"],
    ["0:0:0:0:0:ffff:255.255.255.255", 4, 0xffffffffn, "255.255.255.255"],
    ["0000:0000:0000:0000:0000:ffff:255.255.255.255", 4, 0xffffffffn, "255.255.255.255"],
  ])("reads %s", (text, version, value, canonical) => {
    expect(parseIpAddress(text)).toEqual({ version, value, text: canonical });
  });

  test.each([
    "",
    " ",
    "*",
    "10.1.2",
    "10.1.2.3.4",
    "010.1.2.3",
    "0x0a.1.2.3",
    "167838211",
    "256.1.1.1",
    "10.1.2.-3",
    "10.1.2.3 ",
    "10.0.0.0/8",
    "１.2.3.4",
    "fe80::1%eth0",
    "[::1]",
    ":::",
    "1::2::3",
    "12345::",
    "1:2:3:4:5:6:7",
    "::g",
    "::ffff:010.1.2.3",
    "::ffff:0x1.1.1.1",
    "::ffff:1.2.3",
    "1.2.3.4::",
    "::1.2.3.4:5",
    "localhost",
    `${"0".repeat(5_000)}::1`,
    ":".repeat(100_000),
  ])("refuses %j", (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  test("agrees with the runtime on what an address is", () => {
    const part = fc.oneof(
      fc.constantFrom(":", "::", ".", "0", "255", "256", "ffff", "%", "1.2.3.4"),
      fc.string({ maxLength: 3 }),
    );
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.array(part, { maxLength: 16 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (one) => {
        // The runtime takes zones, which mean nothing to a list of addresses.
        expect(parseIpAddress(one) !== undefined).toBe(isIP(one) !== 0 && !one.includes("%"));
      }),
      cases(3_000),
    );
  });

  test("reads its own canonical form as the same address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseIpAddress(text);
        expect(parseIpAddress(address?.text ?? "")).toEqual(address);
      }),
    );
  });
});

describe("parseClientAddress", () => {
  test.each([
    ["198.51.100.10", "198.51.100.10"],
    ["198.51.100.10:4711", "198.51.100.10"],
    [" 198.51.100.10\t", "198.51.100.10"],
    ["[198.51.100.10]:80", "198.51.100.10"],
    ["::ffff:198.51.100.10", "198.51.100.10"],
    ["[::ffff:198.51.100.10]:4711", "198.51.100.10"],
    ["::FFFF:c633:640a", "198.51.100.10"],
    ["2001:DB8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["[fe80::1%25eth0]:4711", "fe80::1"],
  ])("reads %s", (text, address) => {
    expect(parseClientAddress(text)?.text).toBe(address);
  });

  test.each([
    "",
    " ",
    "unknown",
    "_hidden",
    "10.0.0",
    "010.0.0.1",
    "0x7f.1",
    "10.0.0.1:",
    "10.0.0.1:x",
    "10.0.0.1:123456",
    "10.0.0.1, 10.0.0.2",
    "[::1",
    "::1]",
    "[::1]4711",
    "[[::1]]",
    "%",
    `${"%".repeat(100_000)}\n`,
  ])("reads no address in %j", (text) => {
    expect(parseClientAddress(text)).toBeUndefined();
  });

  test("takes every address with what proxies and sockets add to it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(65_535), (text, port) => {
        const address = parseIpAddress(text);
        const spellings = text.includes(":") ? [`[${text}]`, `[${text}]:${port}`, `${text}%lo`] : [`${text}:${port}`];
        for (const spelling of [text, ...spellings]) expect(parseClientAddress(spelling)).toEqual(address);
      }),
    );
  });
});

describe("networkOf", () => {
  test("is one for the addresses of one host", () => {
    const of = (text: string): string | undefined => {
      const address = parseClientAddress(text);
      return address && networkOf(address);
    };
    expect(of("10.0.0.1:1")).toBe(of("::ffff:10.0.0.1"));
    expect(of("10.0.0.1")).not.toBe(of("10.0.0.2"));
    expect(of("2001:db8::1")).toBe(of("[2001:db8::ffff:0:0:1]:7"));
    expect(of("2001:db8::1")).not.toBe(of("2001:db8:0:1::1"));
  });
});

describe("parseIpRange", () => {
  test.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["10.9.9.9/8", "10.0.0.1", true],
    ["10.0.0.1", "10.0.0.1", true],
    ["10.0.0.1", "10.0.0.2", false],
    ["0.0.0.0/0", "198.51.100.1", true],
    ["0.0.0.0/0", "::1", false],
    ["::/0", "2001:db8::1", true],
    ["::/0", "10.0.0.1", false],
    ["::ffff:10.0.0.0/104", "10.1.1.1", true],
    ["::ffff:10.0.0.0/104", "11.1.1.1", false],
    ["fd00::/8", "fd12::1", true],
    ["fd00::/8", "fe80::1", false],
  ])("%s and %s: %s", (range, text, isHeld) => {
    const [known, address] = [parseIpRange(range), parseIpAddress(text)];
    expect(known && address && isInRange(address, known)).toBe(isHeld);
  });

  test.each(["", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "nowhere/8", "::ffff:10.0.0.0/8"])(
    "refuses %j",
    (text) => {
      expect(parseIpRange(text)).toBeUndefined();
    },
  );
});
