import { SignJWT } from "jose";
import { openIdConnectLogins } from "latchkey/oidc";
import { describe, expect } from "vitest";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { arrangeApplication, arrangeProvider, providerId } from "../support/identity-providers.js";
import { anybody, ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { authorize, publishedPem, startUpstream, strangeKey, type Upstream } from "../support/upstream.js";
import { forEachStorage, type Start, type World } from "../support/world.js";

const redirect_uri = "https://app.example.com/callback";
const refused = "[identityProviderRefused]";
const unavailable = "[identityProviderUnavailable]";

async function startReal(start: Start, upstream: Upstream, oauth2: object = {}): Promise<World> {
  const identityProviders = [openIdConnectLogins()];
  const world = await start({ allowPrivateNetwork: true, clock: Date.now, identityProviders, throttle: false });
  await arrangeApplication(world);
  await arrangeProvider(world, "OpenIDConnect", {
    oauth2: { client_id: "client", client_secret: "s", issuer: upstream.url, ...oauth2 },
  });
  return world;
}

function begin(world: World): Promise<Answer> {
  const body = { applicationId: ids.application, identityProviderId: providerId, redirect_uri };
  return anybody(world).post("/api/identity-provider/start", body);
}

/** A login from its start to its end; `change` is what an attacker does on the way. */
async function logIn(world: World, change: object = {}): Promise<Answer> {
  const url = expectOk(await begin(world)).textAt("url");
  const data = { ...(await authorize(url)), ...change };
  return anybody(world).post("/api/identity-provider/login", {
    applicationId: ids.application,
    data,
    identityProviderId: providerId,
  });
}

forEachStorage((start) => {
  describe("a login by OpenID Connect", () => {
    requirement("external-login.clients", "goes by code, PKCE, state and nonce, and verifies what comes back", async () => {
      const upstream = await startUpstream();
      const world = await startReal(start, upstream);
      const answer = expectOk(await logIn(world));
      expect(answer.at("user")).toMatchObject({ email: "ann@example.com", firstName: "Ann", verified: true });
      const asked = upstream.received.find(({ url }) => url?.startsWith("/authorize"));
      const parameters = Object.fromEntries(new URL(asked?.url ?? "", upstream.url).searchParams);
      expect(parameters).toMatchObject({
        client_id: "client",
        code_challenge_method: "S256",
        redirect_uri,
        response_type: "code",
      });
      expect(parameters.nonce?.length).toBeGreaterThan(40);
      const exchanged = upstream.received.find(({ url }) => url === "/token");
      expect(exchanged?.headers.authorization).toBe(`Basic ${btoa("client:s")}`);
      expect(Object.fromEntries(new URLSearchParams(exchanged?.body))).toMatchObject({ code: "the code", redirect_uri });
      expect(new URLSearchParams(exchanged?.body).get("code_verifier")?.length).toBeGreaterThan(40);
      expectOk(await logIn(world));
      const count = (path: string) => upstream.received.filter(({ url }) => url === path).length;
      expect([count("/.well-known/openid-configuration"), count("/jwks")]).toEqual([1, expect.any(Number)]);
    });

    const now = () => Math.floor(Date.now() / 1_000);
    const signed = (claims: object, header: object = {}, key: Parameters<SignJWT["sign"]>[0] = strangeKey) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: "one", ...header }).sign(key);
    const hostile: Readonly<Record<string, (upstream: Upstream) => void>> = {
      "another issuer": (upstream) => void Object.assign(upstream.claims, { iss: "https://evil.example" }),
      "another audience": (upstream) => void Object.assign(upstream.claims, { aud: "another client" }),
      "several audiences for another party": (upstream) =>
        void Object.assign(upstream.claims, { aud: ["client", "x"], azp: "x" }),
      "another nonce": (upstream) => void Object.assign(upstream.claims, { nonce: "of somebody else" }),
      "no nonce": (upstream) => void Object.assign(upstream.claims, { nonce: undefined }),
      "an end that is over": (upstream) => void Object.assign(upstream.claims, { exp: now() - 120 }),
      "a start that is to come": (upstream) => void Object.assign(upstream.claims, { nbf: now() + 120 }),
      "no subject": (upstream) => void Object.assign(upstream.claims, { sub: undefined }),
      "the key of somebody else": (upstream) =>
        void Object.assign(upstream, { sign: (claims) => signed(claims) } satisfies Partial<Upstream>),
      "a key that is not published": (upstream) =>
        void Object.assign(upstream, { sign: (claims) => signed(claims, { kid: "two" }) } satisfies Partial<Upstream>),
      "the public key as a secret": (upstream) =>
        void Object.assign(upstream, {
          sign: (claims) => signed(claims, { alg: "HS256" }, new TextEncoder().encode(publishedPem)),
        } satisfies Partial<Upstream>),
      "no signature": (upstream) =>
        void Object.assign(upstream, {
          sign: async (claims) =>
            `${btoa('{"alg":"none"}').replace(/=/g, "")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`,
        } satisfies Partial<Upstream>),
      "no ID token": (upstream) => void Object.assign(upstream, { sign: async () => "" } satisfies Partial<Upstream>),
    };
    for (const [name, spoil] of Object.entries(hostile))
      requirement("external-login.clients", `refuses an ID token with ${name}`, async () => {
        const upstream = await startUpstream();
        spoil(upstream);
        expectRefusal(await logIn(await startReal(start, upstream)), 400, refused);
      });

    requirement("external-login.clients", "bears clocks that are a minute apart, and no more", async () => {
      const upstream = await startUpstream();
      upstream.claims.exp = now() - 30;
      expectOk(await logIn(await startReal(start, upstream)));
    });

    requirement(
      "external-login.clients",
      "refuses another user at the user info endpoint, and errors of the provider",
      async () => {
        const upstream = await startUpstream();
        const world = await startReal(start, upstream);
        upstream.intercept = (request, response) => {
          if (request.url !== "/userinfo") return false;
          response.writeHead(200, { "content-type": "application/json" }).end('{"sub":"eve","email":"ann@example.com"}');
          return true;
        };
        expectRefusal(await logIn(world), 400, refused);
        expectRefusal(await logIn(world, { code: undefined, error: "access_denied" }), 400, refused);
        expectRefusal(await logIn(world, { iss: "https://evil.example" }), 400, refused);
      },
    );

    const broken: Readonly<Record<string, (upstream: Upstream) => void>> = {
      "discovers another issuer": (upstream) => void Object.assign(upstream.metadata, { issuer: "https://evil.example" }),
      "has its keys elsewhere without encryption": (upstream) =>
        void Object.assign(upstream.metadata, { jwks_uri: "http://keys.example/jwks" }),
      "answers too much": (upstream) => void Object.assign(upstream.metadata, { more: "x".repeat(1_100_000) }),
      "answers no JSON": (upstream) =>
        void Object.assign(upstream, {
          intercept: (_request, response) => response.writeHead(200).end("<html>") !== undefined,
        } satisfies Partial<Upstream>),
      "redirects to another place": (upstream) =>
        void Object.assign(upstream, {
          intercept: (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end() !== undefined,
        } satisfies Partial<Upstream>),
      fails: (upstream) =>
        void Object.assign(upstream, {
          intercept: (_request, response) => response.writeHead(503).end() !== undefined,
        } satisfies Partial<Upstream>),
    };
    for (const [name, spoil] of Object.entries(broken))
      requirement("external-login.failures", `is 502 where the provider ${name}, and goes on once it does not`, async () => {
        const upstream = await startUpstream();
        const { intercept, metadata } = upstream;
        const world = await startReal(start, upstream);
        upstream.metadata = { ...metadata };
        spoil(upstream);
        expectRefusal(await begin(world), 502, unavailable);
        Object.assign(upstream, { intercept, metadata: {} });
        expectOk(await logIn(world));
      });

    requirement(
      "external-login.clients",
      "refuses an unencrypted issuer, and private addresses where they are not allowed",
      async () => {
        const upstream = await startUpstream();
        const world = await startReal(start, upstream, { issuer: "http://provider.example" });
        expectRefusal(await begin(world), 502, unavailable);
        const guarded = await start({ clock: Date.now, identityProviders: [openIdConnectLogins()], throttle: false });
        await arrangeApplication(guarded);
        await arrangeProvider(guarded, "OpenIDConnect", { oauth2: { client_id: "client", issuer: upstream.url } });
        expectRefusal(await begin(guarded), 502, unavailable);
        expect(upstream.received).toEqual([]);
      },
    );

    requirement("external-login.failures", "a slow provider delays its own logins alone", async () => {
      const [slow, fast] = [await startUpstream(), await startUpstream()];
      const world = await startReal(start, slow);
      const asked = Promise.withResolvers<void>();
      const { promise, resolve } = Promise.withResolvers<void>();
      slow.intercept = (request, response) => {
        if (!request.url?.startsWith("/.well-known")) return false;
        asked.resolve();
        void promise.then(() => response.writeHead(503).end());
        return true;
      };
      const waiting = begin(world);
      await asked.promise;
      const oauth2 = { client_id: "client", client_secret: "s", issuer: fast.url };
      expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider: { oauth2 } }));
      expectOk(await logIn(world));
      resolve();
      expectRefusal(await waiting, 502, unavailable);
    });

    requirement("external-login.clients", "takes a token for this client alone, and no access token", async () => {
      const upstream = await startUpstream();
      const world = await startReal(start, upstream);
      const withToken = (token: string) =>
        anybody(world).post("/api/identity-provider/login", {
          ...{ applicationId: ids.application, data: { token }, identityProviderId: providerId },
        });
      const claims = { aud: "client", exp: now() + 60, iat: now(), iss: upstream.url, sub: "ann|7", ...upstream.claims };
      expectOk(await withToken(await upstream.sign(claims)));
      expectRefusal(await withToken(await upstream.sign({ ...claims, aud: "another" })), 400, refused);
      expectRefusal(await withToken(await signed(claims)), 400, refused);
      expectRefusal(await withToken("an access token"), 400, refused);
      const begun = expectOk(await begin(world)).textAt("code");
      const swapped = { state: begun, token: await upstream.sign(claims) };
      expectRefusal(await anybody(world).post("/api/identity-provider/login", { data: swapped }), 400, refused);
    });
  });
});
