import type { ApiRequest } from "../ports/transport.js";

const maxCredentialLength = 4_096;
const basicUserName = "apikey:";

/**
 * The API key that a request presents: the bare `Authorization` value, or Basic with the user name `apikey`
 * (reference 5.1). Undefined when there is none or it cannot be one; more than one `Authorization` header counts as none,
 * since a transport would silently choose one of them.
 */
export function readApiKey(request: ApiRequest): string | undefined {
  const header = request.headers.authorization ?? request.headers.authentication;
  if (typeof header !== "string" || header === "" || header.length > maxCredentialLength) return undefined;
  if (request.rawHeaders !== undefined && isRepeated(request.rawHeaders)) return undefined;
  return /^basic /i.test(header) ? readBasic(header.slice("basic ".length)) : header;
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 13 && name.toLowerCase() === "authorization") count++;
  }
  return count > 1;
}

// Only canonical Base64 counts: one credential has one spelling. The key begins behind the first colon and may hold others.
function readBasic(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith(basicUserName) && text.length > basicUserName.length ? text.slice(basicUserName.length) : undefined;
}
