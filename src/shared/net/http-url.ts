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

// Asked of the parsed URL: `http://%2e` and `http://。` are other spellings of `http://.`.
function hasPossibleHost(text: string): boolean {
  if (!URL.canParse(text, "https://host.invalid")) return false;
  const { hostname } = new URL(text, "https://host.invalid");
  return hostname.startsWith("[") || (hostname.length <= maxHostCharacters && hostName.test(hostname));
}
