import type { ApiResponse } from "latchkey/ports";
import type { ConsoleRole } from "./sign-in/roles.js";

/** Records that everybody reads, of whose members these are secrets. */
const hiddenMembers: readonly (readonly [path: RegExp, members: ReadonlySet<string>])[] = [
  [/^\/api\/application(?:\/|$)/, new Set(["clientSecret"])],
];

/** An answer as a role sees it: `full` has all of it, and others records without their secrets. */
export function withoutSecrets(role: ConsoleRole, path: string, response: ApiResponse): ApiResponse {
  const hidden = role === "full" ? undefined : hiddenMembers.find(([shape]) => shape.test(path))?.[1];
  if (hidden === undefined || response.status >= 300 || typeof response.body !== "string" || response.body === "")
    return response;
  const content: unknown = JSON.parse(response.body, (name, value: unknown) => (hidden.has(name) ? undefined : value));
  return { ...response, body: JSON.stringify(content) };
}
