import type { ApiResponse } from "latchkey/ports";
import type { ConsoleRole } from "./sign-in/roles.js";

/** Secret members of records that every role can read. */
const hiddenMembers: readonly (readonly [path: RegExp, members: ReadonlySet<string>])[] = [
  [/^\/api\/application(?:\/|$)/, new Set(["clientSecret"])],
];

/** Removes the secrets from a response, except for the role `full`. */
export function withoutSecrets(role: ConsoleRole, path: string, response: ApiResponse): ApiResponse {
  const hidden = role === "full" ? undefined : hiddenMembers.find(([shape]) => shape.test(path))?.[1];
  if (hidden === undefined || response.status >= 300 || typeof response.body !== "string" || response.body === "")
    return response;
  const content: unknown = JSON.parse(response.body, (name, value: unknown) => (hidden.has(name) ? undefined : value));
  return { ...response, body: JSON.stringify(content) };
}
