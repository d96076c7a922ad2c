import type { ApiRequest } from "../../ports/transport.js";
import { type IpAddress, isInRange, isLoopback, parseClientAddress, parseIpRange } from "../../shared/ip-address.js";

/** Determines the source address of a request; undefined when the transport does not know it. */
export type AddressResolver = (request: ApiRequest) => IpAddress | undefined;

/**
 * The source address of a request: the socket's other end or, when that is a proxy the host trusts, the right-most
 * entry of `X-Forwarded-For` that is not one (docs/reference/authentication.md#source-address). What stands further left is the caller's own claim.
 * Where that entry is no address, such as `unknown`, the source is the proxy that wrote it.
 * `trustedProxies` are addresses or CIDR ranges, IPv4 or IPv6.
 * @throws TypeError when one of them is neither.
 */
export async function createAddressResolver(trustedProxies: readonly string[]): Promise<AddressResolver> {
  if (!Array.isArray(trustedProxies))
    throw new TypeError("trustedProxies must be a list of IP addresses and CIDR ranges, such as ['10.0.0.0/8'].");
  const isTrusted = createProxyCheck(trustedProxies);
  return (request) => {
    let source = socketAddress(request);
    if (!isTrusted(source)) return source;
    for (const hop of forwardedHops(request).reverse()) {
      const address = parseClientAddress(hop);
      if (address === undefined) return source;
      source = address;
      if (!isTrusted(source)) return source;
    }
    return source;
  };
}

function socketAddress({ remoteAddress }: ApiRequest): IpAddress | undefined {
  return remoteAddress === undefined ? undefined : parseClientAddress(remoteAddress);
}

function forwardedHops({ headers }: ApiRequest): string[] {
  const forwarded = headers["x-forwarded-for"];
  return forwarded === undefined ? [] : String(forwarded).split(",");
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
  const isTrusted = createProxyCheck(trustedProxies);
  return (request) => {
    const { headers, basePath = "", path } = request;
    const forwarded = isTrusted(socketAddress(request)) ? headers : {};
    const scheme = lastOf(forwarded["x-forwarded-proto"])?.toLowerCase() ?? (request.isEncrypted === true ? "https" : "http");
    const host = lastOf(forwarded["x-forwarded-host"]) ?? String(headers.host ?? headers[":authority"] ?? "");
    return /^https?$/.test(scheme) && hostShape.test(host) ? `${scheme}://${host}${basePath}${path}` : undefined;
  };
}

/** @throws TypeError when one of the proxies is neither an address nor a range. */
function createProxyCheck(trustedProxies: readonly string[]): (address: IpAddress | undefined) => boolean {
  const ranges = trustedProxies.map((text) => {
    const range = parseIpRange(String(text));
    if (range !== undefined) return range;
    const rule = "each must be an IP address or a CIDR range, such as 10.0.0.1 or 10.0.0.0/8.";
    throw new TypeError(`trustedProxies holds ${String(text)}: ${rule}`);
  });
  return (address) => address !== undefined && ranges.some((range) => isInRange(address, range));
}

// Entries further left come from the proxy's own client, and may be forged.
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(",").at(-1)?.trim();
}

/** Headers by which proxies announce a forwarded request. */
const proxyHeaders = /^(x-forwarded(-.*)?|forwarded|via|x-real-ip|(.+-)?client-ip|.+-connecting-ip)$/;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a request was sent on this machine (docs/reference/authentication.md#schemes, Localhost bypass): its socket's other end is a loopback address, no
 * proxy passed it on, and it was sent to this machine by name, which a foreign page in a local browser cannot do. No header makes a
 * request local, not even that of a proxy that is trusted.
 */
export function isLocalRequest(request: ApiRequest): boolean {
  const { headers } = request;
  const address = socketAddress(request);
  if (address === undefined || !isLoopback(address)) return false;
  const { host } = headers;
  if (host !== undefined && !(typeof host === "string" && loopbackHost.test(host))) return false;
  return !Object.keys(headers).some((name) => headers[name] !== undefined && proxyHeaders.test(name));
}
