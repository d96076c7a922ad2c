import type { ApiRequest } from "../../ports/transport.js";
import { lazily } from "../../shared/async.js";

/** Determines the source address of a request; undefined when the transport does not know it. */
export type AddressResolver = (request: ApiRequest) => string | undefined;

/**
 * The source address of a request: the socket's other end or, when that is a proxy the host trusts, the right-most
 * entry of `X-Forwarded-For` that is not one (docs/reference/authentication.md#source-address). What stands further left is the caller's own claim.
 * `trustedProxies` are addresses or CIDR ranges, IPv4 or IPv6.
 * @throws TypeError when one of them is neither.
 */
export async function createAddressResolver(trustedProxies: readonly string[]): Promise<AddressResolver> {
  if (!Array.isArray(trustedProxies))
    throw new TypeError("trustedProxies must be a list of IP addresses and CIDR ranges, such as ['10.0.0.0/8'].");
  if (trustedProxies.length === 0) return (request) => request.remoteAddress;
  const isTrusted = await loadProxyCheck(trustedProxies);
  return (request) => {
    const path = [...forwardedAddresses(request), request.remoteAddress ?? ""];
    return path.findLast((address) => !isTrusted(address)) ?? path[0];
  };
}

function forwardedAddresses({ headers }: ApiRequest): readonly string[] {
  const forwarded = headers["x-forwarded-for"];
  if (forwarded === undefined) return [];
  return String(forwarded)
    .split(",")
    .map((hop) => hop.trim());
}

/** The URL that the client called, without its query; undefined when nobody can know. A route of the host does not stand below `publicUrl`. */
export type UrlResolver = (request: ApiRequest, isHostRoute?: boolean) => string | undefined;

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
  if (publicUrl !== undefined) {
    const { origin } = new URL(publicUrl);
    return ({ basePath = "", path }, isHostRoute = false) => (isHostRoute ? origin + basePath : publicUrl) + path;
  }
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

/** Headers by which proxies announce a forwarded request. */
const proxyHeaders = /^(x-forwarded(-.*)?|forwarded|via|x-real-ip|(.+-)?client-ip|.+-connecting-ip)$/;
const loopback = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/i;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a request was sent on this machine (docs/reference/authentication.md#schemes, Localhost bypass): its socket's other end is a loopback address, no
 * proxy passed it on, and it was sent to this machine by name, which a foreign page in a local browser cannot do. No header makes a
 * request local, not even that of a proxy that is trusted.
 */
export function isLocalRequest({ remoteAddress, headers }: ApiRequest): boolean {
  if (remoteAddress === undefined || !loopback.test(remoteAddress)) return false;
  const { host } = headers;
  if (host !== undefined && !(typeof host === "string" && loopbackHost.test(host))) return false;
  return !Object.keys(headers).some((name) => headers[name] !== undefined && proxyHeaders.test(name));
}
