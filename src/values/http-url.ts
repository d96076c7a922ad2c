// The parser of URLs drops or rewrites blanks, control characters and backslashes in silence, so none of them may be there.
const shape = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/** Whether a text is a full URL of HTTP or HTTPS without user info (decisions.md, Webhook fields): what the service may be told to call. */
export function isHttpUrl(text: string): boolean {
  return shape.test(text) && URL.canParse(text);
}
