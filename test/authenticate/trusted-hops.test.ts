// A number of proxies says which entry of X-Forwarded-For is the source, not the addresses of the proxies.
import type { ApiRequest } from "latchkey/ports";
import { expect } from "vitest";
import { createAddressResolver, createUrlResolver } from "../../src/http/authenticate/source-address.js";
import { requirement } from "../support/requirement.js";

const request = (headers: ApiRequest["headers"], remoteAddress?: string): ApiRequest => ({
  method: "GET",
  path: "/",
  query: "",
  headers,
  remoteAddress,
});

requirement("authentication.source-hops", "are counted from the right, and end where there is no address", async () => {
  const forwarded = { "x-forwarded-for": "198.51.100.1, 203.0.113.9, 10.0.0.2" };
  for (const [hops, headers, socket, source] of [
    [0, forwarded, "10.0.0.1", "10.0.0.1"],
    [1, forwarded, "10.0.0.1", "10.0.0.2"],
    [2, forwarded, "10.0.0.1", "203.0.113.9"],
    [9, forwarded, "10.0.0.1", "198.51.100.1"],
    [1, {}, "10.0.0.1", "10.0.0.1"],
    [2, { "x-forwarded-for": "198.51.100.1, unknown, 10.0.0.2" }, "10.0.0.1", "10.0.0.2"],
    // A Unix socket has no address.
    [1, forwarded, undefined, "10.0.0.2"],
  ] as const)
    expect([hops, (await createAddressResolver(hops))(request(headers, socket))?.text]).toEqual([hops, source]);
});

requirement("authentication.source-hops", "let the proxy say by which URL it was called", async () => {
  const headers = { host: "inner.example", "x-forwarded-host": "id.example.com", "x-forwarded-proto": "https" };
  for (const [trustedProxies, url] of [
    [0, "http://inner.example/"],
    [1, "https://id.example.com/"],
  ] as const)
    expect((await createUrlResolver({ publicUrl: undefined, trustedProxies }))(request(headers, "10.0.0.1"))).toBe(url);
});
