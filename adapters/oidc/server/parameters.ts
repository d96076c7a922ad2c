import type { ApiRequest } from "latchkey";
import type { RequestForm } from "../http/form.js";
import { askedPrompt } from "./grants/grants.js";
import type { FoundRoute } from "./routes.js";

/** What the library is given of a request. */
interface GivenParameters {
  readonly query: string;
  readonly body: string | undefined;
}

/**
 * Returns the parameters of an authorization request with `prompt` as the library needs it: it gives refresh tokens to those alone who ask
 * for consent, which the settings of the application decide here.
 */
export async function withAskedPrompt(
  { name, path }: FoundRoute,
  { method, query }: ApiRequest,
  { body, params }: RequestForm,
): Promise<GivenParameters> {
  const isRequest = path === "/oauth2/authorize" || name === "pushed_authorization_request";
  if (!isRequest) return { query, body };
  const given = new URLSearchParams(params);
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
