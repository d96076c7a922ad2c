import { createHmac } from "node:crypto";
import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderLoginStart, ProviderRedirect, ProviderUser } from "latchkey/ports";
import { readJson } from "./responses.js";
import { endpointOf, type LoginTools, textOf } from "./settings.js";

/** A call with OAuth 1.0a (RFC 5849): each request is signed, and the request token identifies the login. */

interface SignedCall {
  readonly method: "GET" | "POST";
  readonly parameters?: Readonly<Record<string, string>>;
  readonly token?: { readonly key: string; readonly secret: string };
  readonly url: URL;
}

// Stricter than `encodeURIComponent` (RFC 5849, 3.6).
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

function authorizationOf({ host }: LoginTools, record: ProviderLoginStart["provider"], call: SignedCall): string {
  const { method, parameters = {}, token, url } = call;
  const signed: Record<string, string> = {
    oauth_consumer_key: textOf(record, "consumerKey") ?? "",
    oauth_nonce: Buffer.from(host.random(16)).toString("hex"),
    oauth_signature_method: "HMAC-SHA1",
    oauth_timestamp: String(Math.floor(host.clock() / 1_000)),
    oauth_version: "1.0",
    ...(token && { oauth_token: token.key }),
    ...parameters,
  };
  const all = [...Object.entries(signed), ...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const base = [method, encode(url.origin + url.pathname), encode(all.join("&"))].join("&");
  const key = `${encode(textOf(record, "consumerSecret") ?? "")}&${encode(token?.secret ?? "")}`;
  signed.oauth_signature = createHmac("sha1", key).update(base).digest("base64");
  const parts = Object.entries(signed).map(([name, value]) => `${encode(name)}="${encode(value)}"`);
  return `OAuth ${parts.join(", ")}`;
}

function urlOf({ endpoints }: LoginTools, path: string): URL {
  return new URL(path, endpointOf({ issuer: endpoints.Twitter?.issuer ?? "https://api.twitter.com" }, "issuer"));
}

async function postForm(tools: LoginTools, record: ProviderLoginStart["provider"], call: SignedCall): Promise<URLSearchParams> {
  const authorization = authorizationOf(tools, record, call);
  const response = await tools.host.fetch(call.url, { headers: { authorization }, method: call.method });
  if (response.status === 400 || response.status === 401 || response.status === 403)
    throw new SignInError("refused", `The identity provider answers ${response.status}.`);
  if (!response.ok) throw new SignInError("unavailable", `The identity provider answers ${response.status}.`);
  return new URLSearchParams(await response.text());
}

/** Gets a request token, which also identifies the login on return. */
export async function startTwitter(
  tools: LoginTools,
  { provider, redirectUri, state }: ProviderLoginStart,
): Promise<ProviderRedirect> {
  const callback = new URL(redirectUri);
  callback.searchParams.set("state", state);
  const url = urlOf(tools, "/oauth/request_token");
  const answer = await postForm(tools, provider, { method: "POST", parameters: { oauth_callback: callback.href }, url });
  const [key, secret] = [answer.get("oauth_token"), answer.get("oauth_token_secret")];
  // Without the confirmation, the callback was ignored (RFC 5849, 2.1).
  if (key === null || secret === null || answer.get("oauth_callback_confirmed") !== "true")
    throw new SignInError("unavailable", "The identity provider gives no request token.");
  const authorize = urlOf(tools, "/oauth/authenticate");
  authorize.searchParams.set("oauth_token", key);
  return { url: authorize.href, memory: { key, secret } };
}

/** Exchanges the verifier with the request token of the same login, and reads the user. */
export async function completeTwitter(
  tools: LoginTools,
  { memory, parameters, provider }: ProviderLoginResponse,
): Promise<ProviderUser> {
  const token = memory === undefined ? tokenOf(parameters) : await exchange(tools, provider, { memory, parameters });
  const url = urlOf(tools, "/1.1/account/verify_credentials.json");
  url.searchParams.set("include_email", "true");
  const authorization = authorizationOf(tools, provider, { method: "GET", token, url });
  const twitterUser = await readJson(tools, url, { headers: { authorization } });
  const id = textOf(twitterUser, "id_str");
  if (id === undefined) throw new SignInError("refused", "The identity provider does not say who the user is.");
  const email = textOf(twitterUser, "email");
  const displayName = textOf(twitterUser, "name");
  return {
    displayName,
    email,
    id,
    // Twitter only shares verified addresses.
    isEmailVerified: email !== undefined,
    lambdaArguments: { twitterUser },
    profile: { fullName: displayName, imageUrl: textOf(twitterUser, "profile_image_url_https") },
    token: token.key,
    username: textOf(twitterUser, "screen_name"),
  };
}

type Parameters = Readonly<Record<string, string>>;

// Twitter only accepts tokens of this consumer key, which is part of the signature.
function tokenOf({ oauth_token: key, oauth_token_secret: secret }: Parameters): {
  readonly key: string;
  readonly secret: string;
} {
  if (key === undefined || secret === undefined)
    throw new SignInError("refused", "A login by Twitter needs an access token and its secret.");
  return { key, secret };
}

async function exchange(
  tools: LoginTools,
  provider: ProviderLoginStart["provider"],
  { memory, parameters }: { readonly memory: Parameters; readonly parameters: Parameters },
): Promise<{ readonly key: string; readonly secret: string }> {
  const { oauth_token: key, oauth_verifier: verifier } = parameters;
  if (key === undefined || key !== memory.key || verifier === undefined)
    throw new SignInError("refused", "The user came back from another login.");
  const url = urlOf(tools, "/oauth/access_token");
  const signed = {
    method: "POST",
    parameters: { oauth_verifier: verifier },
    token: { key, secret: memory.secret ?? "" },
    url,
  } as const;
  const answer = await postForm(tools, provider, signed);
  return tokenOf(Object.fromEntries(answer));
}
