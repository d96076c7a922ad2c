import { SignInError } from "latchkey";
import { isObject } from "../internal/objects.js";
import type { LoginTools } from "./settings.js";

/**
 * The JSON object that a provider answers.
 * @throws SignInError `refused` for a status of 400 to 499, `unavailable` for any other answer.
 */
export async function readJson(
  { host }: LoginTools,
  url: URL,
  init: RequestInit = {},
): Promise<Readonly<Record<string, unknown>>> {
  const response = await host.fetch(url, { ...init, headers: { accept: "application/json", ...(init.headers as object) } });
  if (response.status >= 400 && response.status < 500)
    throw new SignInError("refused", `The identity provider answers ${response.status}.`);
  if (!response.ok) throw new SignInError("unavailable", `The identity provider answers ${response.status}.`);
  const body: unknown = await response.json().catch(() => undefined);
  if (!isObject(body)) throw new SignInError("unavailable", "The identity provider does not answer with a JSON object.");
  return body;
}
