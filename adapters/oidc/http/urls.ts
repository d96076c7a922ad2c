type UrlPolicy = "AllowWildcards" | "ExactMatch";

/**
 * Whether an application registered a URL: exactly, with any port of a loopback address (RFC 8252, 7.3), or with a wildcard. A
 * wildcard matches part of one host label, or of the path, and never a scheme, a `;` or a segment `.` or `..` in any encoding.
 */
export function isRegistered(registered: readonly string[], policy: UrlPolicy, url: string): boolean {
  return registered.some(
    (one) => one === url || isSameLoopback(one, url) || (policy === "AllowWildcards" && matchesWildcard(one, url)),
  );
}

/** Whether pages of an origin may call on behalf of an application. */
export function isAllowedOrigin(origins: readonly string[], policy: UrlPolicy, origin: string): boolean {
  const known = origins.map((one) => one.replace(/\/$/, ""));
  return (
    isRegistered(known, "ExactMatch", origin) || (policy === "AllowWildcards" && known.some((one) => matchesOrigin(one, origin)))
  );
}

/** Returns the root of the first http or https URL's site; undefined for none. */
export function findStartUrl(urls: readonly string[]): string | undefined {
  const sites = urls.filter((url) => !url.includes("*") && URL.canParse(url)).map((url) => new URL(url));
  const site = sites.find(({ protocol }) => protocol === "https:" || protocol === "http:");
  return site && `${site.origin}/`;
}

/** Whether a start URL belongs to a site with registered URLs. */
export function isSiteOf(registered: readonly string[], policy: UrlPolicy, startUrl: string): boolean {
  if (registered.some((url) => findStartUrl([url]) === startUrl)) return true;
  const origins = registered.map((url) => /^[^:/?#]+:\/\/[^/?#]*/.exec(url)?.[0] ?? url);
  return isAllowedOrigin(origins, policy, new URL(startUrl).origin);
}

function matchesOrigin(pattern: string, origin: string): boolean {
  return pattern.includes("*") && matchesWildcard(`${pattern}/`, `${origin}/`);
}

function isSameLoopback(registered: string, url: string): boolean {
  const [one, other] = [registered, url].map((text) => (URL.canParse(text) ? new URL(text) : undefined));
  if (one?.protocol !== "http:" || !/^(?:127\.0\.0\.1|\[::1\])$/.test(one.hostname) || other === undefined) return false;
  if (other.username !== "" || other.password !== "" || other.hash !== "") return false;
  return (
    one.port === "" && one.hostname === other.hostname && other.href === new URL(one.href.replace(one.host, other.host)).href
  );
}

function matchesWildcard(pattern: string, url: string): boolean {
  if (!pattern.includes("*") || !URL.canParse(url) || /[\s\\#@]/.test(url) || new URL(url).href !== url) return false;
  const [, scheme = "", host = "", path = ""] = /^([^:/?#*]+:\/\/)([^/?#]*)(.*)$/.exec(pattern) ?? [];
  if (scheme === "" || (path.includes("*") && !isPlainPath(new URL(url).pathname))) return false;
  const expression = `^${escapeText(scheme)}${toExpression(host, "[^./?#:]+")}${toExpression(path, "[^?#]*")}$`;
  return new RegExp(expression).test(url);
}

const maxEncodings = 5;

// Servers interpret `..;`, `%2e%2e` and `..%2f` as the parent folder, some only after a proxy has decoded the path once.
function isPlainPath(path: string): boolean {
  let decoded = path;
  for (let count = 0; isEncoded(path) && count < maxEncodings; count++) {
    if (/[;\\\p{Cc}]|(?:^|\/)\.{1,2}(?:\/|$)/u.test(decoded)) return false;
    const next = decoded.replace(/%([0-7][\da-f])/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    if (next === decoded) return true;
    decoded = next;
  }
  return false;
}

function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function toExpression(pattern: string, wildcard: string): string {
  return pattern.split("*").map(escapeText).join(wildcard);
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
