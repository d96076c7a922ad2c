import { isHttpUrl } from "./http-url.js";

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
