import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderLoginStart, ProviderRedirect, ProviderUser } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { readJson } from "./responses.js";
import { endpointOf, type LoginTools, textOf } from "./settings.js";

const path = "rp/api/oob/client/authentication/requests";

function requestsUrl({ endpoints }: LoginTools, record: ProviderLoginStart["provider"]): URL {
  const issuer = endpoints.HYPR?.issuer ?? textOf(record, "relyingPartyURL");
  const url = endpointOf({ issuer }, "issuer");
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${path}`;
  return url;
}

/** Sends a request to the user's phone. @throws SignInError without the name of the user. */
export async function startHypr(tools: LoginTools, { loginHint, provider }: ProviderLoginStart): Promise<ProviderRedirect> {
  if (loginHint === undefined || loginHint.trim() === "")
    throw new SignInError("refused", "A login by HYPR begins with the name of the user: send loginId.");
  const nonce = (): string => Buffer.from(tools.host.random(32)).toString("hex");
  const request = {
    actionId: "completeMediumTransaction",
    appId: textOf(provider, "relyingPartyApplicationId"),
    deviceNonce: nonce(),
    namedUser: loginHint,
    serviceHmac: nonce(),
    serviceNonce: nonce(),
    sessionNonce: nonce(),
  };
  const body = JSON.stringify(request);
  const headers = { "content-type": "application/json" };
  const { response, status } = await readJson(tools, requestsUrl(tools, provider), { body, headers, method: "POST" });
  const requestId = textOf(response, "requestId");
  if (requestId === undefined || !isObject(status)) throw new SignInError("refused", "HYPR does not ask this user.");
  return { memory: { namedUser: loginHint, requestId } };
}

const goingOn: ReadonlySet<string> = new Set(["INITIATED", "INITIATED_RESPONSE", "REQUEST_SENT"]);
const maxStates = 100;

/** Returns the user after approval on the phone: the newest state of the request counts. */
export async function completeHypr(tools: LoginTools, { memory, provider }: ProviderLoginResponse): Promise<ProviderUser> {
  const { namedUser, requestId } = memory ?? {};
  if (namedUser === undefined || requestId === undefined) throw new SignInError("refused", "A login by HYPR must be started.");
  const url = requestsUrl(tools, provider);
  url.pathname += `/${encodeURIComponent(requestId)}`;
  const answer = await readJson(tools, url);
  const states = Array.isArray(answer.state) ? (answer.state as readonly unknown[]).slice(-maxStates) : [];
  const state = textOf(states.at(-1), "value") ?? "INITIATED";
  if (goingOn.has(state)) throw new SignInError("pending", "The user has not decided yet.");
  if (state !== "COMPLETED") throw new SignInError("refused", `The request to the phone ended as ${state}.`);
  // The user approved on the phone, but HYPR did not verify this name as an address.
  const email = namedUser.includes("@") ? namedUser : undefined;
  return {
    displayName: namedUser,
    email,
    id: namedUser,
    isEmailVerified: false,
    lambdaArguments: {},
    profile: {},
    username: namedUser,
  };
}
