// The named providers, as an upstream on the loopback address plays them.
import { openIdConnectLogins, type ProviderEndpoints } from "latchkey/oidc";
import { type IdentityProviderType, identityProviderTypeRows } from "../../../src/records/identity-providers/types.js";
import { type Answer, expectOk } from "../../support/answer.js";
import { arrangeApplication, arrangeProvider, providerId } from "../../support/identity-providers.js";
import { makeStatements, withRunner } from "../../support/lambda-places.js";
import { anybody, ids } from "../../support/logins.js";
import { authorize, startUpstream, type Upstream } from "../../support/upstream.js";
import type { Start, World } from "../../support/world.js";

const redirect_uri = "https://app.example.com/callback";

/** What the upstream answers as one provider, by the path: what is not listed is as OpenID Connect has it. */
export interface Played {
  readonly type: IdentityProviderType;
  readonly fields?: object;
  readonly endpoints: (url: string) => ProviderEndpoints;
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The `data` that ends the login, where that is no code of a login that was started. */
  readonly data?: Readonly<Record<string, string>>;
  readonly loginId?: string;
  /** What the user comes back with. */
  readonly back?: Readonly<Record<string, string>>;
  /** What the lambda sees of the user, as an expression. */
  readonly seen: string;
  readonly expected: { readonly id: string; readonly seen: string };
}

const plain = (url: string): ProviderEndpoints => ({
  authorization_endpoint: `${url}/authorize`,
  inspection_endpoint: `${url}/inspect`,
  token_endpoint: `${url}/token`,
  userinfo_endpoint: `${url}/userinfo`,
});
const discovered = (url: string): ProviderEndpoints => ({ issuer: url });

/** The providers that have a type of their own, and OpenID Connect. */
export const players: readonly Played[] = [
  {
    ...{ type: "Apple", endpoints: discovered, claims: { aud: "com.example.web" }, seen: "idToken.sub" },
    ...{ back: { user: '{"name":{"firstName":"Ann","lastName":"Lee"}}' }, expected: { id: "ann|7", seen: "ann|7" } },
  },
  {
    ...{ type: "EpicGames", endpoints: plain, seen: "userInfo.preferred_username" },
    expected: { id: "ann|7", seen: "ann" },
  },
  {
    ...{ type: "Facebook", endpoints: plain, answers: { "/userinfo": { id: "f7", email: "ann@example.com", name: "Ann" } } },
    ...{ seen: "facebookUser.id", expected: { id: "f7", seen: "f7" } },
  },
  { type: "Google", endpoints: discovered, claims: { aud: "c" }, seen: "idToken.sub", expected: { id: "ann|7", seen: "ann|7" } },
  {
    ...{ type: "HYPR", endpoints: discovered, loginId: "ann", seen: "'none'", expected: { id: "ann", seen: "none" } },
    answers: {
      "/rp/api/oob/client/authentication/requests": { response: { requestId: "r1" }, status: {} },
      "/rp/api/oob/client/authentication/requests/r1": { state: [{ value: "INITIATED" }, { value: "COMPLETED" }] },
    },
  },
  { type: "LinkedIn", endpoints: plain, seen: "linkedInUser.email", expected: { id: "ann|7", seen: "ann@example.com" } },
  {
    ...{ type: "Nintendo", endpoints: plain, answers: { "/userinfo": { id: "n7", nickname: "ann" } } },
    ...{ seen: "userInfo.nickname", expected: { id: "n7", seen: "ann" } },
  },
  {
    ...{
      type: "OpenIDConnect",
      endpoints: discovered,
      claims: { aud: "c" },
      seen: "jwt.email + id_token.sub + tokens.access_token",
    },
    expected: { id: "ann|7", seen: "ann@example.comann|7access" },
  },
  {
    ...{ type: "SonyPSN", endpoints: plain, answers: { "/userinfo": { user_id: "s7", online_id: "ann" } } },
    ...{ seen: "userInfo.online_id", expected: { id: "s7", seen: "ann" } },
  },
  {
    ...{ type: "Steam", endpoints: discovered, data: { token: "00ff" }, seen: "userInfo.personaname" },
    answers: {
      "/ISteamUserAuth/AuthenticateUserTicket/v1/": { response: { params: { result: "OK", steamid: "765" } } },
      "/ISteamUser/GetPlayerSummaries/v2/": { response: { players: [{ personaname: "ann", steamid: "765" }] } },
    },
    expected: { id: "765", seen: "ann" },
  },
  {
    ...{ type: "Twitch", endpoints: plain, answers: { "/token": { access_token: "a", scope: ["x"], token_type: "bearer" } } },
    ...{ seen: "userInfo.sub", expected: { id: "ann|7", seen: "ann|7" } },
  },
  {
    ...{ type: "Twitter", endpoints: discovered, back: { oauth_token: "rt", oauth_verifier: "v" } },
    answers: {
      "/oauth/request_token": "oauth_token=rt&oauth_token_secret=s&oauth_callback_confirmed=true",
      "/oauth/access_token": "oauth_token=at&oauth_token_secret=s2",
      "/1.1/account/verify_credentials.json": { id_str: "t7", email: "ann@example.com", name: "Ann", screen_name: "ann" },
    },
    ...{ seen: "twitterUser.screen_name", expected: { id: "t7", seen: "ann" } },
  },
  {
    ...{ type: "Xbox", endpoints: plain },
    answers: {
      "/inspect": { Token: "user token" },
      "/userinfo": { DisplayClaims: { xui: [{ gtg: "ann", xid: "x7" }] } },
    },
    ...{ seen: "userInfo.gtg", expected: { id: "x7", seen: "ann" } },
  },
];

/** Lets an upstream answer as a provider. */
export function play(upstream: Upstream, { answers = {} }: Played): void {
  upstream.intercept = (request, response) => {
    const { pathname } = new URL(request.url ?? "", upstream.url);
    if (!Object.hasOwn(answers, pathname)) return false;
    const body = answers[pathname];
    response.writeHead(200, { "content-type": typeof body === "string" ? "text/plain" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
    return true;
  };
}

/** A service and the upstream that its users log in at. */
export interface Stage {
  readonly upstream: Upstream;
  readonly world: World;
}

/** Starts a service with a provider that an upstream plays. */
export async function startPlayed(start: Start, played: Played, fields: object = {}): Promise<Stage> {
  const upstream = await startUpstream();
  play(upstream, played);
  Object.assign(upstream.claims, played.claims);
  const identityProviders = [openIdConnectLogins({ endpoints: { [played.type]: played.endpoints(upstream.url) } })];
  const world = await start({ allowPrivateNetwork: true, clock: Date.now, identityProviders, throttle: false, ...withRunner });
  await arrangeApplication(world);
  await arrangeProvider(world, played.type, { linkingStrategy: "CreatePendingLink", ...played.fields, ...fields });
  return { upstream, world };
}

/** Logs the user of the upstream in, from the start to the end. */
export async function logIn({ world }: Stage, { back, data, loginId }: Played, change: object = {}): Promise<Answer> {
  const named = { applicationId: ids.application, identityProviderId: providerId };
  if (data !== undefined) return anybody(world).post("/api/identity-provider/login", { ...named, data: { ...data, ...change } });
  const started = expectOk(await anybody(world).post("/api/identity-provider/start", { ...named, loginId, redirect_uri }));
  const code = started.textAt("code");
  const url = started.at("url") as string | undefined;
  const returned = url === undefined ? { code } : { ...(await authorize(url)), state: code };
  return anybody(world).post("/api/identity-provider/login", { data: { ...returned, ...back, ...change } });
}

/** Logs the user of the upstream in by a provider whose lambda has these statements; the account is linked by hand. */
export async function logInReconciled(
  start: Start,
  played: Played,
  statements: string,
): Promise<{ readonly answer: Answer; readonly userId: string }> {
  const stage = await startPlayed(start, played, { linkingStrategy: "LinkByEmail" });
  const { world } = stage;
  const linkingStrategy = played.type === "HYPR" ? "LinkByUsername" : "CreatePendingLink";
  const reconcileId = await makeStatements(world, identityProviderTypeRows[played.type].lambda, statements);
  const identityProvider = { lambdaConfiguration: { reconcileId }, linkingStrategy };
  expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
  // Without an address, an account is linked by hand once.
  const userId = expectOk(await world.caller.post("/api/user", { user: { username: "someone" } })).textAt("user.id");
  const identityProviderLink = { identityProviderId: providerId, identityProviderUserId: played.expected.id, userId };
  expectOk(await world.caller.post("/api/identity-provider/link", { identityProviderLink }));
  return { answer: expectOk(await logIn(stage, played)), userId };
}
