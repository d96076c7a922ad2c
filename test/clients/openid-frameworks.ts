import { createServer } from "node:http";
import express from "express";
import fastify from "fastify";
import { assert } from "./assert.ts";
import { Person } from "./person.ts";
import type { ClientRun } from "./run.ts";
import { callback, load, type Stage } from "./stage.ts";

/** Lets the application redirect to further URLs. */
export async function allowRedirects({ call, clientId }: Stage, urls: readonly string[]): Promise<void> {
  const patch = { application: { oauthConfiguration: { authorizedRedirectURLs: urls } } };
  await call("PATCH", `/api/application/${clientId}`, patch);
}

export function passport({ clientId, clientSecret, issuer, url: base, userId }: Stage): ClientRun {
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

export function fastifyOAuth2(stage: Stage): ClientRun {
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

export function expressOpenId(stage: Stage): ClientRun {
  return async (step) => {
    const { auth } = await load("express-openid-connect");
    const baseURL = "http://localhost:4101";
    await allowRedirects(stage, [`${baseURL}/callback`, baseURL]);
    const { clientId: clientID, clientSecret, issuer: issuerBaseURL } = stage;
    const authorizationParams = { response_type: "code", scope: "openid email offline_access" };
    const app = express();
    const secret = "a secret of the application that is long";
    const settings = { baseURL, clientID, clientSecret, issuerBaseURL, secret, authRequired: false, idpLogout: true };
    app.use(auth({ ...settings, authorizationParams }));
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

export function authCore(stage: Stage): ClientRun {
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
