const absolute = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The host that a request target in absolute form names (RFC 9112, 3.2.2); undefined for a path. */
export function readTargetHost(target: string): string | undefined {
  return target.startsWith("/") ? undefined : absolute.exec(target)?.[1];
}

/** Path and query of a request target, which a proxy or an old client may send in absolute form. */
export function toOriginForm(target: string): string {
  if (target.startsWith("/")) return target;
  const path = target.replace(absolute, "");
  return path === target || path.startsWith("/") ? path : `/${path}`;
}

/** What a URL as the client called it has before the part that stands below the mount point. */
export function toBasePath(originalUrl: string, url: string): string {
  // Nearly always the service is mounted at the root.
  if (originalUrl.length === url.length) return "";
  if (originalUrl.endsWith(url)) return originalUrl.slice(0, originalUrl.length - url.length);
  // The mount point itself, called without a slash at its end.
  const query = url.slice(1);
  return /^\/(\?|$)/.test(url) && originalUrl.endsWith(query) ? originalUrl.slice(0, originalUrl.length - query.length) : "";
}

/**
 * A path and query below the base path, or undefined when it stands outside. A segment of the base path that begins with a colon stands for
 * any one.
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
