import { verify } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { openIdConnectLogins, type ProviderEndpoints } from "latchkey/identity-providers";
import { describe, expect } from "vitest";
import { type IdentityProviderType, identityProviderTypeRows } from "../../src/resources/identity-providers/types.js";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { arrangeApplication, arrangeProvider, providerId } from "../support/identity-providers.js";
import { makeStatements, withRunner } from "../support/lambda-places.js";
import { anybody, ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { authorize, startUpstream, type Upstream } from "../support/upstream.js";
import { forEachStorage, type Start, type World } from "../support/world.js";

const redirect_uri = "https://app.example.com/callback";

/** What the upstream answers as one provider, by the path: what is not listed is as OpenID Connect has it. */
interface Played {
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

const players: readonly Played[] = [
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

function play(upstream: Upstream, { answers = {} }: Played): void {
  upstream.intercept = (request, response) => {
    const { pathname } = new URL(request.url ?? "", upstream.url);
    if (!Object.hasOwn(answers, pathname)) return false;
    const body = answers[pathname];
    response.writeHead(200, { "content-type": typeof body === "string" ? "text/plain" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
    return true;
  };
}

interface Stage {
  readonly upstream: Upstream;
  readonly world: World;
}

async function startPlayed(start: Start, played: Played, fields: object = {}): Promise<Stage> {
  const upstream = await startUpstream();
  play(upstream, played);
  Object.assign(upstream.claims, played.claims);
  const identityProviders = [openIdConnectLogins({ endpoints: { [played.type]: played.endpoints(upstream.url) } })];
  const world = await start({ allowPrivateNetwork: true, clock: Date.now, identityProviders, throttle: false, ...withRunner });
  await arrangeApplication(world);
  await arrangeProvider(world, played.type, { linkingStrategy: "CreatePendingLink", ...played.fields, ...fields });
  return { upstream, world };
}

async function logIn({ world }: Stage, { back, data, loginId }: Played, change: object = {}): Promise<Answer> {
  const named = { applicationId: ids.application, identityProviderId: providerId };
  if (data !== undefined) return anybody(world).post("/api/identity-provider/login", { ...named, data: { ...data, ...change } });
  const started = expectOk(await anybody(world).post("/api/identity-provider/start", { ...named, loginId, redirect_uri }));
  const code = started.textAt("code");
  const url = started.at("url") as string | undefined;
  const returned = url === undefined ? { code } : { ...(await authorize(url)), state: code };
  return anybody(world).post("/api/identity-provider/login", { data: { ...returned, ...back, ...change } });
}

forEachStorage((start) => {
  describe.each(players)("a login by $type", (played) => {
    requirement(
      ["external-login.clients", "external-login.lambda"],
      "verifies its user, whom the lambda may change",
      async () => {
        const { lambda } = identityProviderTypeRows[played.type];
        const stage = await startPlayed(start, played, { linkingStrategy: "LinkByEmail" });
        const { world } = stage;
        const linkingStrategy = played.type === "HYPR" ? "LinkByUsername" : "CreatePendingLink";
        const reconcileId = await makeStatements(
          world,
          lambda,
          `user.data.seen = ${played.seen}; registration.data = { by: "lambda" };`,
        );
        const identityProvider = { lambdaConfiguration: { reconcileId }, linkingStrategy };
        expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
        // Without an address, an account is linked by hand once.
        const userId = expectOk(await world.caller.post("/api/user", { user: { username: "someone" } })).textAt("user.id");
        const identityProviderLink = { identityProviderId: providerId, identityProviderUserId: played.expected.id, userId };
        expectOk(await world.caller.post("/api/identity-provider/link", { identityProviderLink }));
        const answer = expectOk(await logIn(stage, played));
        expect(answer.textAt("user.id")).toBe(userId);
        expect(answer.at("user.data")).toEqual({ seen: played.expected.seen });
        expect(answer.at("user.registrations.0.data")).toEqual({ by: "lambda" });
      },
    );
  });

  describe("the odd ones", () => {
    const byType = (type: IdentityProviderType) => players.find((one) => one.type === type) as Played;

    requirement(
      "external-login.clients",
      "Apple gets a secret that the key of the team signed, and tells the name once",
      async () => {
        const stage = await startPlayed(start, byType("Apple"), { linkingStrategy: "LinkByEmail" });
        const answer = expectOk(await logIn(stage, byType("Apple")));
        expect(answer.at("user")).toMatchObject({ firstName: "Ann", lastName: "Lee" });
        const { received } = stage.upstream;
        expect(received.find(({ url }) => url?.startsWith("/authorize"))?.url).toContain("response_mode=form_post");
        const body = new URLSearchParams(received.find(({ url }) => url === "/token")?.body);
        const secret = body.get("client_secret") ?? "";
        expect(decodeProtectedHeader(secret)).toMatchObject({ alg: "ES256", kid: expect.any(String) });
        expect(decodeJwt(secret)).toMatchObject({ aud: "https://appleid.apple.com", iss: "TEAM", sub: "com.example.web" });
        const { keys } = (await stage.world.caller.get("/api/key")).body as { keys: { kid: string; publicKey: string }[] };
        const key = keys.find(({ kid }) => kid === decodeProtectedHeader(secret).kid);
        const [header, claims, signature = ""] = secret.split(".");
        const dsa = { dsaEncoding: "ieee-p1363", key: key?.publicKey ?? "" } as const;
        expect(verify("sha256", Buffer.from(`${header}.${claims}`), dsa, Buffer.from(signature, "base64url"))).toBe(true);
      },
    );

    requirement("external-login.clients", "Facebook and Google say whom an access token is for", async () => {
      for (const [type, mine, others] of [
        ["Facebook", { data: { app_id: "a", is_valid: true } }, { data: { app_id: "other", is_valid: true } }],
        ["Google", { aud: "c" }, { aud: "other" }],
      ] as const) {
        const played: Played = {
          ...byType(type),
          answers: { ...byType(type).answers, "/inspect": mine },
          data: { token: "opaque" },
        };
        const endpoints = (url: string): ProviderEndpoints => ({
          ...byType(type).endpoints(url),
          inspection_endpoint: `${url}/inspect`,
        });
        const stage = await startPlayed(start, { ...played, endpoints }, { linkingStrategy: "LinkByEmail" });
        expectOk(await logIn(stage, played));
        play(stage.upstream, { ...played, answers: { ...played.answers, "/inspect": others } });
        expectRefusal(await logIn(stage, played), 400, "[identityProviderRefused]");
      }
    });

    requirement("external-login.clients", "access tokens that name no client are refused", async () => {
      for (const type of ["EpicGames", "LinkedIn", "Nintendo", "SonyPSN", "Xbox"] as const) {
        const stage = await startPlayed(start, byType(type));
        expectRefusal(await logIn(stage, { ...byType(type), data: { token: "opaque" } }), 400, "[identityProviderRefused]");
      }
    });

    requirement("external-login.clients", "HYPR waits for the phone, and refuses where it does", async () => {
      const path = "/rp/api/oob/client/authentication/requests/r1";
      for (const [value, status, code] of [
        ["INITIATED", 409, "[identityProviderPending]"],
        ["CANCELED", 400, "[identityProviderRefused]"],
      ] as const) {
        const played: Played = { ...byType("HYPR"), answers: { ...byType("HYPR").answers, [path]: { state: [{ value }] } } };
        expectRefusal(await logIn(await startPlayed(start, played), played), status, code);
      }
      const { world } = await startPlayed(start, byType("HYPR"));
      const body = { applicationId: ids.application, identityProviderId: providerId };
      expectRefusal(await anybody(world).post("/api/identity-provider/start", body), 400, "[identityProviderRefused]");
    });

    requirement(
      "external-login.clients",
      "Twitter takes the token of its own start alone; Steam a ticket that it knows",
      async () => {
        const twitter = byType("Twitter");
        const stage = await startPlayed(start, twitter);
        expectRefusal(await logIn(stage, twitter, { oauth_token: "of another" }), 400, "[identityProviderRefused]");
        const signed = stage.upstream.received.find(({ url }) => url === "/oauth/request_token")?.headers.authorization;
        expect(signed).toMatch(/^OAuth .*oauth_callback="https%3A%2F%2Fapp\.example\.com.*oauth_signature="/);
        const steam = await startPlayed(start, byType("Steam"));
        expectRefusal(await logIn(steam, byType("Steam"), { token: "no digits" }), 400, "[identityProviderRefused]");
        play(steam.upstream, {
          ...byType("Steam"),
          answers: { "/ISteamUserAuth/AuthenticateUserTicket/v1/": { response: { error: {} } } },
        });
        expectRefusal(await logIn(steam, byType("Steam")), 400, "[identityProviderRefused]");
      },
    );
  });
});
