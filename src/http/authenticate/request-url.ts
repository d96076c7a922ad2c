import type { ApiRequest } from "../../ports/transport.js";
import { lazily } from "../../shared/async/lazily.js";

/** The URL that the client called, without its query; undefined when nobody can know. */
export type UrlResolver = (request: ApiRequest) => string | undefined;

/** What a host says of the way to its service. */
export interface UrlSettings {
  /** The service's root as clients see it, without a slash at its end; wins over what requests say. */
  readonly publicUrl: string | undefined;
  /** Addresses or CIDR ranges whose `X-Forwarded-Proto` and `X-Forwarded-Host` are believed. */
  readonly trustedProxies: readonly string[];
}

// The name of a host or an address, and perhaps a port: nothing that would end the authority of a URL.
const hostShape = /^(?:\[[\da-f:.]+\]|[^\s\p{Cc}\\/?#@:[\]]+)(?::\d{0,5})?$/iu;

/** Determines the URLs of requests. @throws TypeError when a trusted proxy is neither an address nor a range. */
export async function createUrlResolver({ publicUrl, trustedProxies }: UrlSettings): Promise<UrlResolver> {
  if (publicUrl !== undefined) return ({ path }) => publicUrl + path;
  const isTrusted = await loadProxyCheck(trustedProxies);
  return (request) => {
    const { headers, basePath = "", path } = request;
    const forwarded = isTrusted(request.remoteAddress ?? "") ? headers : {};
    const scheme = lastOf(forwarded["x-forwarded-proto"])?.toLowerCase() ?? (request.isEncrypted === true ? "https" : "http");
    const host = lastOf(forwarded["x-forwarded-host"]) ?? String(headers.host ?? headers[":authority"] ?? "");
    return /^https?$/.test(scheme) && hostShape.test(host) ? `${scheme}://${host}${basePath}${path}` : undefined;
  };
}

const loadProxies = lazily(() => import("./trusted-proxies.js"));

// Loaded only when proxies are configured: other processes skip the library that parses addresses.
async function loadProxyCheck(trustedProxies: readonly string[]): Promise<(address: string) => boolean> {
  if (trustedProxies.length === 0) return () => false;
  return (await loadProxies()).createProxyCheck(trustedProxies);
}

// Entries further left come from the proxy's own client, and may be forged.
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(",").at(-1)?.trim();
}
