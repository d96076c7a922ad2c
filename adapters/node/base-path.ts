/** What a URL as the client called it has before the part that stands below the mount point. */
export function toBasePath(originalUrl: string, url: string): string {
  // Nearly always the service is mounted at the root.
  if (originalUrl.length === url.length) return "";
  if (originalUrl.endsWith(url)) return originalUrl.slice(0, originalUrl.length - url.length);
  // The mount point itself, called without a slash at its end.
  const query = url.slice(1);
  return /^\/(\?|$)/.test(url) && originalUrl.endsWith(query) ? originalUrl.slice(0, originalUrl.length - query.length) : "";
}

/** A path and query below the base path, or undefined when it stands outside. */
export function stripBasePath(url: string, basePath = ""): string | undefined {
  const base = basePath.endsWith("/") ? basePath.slice(0, -1) : basePath;
  if (base === "") return url;
  if (url.startsWith(`${base}/`)) return url.slice(base.length);
  return url === base || url.startsWith(`${base}?`) ? `/${url.slice(base.length)}` : undefined;
}
