// The parser of URLs drops or rewrites blanks, control characters and backslashes in silence, so none of them may be there.
const shape = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/** Labels of 1 to 63 letters, digits, hyphens and underscores, without a hyphen at either end (RFC 1123, 2.1); a dot may end the last. */
const hostName = /^(?:(?!-)[\w-]{1,63}(?<!-)\.)*(?!-)[\w-]{1,63}(?<!-)\.?$/;
const maxHostCharacters = 254;

/** A URL of HTTP or HTTPS, or one without a scheme that names a host. */
const namesHost = /^\s*(?:https?:)?[/\\]{2}/i;

/** Whether a text is a full URL of HTTP or HTTPS without user info (docs/reference/webhooks.md#fields): what the service may be configured to call. */
export function isHttpUrl(text: string): boolean {
  return shape.test(text) && hasPossibleHost(text);
}

/** Whether a text names no host where an HTTP URL has one, or a host that can exist: what a link that the service keeps may be. */
export function isPossibleLink(text: string): boolean {
  return !namesHost.test(text) || hasPossibleHost(text);
}

/** An HTTP URL as URLs are compared, without a slash at its end; other texts as they are. */
export function toCanonicalUrl(text: string): string {
  return isHttpUrl(text) ? new URL(text).href.replace(/\/$/, "") : text;
}

const ldapShape = /^ldaps?:\/\/[^\s\p{Cc}\\/?#@]+\/?$/iu;

/** Whether a text is the URL of an LDAP server (RFC 4516), with a host, perhaps a port, and nothing else. */
export function isLdapUrl(text: string): boolean {
  return ldapShape.test(text) && hasPossibleHost(text.replace(/^ldaps?/i, "https"));
}

// Asked of the parsed URL: `http://%2e` and `http://。` are other spellings of `http://.`.
function hasPossibleHost(text: string): boolean {
  if (!URL.canParse(text, "https://host.invalid")) return false;
  const { hostname } = new URL(text, "https://host.invalid");
  return hostname.startsWith("[") || (hostname.length <= maxHostCharacters && hostName.test(hostname));
}

/**
 * The one spelling of an HTTP URL without its query and fragment (RFC 3986, 6.2.2 and 6.2.3): scheme and host in lower case, no port
 * that is the scheme's own, no dot segments, at least `/` as a path, and nothing encoded that need not be. Undefined for what is no such
 * URL.
 */
export function normalizeUrl(text: string): string | undefined {
  if (!isHttpUrl(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/%[\da-f]{2}/gi, normaliseOctet);
}

function normaliseOctet(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
}

/** Names that belong to the connection or to the message itself (RFC 9110, 7.6.1, 7.2 and 10.1.1). */
const ofTransfer: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Names of what describes the body, and of its signature in either style, under any prefix that the host configures. */
const ofBody = /^(?:content-|webhook-)|-signature-jwt$/;

/** Whether a text is the name of a header that a request may be given beside those that the transfer needs. */
export function isRequestHeaderName(text: string): boolean {
  const name = text.toLowerCase();
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text) && !ofTransfer.has(name) && name !== "content-length";
}

/** Whether a text is the name of a header that a request may be given beside those that the transfer and the signature need. */
export function isFreeHeaderName(text: string): boolean {
  return isRequestHeaderName(text) && !ofBody.test(text.toLowerCase());
}

/** Whether a text can be the value of a header: visible ASCII, blanks and tabs, and so no line of its own. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
}

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/** Whether a text is one X.509 certificate in PEM or several, and nothing else, such as the private key of one. */
export function isCertificatePem(text: string): boolean {
  const [rest = "", ...blocks] = text.split(end).reverse();
  return rest.trim() === "" && blocks.length > 0 && blocks.every((block) => isCertificate(block.trim()));
}

function isCertificate(block: string): boolean {
  if (!block.startsWith(begin)) return false;
  try {
    // Asked for here: a start that checks no certificate need not load what reads them.
    new (process.getBuiltinModule("node:crypto").X509Certificate)(`${block}\n${end}`);
    return true;
  } catch {
    return false;
  }
}
