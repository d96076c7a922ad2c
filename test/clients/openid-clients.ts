import { createServer } from "node:http";
import express from "express";
import fastify from "fastify";
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
  };
}

/** Lets the application redirect to further URLs. */
async function allowRedirects({ call, clientId }: Stage, urls: readonly string[]): Promise<void> {
  const patch = { application: { oauthConfiguration: { authorizedRedirectURLs: urls } } };
  await call("PATCH", `/api/application/${clientId}`, patch);
}

function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
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

function passport({ clientId, clientSecret, issuer, url: base, userId }: Stage): ClientRun {
  return async (step) => {
    const Strategy = await load("passport-openidconnect");
    const configuration = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    const endpoints = configuration as Record<string, string>;
    const settings = {
      issuer,
      authorizationURL: endpoints.authorization_endpoint ?? base,
      tokenURL: endpoints.token_endpoint ?? base,
      userInfoURL: endpoints.userinfo_endpoint,
      clientID: clientId,
      clientSecret,
      callbackURL: callback,
      scope: ["email", "profile"],
    };
    const verify = (_issuer: string, profile: object, done: (error: null, profile: object) => void) => done(null, profile);
    const session = {};
    const authenticate = (query: object): Promise<{ readonly redirect?: string; readonly profile?: Record<string, unknown> }> =>
      new Promise((resolve, reject) => {
        const strategy = Object.assign(Object.create(new Strategy(settings, verify)), {
          redirect: (redirect: string) => resolve({ redirect }),
          success: (profile: Record<string, unknown>) => resolve({ profile }),
          fail: (info: { readonly message?: string }) => reject(new Error(info.message)),
          error: reject,
        });
        strategy.authenticate({ session, query, headers: {}, connection: {}, app: { get: () => undefined } }, {});
      });
    const { redirect = "" } = await step("start", () => authenticate({}));
    const ended = await new Person().logIn(redirect);
    await step("login", async () => {
      const { profile } = await authenticate(Object.fromEntries(ended.searchParams));
      assert(profile?.id === userId, `The profile is ${JSON.stringify(profile)}.`);
    });
  };
}

function fastifyOAuth2(stage: Stage): ClientRun {
  return async (step) => {
    const plugin = await load("@fastify/oauth2");
    const { clientId, clientSecret, issuer } = stage;
    const app = fastify();
    // biome-ignore lint/suspicious/noExplicitAny: the plugin adds what it is called.
    const decorated = app as any;
    await step("discovery", async () => {
      app.register(plugin, {
        name: "latchkey",
        scope: ["openid", "offline_access"],
        credentials: { client: { id: clientId, secret: clientSecret } },
        startRedirectPath: "/login",
        callbackUri: callback,
        discovery: { issuer },
        pkce: "S256",
      });
      app.get("/callback", async (request) => (await decorated.latchkey.getAccessTokenFromAuthorizationCodeFlow(request)).token);
      await app.ready();
    });
    const start = await app.inject("/login");
    const ended = await new Person().logIn(String(start.headers.location));
    const cookies = Object.fromEntries(start.cookies.map(({ name, value }) => [name, value]));
    const token = await step("login", async () => {
      const answer = await app.inject({ url: ended.pathname + ended.search, cookies });
      assert(answer.statusCode === 200, answer.body);
      return answer.json();
    });
    const fresh = await step(
      "refresh",
      async () => (await decorated.latchkey.getNewAccessTokenUsingRefreshToken(token, {})).token,
    );
    await step("revocation", () => decorated.latchkey.revokeToken({ ...token, ...fresh }, "refresh_token", undefined));
    await app.close();
  };
}

function expressOpenId(stage: Stage): ClientRun {
  return async (step) => {
    const { auth } = await load("express-openid-connect");
    const baseURL = "http://localhost:4101";
    await allowRedirects(stage, [`${baseURL}/callback`, baseURL]);
    const { clientId: clientID, clientSecret, issuer: issuerBaseURL } = stage;
    const authorizationParams = { response_type: "code", scope: "openid email offline_access" };
    const app = express();
    const secret = "a secret of the application that is long";
    const settings = { baseURL, clientID, clientSecret, issuerBaseURL, secret, authRequired: false, idpLogout: true };
    // It expects RS256 unless it is told; the default key of the service signs by ES256.
    const idTokenSigningAlg = "ES256";
    app.use(auth({ ...settings, authorizationParams, idTokenSigningAlg }));
    // biome-ignore lint/suspicious/noExplicitAny: the middleware adds `oidc`.
    app.get("/", (req: any, res) => void res.json({ user: req.oidc.user ?? null }));
    // biome-ignore lint/suspicious/noExplicitAny: the middleware adds `oidc`.
    app.get("/refresh", async (req: any, res) => void res.json(await req.oidc.accessToken.refresh()));
    const failures: unknown[] = [];
    app.use((error: unknown, _req: unknown, res: express.Response, _next: unknown) => {
      failures.push(error);
      res.status(500).end();
    });
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(4101, resolve));
    const person = new Person();
    const away = async (path: string): Promise<URL> => (await person.browser.follow(baseURL + path)).url;
    try {
      await step("login", async () => {
        const back = await person.logIn(await away("/login"));
        assert(back.pathname === "/callback", `The login ends at ${back}.`);
        await person.browser.send(back);
        if (failures.length > 0) throw failures[0];
        const home = (await (await person.browser.send(`${baseURL}/`)).json()) as { readonly user?: { readonly sub: string } };
        assert(home.user?.sub === stage.userId, `The user is ${JSON.stringify(home.user)}.`);
      });
      await step("refresh", async () => {
        const response = await person.browser.send(`${baseURL}/refresh`);
        assert(response.status === 200, await response.text());
      });
      await step("logout", async () => {
        const left = await person.logOut(await away("/logout"));
        assert(left.href.startsWith(baseURL), `The logout ends at ${left}.`);
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
}

function authCore(stage: Stage): ClientRun {
  return async (step) => {
    const { Auth } = await load("@auth/core");
    const base = "http://localhost:4100/auth";
    await allowRedirects(stage, [`${base}/callback/latchkey`]);
    const { clientId, clientSecret, issuer, userId } = stage;
    const provider = { id: "latchkey", name: "Latchkey", type: "oidc", issuer, clientId, clientSecret };
    const callbacks = {
      session: ({ session, token }: { session: object; token: { sub: string } }) => ({ ...session, sub: token.sub }),
    };
    const config = {
      providers: [provider],
      secret: "a secret of the application",
      trustHost: true,
      basePath: "/auth",
      callbacks,
    };
    const jar = new Map<string, string>();
    const send = async (path: string, form?: Record<string, string>): Promise<Response> => {
      const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
      const body = form ? new URLSearchParams(form) : null;
      const target = path.startsWith("http") ? path : base + path;
      const request = new Request(target, { method: form ? "POST" : "GET", headers: { cookie }, body });
      const response: Response = await Auth(request, config);
      for (const text of response.headers.getSetCookie()) {
        const [pair = ""] = text.split(";");
        jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      return response;
    };
    const readToken = async (): Promise<string> => ((await (await send("/csrf")).json()) as { csrfToken: string }).csrfToken;
    const start = await step("start", async () => {
      const response = await send("/signin/latchkey", { csrfToken: await readToken() });
      const location = response.headers.get("location") ?? "";
      assert(location.startsWith(stage.url), `It leads to ${location}.`);
      return location;
    });
    const ended = await new Person().logIn(start);
    await step("login", async () => {
      const back = await send(ended.href);
      const session = (await (await send("/session")).json()) as {
        readonly sub?: string;
        readonly user?: { readonly id?: string };
      };
      assert(session?.sub !== undefined, `It leads to ${back.headers.get("location")}; ${userId} has no session.`);
    });
    await step("logout", async () => {
      await send("/signout", { csrfToken: await readToken() });
      assert((await (await send("/session")).json()) === null, "The session goes on.");
    });
  };
}
