// The URL parser silently drops or rewrites blanks, control characters and backslashes, so none are allowed.
const shape = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/**
 * Labels of 1 to 63 letters, digits, hyphens and underscores, without a hyphen at either end (RFC 1123, 2.1); a dot may end the
 * last.
 */
const hostName = /^(?:(?!-)[\w-]{1,63}(?<!-)\.)*(?!-)[\w-]{1,63}(?<!-)\.?$/;
const maxHostCharacters = 254;

/** A URL of HTTP or HTTPS, or a scheme-relative one. */
const namesHost = /^\s*(?:https?:)?[/\\]{2}/i;

/**
 * Whether a text is a full HTTP or HTTPS URL without user info, which the service may call (docs/reference/webhooks.md#fields).
 */
export function isHttpUrl(text: string): boolean {
  return shape.test(text) && hasPossibleHost(text);
}

/** Whether a text is a possible link to store: without a host, or with a valid one. */
export function isPossibleLink(text: string): boolean {
  return !namesHost.test(text) || hasPossibleHost(text);
}

/** Normalizes an HTTP URL for comparison, without a trailing slash; returns other texts unchanged. */
export function toCanonicalUrl(text: string): string {
  return isHttpUrl(text) ? new URL(text).href.replace(/\/$/, "") : text;
}

const ldapShape = /^ldaps?:\/\/[^\s\p{Cc}\\/?#@]+\/?$/iu;

/** Whether a text is the URL of an LDAP server (RFC 4516): a host, optionally a port, and nothing else. */
export function isLdapUrl(text: string): boolean {
  return ldapShape.test(text) && hasPossibleHost(text.replace(/^ldaps?/i, "https"));
}

// Checks the parsed URL: `http://%2e` and `http://。` are other spellings of `http://.`.
function hasPossibleHost(text: string): boolean {
  if (!URL.canParse(text, "https://host.invalid")) return false;
  const { hostname } = new URL(text, "https://host.invalid");
  return hostname.startsWith("[") || (hostname.length <= maxHostCharacters && hostName.test(hostname));
}

/**
 * Normalizes an HTTP URL, without query and fragment (RFC 3986, 6.2.2 and 6.2.3): scheme and host in lower case, no default
 * port, no dot segments, at least `/` as path, and no unnecessary encoding. Undefined for other texts.
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

/** Headers of the connection or the message itself (RFC 9110, 7.6.1, 7.2 and 10.1.1). */
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

/** Headers of the body and its signature in either style, with any prefix that the host configures. */
const ofBody = /^(?:content-|webhook-)|-signature-jwt$/;

/** Whether a text is a header name that a request may set, apart from headers of the transfer. */
export function isRequestHeaderName(text: string): boolean {
  const name = text.toLowerCase();
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text) && !ofTransfer.has(name) && name !== "content-length";
}

/** Whether a text is a header name that a request may set, apart from headers of the transfer and the signature. */
export function isFreeHeaderName(text: string): boolean {
  return isRequestHeaderName(text) && !ofBody.test(text.toLowerCase());
}

/** Whether a text is a valid header value: visible ASCII, blanks and tabs, and so no line break. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
}

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/** Whether a text is one or several X.509 certificates in PEM, and nothing else, such as a private key. */
export function isCertificatePem(text: string): boolean {
  const [rest = "", ...blocks] = text.split(end).reverse();
  return rest.trim() === "" && blocks.length > 0 && blocks.every((block) => isCertificate(block.trim()));
}

function isCertificate(block: string): boolean {
  if (!block.startsWith(begin)) return false;
  try {
    // Loaded here: a start without certificates does not need the module.
    new (process.getBuiltinModule("node:crypto").X509Certificate)(`${block}\n${end}`);
    return true;
  } catch {
    return false;
  }
}
