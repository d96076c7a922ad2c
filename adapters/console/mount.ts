import type { ApiRequest } from "latchkey/ports";

// The path is repeated in a page, a cookie and links: no host, no query, nothing that ends an attribute.
const pathShape = /^(?:\/[\w.~!$&'()*+=:@%-]+)*$/;

/** The mount point of a request, as browsers see it, and the path below it. */
export interface Mount {
  /** Without a trailing slash; empty at the root. */
  readonly mount: string;
  /** Starts with a slash. */
  readonly path: string;
}

/**
 * Splits a request's path at the mount point; undefined when the mount point cannot be written into a page. A proxy that strips a
 * prefix sends it as `X-Forwarded-Prefix`: its clients see the console below that prefix. Without a proxy, a client that sends
 * the header only changes its own page. `proxyPrefix` is for a proxy that does not send the header.
 */
export function findMount({ basePath = "", path, headers }: ApiRequest, proxyPrefix = ""): Mount | undefined {
  const forwarded = headers["x-forwarded-prefix"];
  const prefix = typeof forwarded === "string" ? forwarded : proxyPrefix;
  const mount = prefix.replace(/\/$/, "") + basePath;
  return isMountPath(mount) ? { mount, path: path.startsWith("/") ? path : `/${path}` } : undefined;
}

/** Whether a path can be written into a page: absolute without a trailing slash, or empty for the root. */
export function isMountPath(mount: string): boolean {
  return pathShape.test(mount) && !/\/\.{1,2}(?:\/|$)/.test(mount) && mount.length <= 1_000;
}
