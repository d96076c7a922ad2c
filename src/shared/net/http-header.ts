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
