const absolute = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The host of a request target in absolute form (RFC 9112, 3.2.2); undefined for a path. */
export function readTargetHost(target: string): string | undefined {
  return target.startsWith("/") ? undefined : absolute.exec(target)?.[1];
}

/** Path and query of a request target; a proxy or an old client may send the absolute form. */
export function toOriginForm(target: string): string {
  if (target.startsWith("/")) return target;
  const path = target.replace(absolute, "");
  return path === target || path.startsWith("/") ? path : `/${path}`;
}

/** Returns the part of the client's URL in front of the mount point's content. */
export function toBasePath(originalUrl: string, url: string): string {
  // Fast path: the service is usually mounted at the root.
  if (originalUrl.length === url.length) return "";
  if (originalUrl.endsWith(url)) return originalUrl.slice(0, originalUrl.length - url.length);
  // The mount point itself, without a trailing slash.
  const query = url.slice(1);
  return /^\/(\?|$)/.test(url) && originalUrl.endsWith(query) ? originalUrl.slice(0, originalUrl.length - query.length) : "";
}

/**
 * Path and query below the base path; undefined for a URL outside it. A base path segment with a leading colon matches any
 * segment.
 */
export function stripBasePath(url: string, basePath = ""): string | undefined {
  const target = toOriginForm(url);
  if (basePath === "" || basePath === "/") return target;
  let end = 0;
  for (const segment of basePath.split("/")) {
    if (segment === "") continue;
    const rest = target.slice(end + 1);
    const given = /^[^/?]*/.exec(rest)?.[0] ?? "";
    const isSame = given === segment || (segment.startsWith(":") && given !== "");
    if (target[end] !== "/" || !isSame) return undefined;
    end += given.length + 1;
  }
  return target[end] === "/" ? target.slice(end) : `/${target.slice(end)}`;
}
