import type { ApiRequest } from "../../ports/transport.js";

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
