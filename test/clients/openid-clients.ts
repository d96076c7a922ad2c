import { assert } from "./assert.ts";
import { betterAuth } from "./better-auth.ts";
import { authCore, expressOpenId, fastifyOAuth2, passport } from "./openid-frameworks.ts";
import { Person } from "./person.ts";
import type { ClientRun } from "./run.ts";
import { callback, load, type Stage, user } from "./stage.ts";

/** The clients of OpenID Connect and OAuth 2.0. */
export function openIdClients(stage: Stage): Readonly<Record<string, ClientRun>> {
  return {
    "openid-client": openIdClient(stage),
    oauth4webapi: oauth4webapi(stage),
    "oidc-client-ts": oidcClient(stage),
    "passport-openidconnect": passport(stage),
    "@fastify/oauth2": fastifyOAuth2(stage),
    "express-openid-connect": expressOpenId(stage),
    "@auth/core": authCore(stage),
    "better-auth": betterAuth(stage),
  };
}

function openIdClient({ clientId, clientSecret, issuer, userId }: Stage): ClientRun {
  return async (step) => {
    const client = await load("openid-client");
    const config = await step("discovery", () =>
      client.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute: [client.allowInsecureRequests] }),
    );
    const person = new Person();
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const expectedNonce = client.randomNonce();
    const tokens = await step("login", async () => {
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: "openid email profile offline_access",
        state: expectedState,
        nonce: expectedNonce,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      });
      const ended = await person.logIn(url);
      return client.authorizationCodeGrant(config, ended, { pkceCodeVerifier, expectedState, expectedNonce });
    });
    await step("ID token", () => assert(tokens.claims().sub === userId, "The subject is another user."));
    await step("userinfo", async () => {
      const info = await client.fetchUserInfo(config, tokens.access_token, userId);
      assert(info.email === user.email, "The address is another one.");
    });
    const fresh = await step("refresh", () => client.refreshTokenGrant(config, tokens.refresh_token));
    await step("introspection", async () => {
      assert((await client.tokenIntrospection(config, fresh.access_token)).active, "The token is not active.");
    });
    await step("pushed request", () =>
      client.buildAuthorizationUrlWithPAR(config, {
        redirect_uri: callback,
        scope: "openid",
        code_challenge: "a".repeat(43),
        code_challenge_method: "S256",
      }),
    );
    await step("revocation", () => client.tokenRevocation(config, fresh.refresh_token ?? tokens.refresh_token));
    await step("logout", async () => {
      const url = client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token, post_logout_redirect_uri: callback });
      const ended = await person.logOut(url);
      assert(ended.href.startsWith(callback), `The logout ends at ${ended}.`);
    });
  };
}

function oauth4webapi({ clientId, clientSecret, issuer }: Stage): ClientRun {
  return async (step) => {
    const oauth = await load("oauth4webapi");
    const options = { [oauth.allowInsecureRequests]: true };
    const url = new URL(issuer);
    const server = await step("discovery", async () =>
      oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { algorithm: "oidc", ...options })),
    );
    const client = { client_id: clientId };
    const authentication = oauth.ClientSecretBasic(clientSecret);
    const person = new Person();
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const tokens = await step("login", async () => {
      const start = new URL(server.authorization_endpoint);
      const challenge = await oauth.calculatePKCECodeChallenge(verifier);
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      const asked = { response_type: "code", scope: "openid email offline_access", redirect_uri: callback };
      start.search = new URLSearchParams({ client_id: clientId, ...asked, state, nonce, ...pkce }).toString();
      const ended = oauth.validateAuthResponse(server, client, await person.logIn(start), state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        ended,
        callback,
        verifier,
        options,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true });
    });
    await step("userinfo", async () => {
      const response = await oauth.userInfoRequest(server, client, tokens.access_token, options);
      return oauth.processUserInfoResponse(server, client, oauth.getValidatedIdTokenClaims(tokens).sub, response);
    });
    const fresh = await step("refresh", async () => {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token, options);
      return oauth.processRefreshTokenResponse(server, client, response);
    });
    await step("introspection", async () => {
      const response = await oauth.introspectionRequest(server, client, authentication, fresh.access_token, options);
      assert((await oauth.processIntrospectionResponse(server, client, response)).active, "The token is not active.");
    });
    await step("revocation", async () => {
      const token = fresh.refresh_token ?? tokens.refresh_token;
      return oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authentication, token, options));
    });
    await step("logout", async () => {
      const end = new URL(server.end_session_endpoint);
      end.search = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: callback }).toString();
      assert((await person.logOut(end)).href.startsWith(callback), "The logout does not lead back.");
    });
  };
}

// It runs in browsers: each call is one of another origin, which must be allowed.
function oidcClient({ clientId, clientSecret, issuer }: Stage): ClientRun {
  return async (step) => {
    const { InMemoryWebStorage, OidcClient, WebStorageStateStore } = await load("oidc-client-ts");
    const stateStore = new WebStorageStateStore({ store: new InMemoryWebStorage() });
    const settings = { authority: issuer, client_id: clientId, client_secret: clientSecret, redirect_uri: callback };
    const client = new OidcClient({
      ...settings,
      scope: "openid email offline_access",
      post_logout_redirect_uri: callback,
      stateStore,
    });
    const person = new Person();
    const known = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const { origin } = new URL(callback);
      const response = await known(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), origin } });
      const allowed = response.headers.get("access-control-allow-origin");
      assert(allowed === "*" || allowed === origin, `The page may not read the answer of ${String(input)}.`);
      return response;
    };
    const inPage = async <T>(work: () => Promise<T>): Promise<T> => work();
    const plain = async <T>(work: () => Promise<T>): Promise<T> => {
      const own = globalThis.fetch;
      globalThis.fetch = known;
      return work().finally(() => {
        globalThis.fetch = own;
      });
    };
    try {
      const asked = await step("discovery, from another origin", () => inPage(() => client.createSigninRequest({})));
      const ended = await plain(() => person.logIn(asked.url));
      const answer = await step("login, from another origin", () => inPage(() => client.processSigninResponse(ended.href)));
      await step("refresh, from another origin", () =>
        inPage(() =>
          client.useRefreshToken({ state: { ...answer, data: undefined, profile: answer.profile, scope: answer.scope } }),
        ),
      );
      const out = await step("logout request", () =>
        inPage(() => client.createSignoutRequest({ id_token_hint: answer.id_token })),
      );
      await step("logout", async () => {
        const left = await plain(() => person.logOut(out.url));
        assert(left.href.startsWith(callback), `The logout ends at ${left}.`);
      });
    } finally {
      globalThis.fetch = known;
    }
  };
}
