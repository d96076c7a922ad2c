import type { ApiRequest } from "latchkey/ports";

// What may stand in a path that a page, a cookie and links repeat: no host, no query, nothing that ends an attribute.
const pathShape = /^(?:\/[\w.~!$&'()*+=:@%-]+)*$/;

/** Where a request stands: the path that browsers see the console at, and what comes after it. */
export interface Mount {
  /** Without a slash at its end; empty at the root. */
  readonly mount: string;
  /** Starts with a slash. */
  readonly path: string;
}

/**
 * Finds where a request stands; undefined where the mount point could not be written into a page. A proxy that takes a prefix away says so by
 * `X-Forwarded-Prefix`: the browsers of its clients see the console below it. What no proxy set is of the client itself, and for its own page.
 * `proxyPrefix`: that of a proxy which does not say so.
 */
export function findMount({ basePath = "", path, headers }: ApiRequest, proxyPrefix = ""): Mount | undefined {
  const forwarded = headers["x-forwarded-prefix"];
  const prefix = typeof forwarded === "string" ? forwarded : proxyPrefix;
  const mount = prefix.replace(/\/$/, "") + basePath;
  return isMountPath(mount) ? { mount, path: path.startsWith("/") ? path : `/${path}` } : undefined;
}

/** Whether a path can be written into a page: absolute, or empty for the root, without a slash at its end. */
export function isMountPath(mount: string): boolean {
  return pathShape.test(mount) && !/\/\.{1,2}(?:\/|$)/.test(mount) && mount.length <= 1_000;
}
