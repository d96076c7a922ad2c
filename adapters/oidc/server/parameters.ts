import type { ApiRequest } from "latchkey/ports";
import type { RequestForm } from "../http/form.js";
import { type FoundRoute, routes } from "../http/routes.js";
import { currentExchange } from "./exchange/exchange.js";
import { askedPrompt } from "./grants/grants.js";

interface GivenParameters {
  readonly query: string;
  readonly body: string | undefined;
}

/** The scope of a request without one (RFC 6749, 3.3). */
const defaultScope = "openid";

// With refresh tokens off, `offline_access` alone would leave no scope.
function nameScope(given: URLSearchParams): void {
  const [scope = "", ...others] = given.getAll("scope");
  const isNamed = others.length > 0 || scope.split(" ").some((one) => one !== "" && one !== "offline_access");
  if (!isNamed) given.set("scope", `${defaultScope} ${scope}`.trim());
}

function starts(path: string, name: FoundRoute["name"]): boolean {
  return path === routes.authorization || name === "pushed_authorization_request" || name === "device_authorization";
}

/** Returns the parameters of a request in the form of the library. */
export async function toLibraryParameters(
  { name, path }: FoundRoute,
  { method, query }: ApiRequest,
  { body, params }: RequestForm,
): Promise<GivenParameters> {
  const given = new URLSearchParams(params);
  if (starts(path, name) && !given.has("request_uri")) nameScope(given);
  if (path === routes.authorization || name === "pushed_authorization_request") return withAskedPrompt(method, query, given);
  // With a code, the library shows a page that needs a script.
  if (name === "code_verification" && method !== "POST") given.delete("user_code");
  if (name === "device_authorization" || name === "code_verification") return toGiven(method, query, given);
  // The library accepts only one audience in a hint.
  if (name === "end_session" && (await nameClientOfHint(given))) return toGiven(method, query, given);
  return { query, body };
}

/** Replaces a verified ID token hint by its client; nothing else of it is needed. Returns whether a client was found. */
export async function nameClientOfHint(given: URLSearchParams): Promise<boolean> {
  const { core, tenant } = currentExchange();
  const aud = [(await core.tokens.readId(given.get("id_token_hint") ?? "", tenant))?.aud ?? []].flat();
  const named = given.get("client_id");
  for (const audience of named === null ? aud : aud.filter((one) => one === named)) {
    if (typeof audience !== "string" || (await core.findClient(audience)) === undefined) continue;
    given.delete("id_token_hint");
    given.set("client_id", audience);
    return true;
  }
  return false;
}

// The library issues refresh tokens only after a consent prompt; here the application's settings decide about consent.
function withAskedPrompt(method: string, query: string, given: URLSearchParams): GivenParameters {
  const prompt = given.getAll("prompt");
  given.delete(askedPrompt);
  if (prompt.length > 1 || given.has("request_uri")) return toGiven(method, query, given);
  const asked = (prompt[0] ?? "").split(" ").filter((one) => one !== "");
  if (asked.length > 0) given.set(askedPrompt, asked.join(" "));
  const wantsOffline = given.get("scope")?.split(" ").includes("offline_access") === true;
  if (wantsOffline && !asked.includes("none") && !asked.includes("consent")) given.set("prompt", [...asked, "consent"].join(" "));
  return toGiven(method, query, given);
}

function toGiven(method: string, query: string, params: URLSearchParams): GivenParameters {
  return method === "POST" ? { query, body: params.toString() } : { query: params.toString(), body: undefined };
}
