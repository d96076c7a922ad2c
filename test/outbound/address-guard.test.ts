import { describe, expect, test } from "vitest";
import { isPublicAddress, literalAddress } from "../../src/delivery/http-client/address-guard.js";
import { requirement } from "../support/requirement.js";

// The IANA registries of special-purpose addresses, a first and a last address of each range, and what clouds keep for themselves.
const forbidden = `
0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.0.0.1 127.255.255.255 169.254.0.0
169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.88.99.0 192.168.0.0 192.168.255.255 198.18.0.0
198.19.255.255 198.51.100.0 203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 168.63.129.16
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:db8::1
2001:10::1 2001:20::1 2002:7f00:1::1 3fff::1 3fff:fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ffff::1
`;

const open =
  "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.169.0.0 223.255.255.255 2606:4700::1111 2a00:1450:4001::1";

describe("the guard", () => {
  requirement("outbound.guard", "lets no special address pass", () => {
    const addresses = forbidden.trim().split(/\s+/);
    expect(addresses.length).toBeGreaterThan(50);
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  requirement("outbound.guard", "lets public addresses pass", () => {
    expect(open.split(" ").filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  requirement("outbound.guard", "checks the address that a URL resolves to, not its spelling", () => {
    const spellings = [
      "127.1",
      "0x7f.1",
      "0177.0.0.1",
      "2130706433",
      "0x7f000001",
      "127.0.0.1.",
      "1\u{2461}7.0.0.1",
      "\u{ff11}27.0.0.1",
      "[::ffff:127.0.0.1]",
      "[0:0:0:0:0:0:0:1]",
    ];
    for (const spelling of spellings) {
      const { hostname } = new URL(`http://${spelling}/`);
      const address = literalAddress(hostname.replace(/\.$/, ""));
      expect([spelling, address !== undefined && isPublicAddress(address)]).toEqual([spelling, false]);
    }
  });

  test.each(["", "localhost", "example.com", "1.2.3", "01.2.3.4", "1.2.3.4.5", "0x7f.0.0.1", "12345"])(
    "takes %j for no address",
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
      expect(literalAddress(text)).toBeUndefined();
    },
  );
});
