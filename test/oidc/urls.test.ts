import { expect, test } from "vitest";
import { isAllowedOrigin, isRegistered } from "../../adapters/oidc/http/urls.js";

/** A registered URL, one that a client asks for, and whether it may with and without wildcards. */
const rows: readonly (readonly [registered: string, asked: string, exact: boolean, wildcards: boolean])[] = [
  ["https://a.example.com/cb", "https://a.example.com/cb", true, true],
  ["https://a.example.com/cb", "https://a.example.com/cb?x=1", false, false],
  ["https://a.example.com/cb", "https://a.example.com/CB", false, false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:8123/cb", true, true],
  ["http://127.0.0.1/cb", "http://127.0.0.1:8123/other", false, false],
  ["http://127.0.0.1/cb", "http://localhost:8123/cb", false, false],
  ["http://[::1]/cb", "http://[::1]:8123/cb", true, true],
  ["https://*.example.com/cb", "https://*.example.com/cb", true, true],
  ["https://*.example.com/cb", "https://a.example.com/cb", false, true],
  ["https://*.example.com/cb", "https://a.b.example.com/cb", false, false],
  ["https://*.example.com/cb", "https://evil.com/.example.com/cb", false, false],
  ["https://*.example.com/cb", "https://evil.com#.example.com/cb", false, false],
  ["https://*.example.com/cb", "https://evil.com\\.example.com/cb", false, false],
  ["https://*.example.com/cb", "https://user@a.example.com/cb", false, false],
  ["https://a.example.com/*", "https://a.example.com/x/y", false, true],
  ["https://a.example.com/*", "https://a.example.com/x?y", false, false],
  ["https://a.example.com/*", "https://a.example.com/../x", false, false],
  ["*://a.example.com/", "javascript://a.example.com/", false, false],
  ["com.example.app:/cb", "com.example.app:/cb", true, true],
];

test.each(rows)("%s and %s", (registered, asked, exact, wildcards) => {
  expect(isRegistered([registered], "ExactMatch", asked)).toBe(exact);
  expect(isRegistered([registered], "AllowWildcards", asked)).toBe(wildcards);
});

const ways = [
  ...["..;/evil", "..;x=1/evil", "x;y/z", ";", "..%2fevil", "..%2Fevil", "%2e%2e%2fevil", "..%5cevil", "x%2f..%2f..%2fevil"],
  ...["..%3b/evil", "%252e%252e/evil", "%252e%252e%252fevil", "..%253b/evil", "x%2f..", "%2e%2e%3b/evil", ".%2fx", "..%09/evil"],
  ...[`%${"25".repeat(9)}2e`, "%zz", "%c3"],
];

test("a path under a wildcard stays below it, in every encoding", () => {
  for (const way of ways)
    for (const registered of ["https://app.example.com/cb/*", "https://*.example.com/cb/*", "https://app.example.com/cb/*/x"]) {
      const asked = `https://app.example.com/cb/${way}${registered.endsWith("x") ? "/x" : ""}`;
      expect([asked, isRegistered([registered], "AllowWildcards", asked)]).toEqual([asked, false]);
    }
  for (const plain of ["x", "x/y", "x.y", "...", "..x", "x..", "a%20b", "%C3%A4", "a:b", "100%25"]) {
    const asked = `https://app.example.com/cb/${plain}`;
    expect([asked, isRegistered(["https://app.example.com/cb/*"], "AllowWildcards", asked)]).toEqual([asked, true]);
  }
  // A path that is registered as it is was meant so.
  expect(isRegistered(["https://*.example.com/cb;a"], "AllowWildcards", "https://app.example.com/cb;a")).toBe(true);
});

test("origins are compared without a slash at their end", () => {
  expect(isAllowedOrigin(["https://a.example.com/"], "ExactMatch", "https://a.example.com")).toBe(true);
  expect(isAllowedOrigin(["https://*.example.com"], "ExactMatch", "https://a.example.com")).toBe(false);
  expect(isAllowedOrigin(["https://*.example.com"], "AllowWildcards", "https://a.example.com")).toBe(true);
  expect(isAllowedOrigin([], "AllowWildcards", "null")).toBe(false);
});
