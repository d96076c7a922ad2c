import type { ApiRequest } from "../../ports/transport.js";
import { type IpAddress, isInRange, isLoopback, parseClientAddress, parseIpRange } from "../../shared/ip-address.js";

/**
 * The proxies that a host trusts: addresses and CIDR ranges, IPv4 or IPv6; or the number of proxies that every request passes.
 */
export type TrustedProxies = readonly string[] | number;

/** Returns the source address of a request; undefined when the transport does not know it. */
export type AddressResolver = (request: ApiRequest) => IpAddress | undefined;

/**
 * Resolves the source address of a request: the socket's peer or, when that is a trusted proxy, the right-most entry of
 * `X-Forwarded-For` that is not one (docs/reference/authentication.md#source-address). The caller may forge entries further left.
 * Where that entry is no address, such as `unknown`, the source is the proxy that wrote it.
 * @throws TypeError when a trusted proxy is neither an address nor a range, or their number is invalid.
 */
export async function createAddressResolver(trustedProxies: TrustedProxies): Promise<AddressResolver> {
  const isTrusted = createProxyCheck(trustedProxies);
  return (request) => {
    let source = socketAddress(request);
    if (!isTrusted(source, 0)) return source;
    for (const [index, hop] of forwardedHops(request).reverse().entries()) {
      const address = parseClientAddress(hop);
      if (address === undefined) return source;
      source = address;
      if (!isTrusted(source, index + 1)) return source;
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

/**
 * Returns the URL that the client called, without its query; undefined when it is unknown. A route of the host is not below
 * `publicUrl`.
 */
export type UrlResolver = (request: ApiRequest, isHostRoute?: boolean) => string | undefined;

/** The host's settings of the service's URL. */
export interface UrlSettings {
  /** The service's root for clients, without a trailing slash; takes precedence over requests. */
  readonly publicUrl: string | undefined;
  /** The proxies whose `X-Forwarded-Proto` and `X-Forwarded-Host` count. */
  readonly trustedProxies: TrustedProxies;
}

// A host name or an address, and perhaps a port: nothing that would end the authority of a URL.
const hostShape = /^(?:\[[\da-f:.]+\]|[^\s\p{Cc}\\/?#@:[\]]+)(?::\d{0,5})?$/iu;

/** Resolves the URLs of requests. @throws TypeError when a trusted proxy is neither an address nor a range. */
export async function createUrlResolver({ publicUrl, trustedProxies }: UrlSettings): Promise<UrlResolver> {
  if (publicUrl !== undefined) {
    const { origin } = new URL(publicUrl);
    return ({ basePath = "", path }, isHostRoute = false) => (isHostRoute ? origin + basePath : publicUrl) + path;
  }
  const isTrusted = createProxyCheck(trustedProxies);
  return (request) => {
    const { headers, basePath = "", path } = request;
    const forwarded = isTrusted(socketAddress(request), 0) ? headers : {};
    const scheme = lastOf(forwarded["x-forwarded-proto"])?.toLowerCase() ?? (request.isEncrypted === true ? "https" : "http");
    const host = lastOf(forwarded["x-forwarded-host"]) ?? String(headers.host ?? headers[":authority"] ?? "");
    return /^https?$/.test(scheme) && hostShape.test(host) ? `${scheme}://${host}${basePath}${path}` : undefined;
  };
}

/** Whether the sender at an address is a proxy, that many hops away. */
type ProxyCheck = (address: IpAddress | undefined, hop: number) => boolean;

/** @throws TypeError when one of the proxies is neither an address nor a range, or their number is invalid. */
function createProxyCheck(trustedProxies: TrustedProxies): ProxyCheck {
  if (typeof trustedProxies === "number") return createHopCheck(trustedProxies);
  if (!Array.isArray(trustedProxies))
    throw new TypeError(
      "trustedProxies must be a list of IP addresses and CIDR ranges, such as ['10.0.0.0/8'], or a number of proxies.",
    );
  const ranges = trustedProxies.map((text) => {
    const range = parseIpRange(String(text));
    if (range !== undefined) return range;
    const rule = "each must be an IP address or a CIDR range, such as 10.0.0.1 or 10.0.0.0/8.";
    throw new TypeError(`trustedProxies holds ${String(text)}: ${rule}`);
  });
  return (address) => address !== undefined && ranges.some((range) => isInRange(address, range));
}

// A proxy at a Unix socket has no address, and counts too.
function createHopCheck(hops: number): ProxyCheck {
  if (!Number.isInteger(hops) || hops < 0 || hops > maxHops)
    throw new TypeError(`trustedProxies must be a whole number of proxies from 0 to ${maxHops}, or a list of addresses.`);
  return (_address, hop) => hop < hops;
}

const maxHops = 100;

// Entries further left come from the proxy's own client, and may be forged.
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(",").at(-1)?.trim();
}

const proxyHeaders = /^(x-forwarded(-.*)?|forwarded|via|x-real-ip|(.+-)?client-ip|.+-connecting-ip)$/;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a request was sent on this machine (docs/reference/authentication.md#schemes, Localhost bypass): its socket's peer is a
 * loopback address, no proxy forwarded it, and its `Host` is this machine, which a foreign page in a local browser cannot
 * achieve. No header makes a request local, not even from a trusted proxy.
 */
export function isLocalRequest(request: ApiRequest): boolean {
  const { headers } = request;
  const address = socketAddress(request);
  if (address === undefined || !isLoopback(address)) return false;
  const { host } = headers;
  if (host !== undefined && !(typeof host === "string" && loopbackHost.test(host))) return false;
  return !Object.keys(headers).some((name) => headers[name] !== undefined && proxyHeaders.test(name));
}
