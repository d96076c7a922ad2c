import { isIP } from "node:net";
import { describe, expect, test } from "vitest";
import { parseIpAddress } from "../../src/shared/ip-address.js";
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
