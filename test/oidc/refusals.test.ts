// What the provider refuses, one row each: what is changed of a good request, and how the refusal looks.
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { beginLogin, callback, discover, logIn, type ProviderWorld, startProvider } from "./support/provider.js";

/** A change of the authorization request, the error, and whether the client receives it (else a page shows it). */
const authorizations: readonly (readonly [
  name: string,
  change: Readonly<Record<string, string>>,
  error: string,
  toClient: boolean,
])[] = [
  ["another redirect URI", { redirect_uri: "https://evil.example.com/callback" }, "invalid_redirect_uri", false],
  ["the URI that stands for none", { redirect_uri: "https://unusable.invalid/" }, "invalid_redirect_uri", false],
  ["a longer redirect URI", { redirect_uri: `${callback}/more` }, "invalid_redirect_uri", false],
  ["an unknown client", { client_id: "01a2152d-134f-749f-b9fd-330c7caa8802" }, "invalid_client", false],
  ["a response type of the implicit grant", { response_type: "token" }, "unsupported_response_type", true],
  ["an unknown scope", { scope: "openid everything" }, "invalid_scope", true],
  ["prompt=none without a session", { prompt: "none" }, "login_required", true],
  ["prompt=none with another prompt", { prompt: "none login" }, "invalid_request", true],
  ["a plain code challenge", { code_challenge_method: "plain" }, "invalid_request", true],
  ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported", true],
  ["a request URI", { request_uri: "https://evil.example.com/request" }, "request_uri_not_supported", true],
];

test.each(authorizations)("%s is refused", async (_name, change, error, toClient) => {
  const world = await startProvider(memoryStorage());
  const { url } = await beginLogin(await discover(world), change);
  const { response, url: ended } = await new Browser().follow(url);
  if (toClient) {
    expect(ended.href).toContain(callback);
    const answer = new URLSearchParams(ended.search || ended.hash.slice(1));
    expect(answer.get("error")).toBe(error);
    expect(answer.get("iss")).toBe(world.issuer);
    return;
  }
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ kind: "error", error });
});

describe("the exchange of a code", () => {
  /** A change of the request to the token endpoint, and its error. */
  const exchanges: readonly (readonly [name: string, change: Readonly<Record<string, string>>, error: string, status: number])[] =
    [
      ["the wrong verifier", { code_verifier: "a".repeat(43) }, "invalid_grant", 400],
      ["no verifier", { code_verifier: "" }, "invalid_grant", 400],
      ["another redirect URI", { redirect_uri: "https://evil.example.com/" }, "invalid_grant", 400],
      ["another code", { code: "x".repeat(43) }, "invalid_grant", 400],
      ["a wrong secret", { client_secret: "wrong" }, "invalid_client", 401],
      ["no secret", { client_secret: "" }, "invalid_client", 401],
      ["an unknown client", { client_id: "nobody" }, "invalid_client", 401],
      ["another grant", { grant_type: "password" }, "unsupported_grant_type", 400],
    ];

  test.each(exchanges)("with %s is refused", async (_name, change, error, status) => {
    const world = await startProvider(memoryStorage());
    const { checks, url } = await beginLogin(await discover(world));
    const ended = await logIn(new Browser(), url);
    const answer = await exchange(world, { ...formOf(world, ended, checks), ...change });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error });
  });

  test("by a client of another tenant is refused, and the code stays good", async () => {
    const world = await startProvider(memoryStorage());
    const { tenant } = await world.identity.tenants.create({ tenant: { name: "Other" } });
    const other = await world.identity.applications.create(
      { application: { name: "Other", oauthConfiguration: { authorizedRedirectURLs: [callback] } } },
      { tenantId: tenant.id },
    );
    const { checks, url } = await beginLogin(await discover(world));
    const good = formOf(world, await logIn(new Browser(), url), checks);
    const { clientSecret = "" } = other.application.oauthConfiguration;
    const stolen = { ...good, client_id: other.application.id, client_secret: clientSecret };
    expect(await (await exchange(world, stolen)).json()).toMatchObject({ error: "invalid_grant" });
    expect((await exchange(world, good)).status).toBe(200);
  });
});

test("a client without a secret needs a verifier, where the application lets it have none", async () => {
  const world = await startProvider(memoryStorage(), { clientAuthenticationPolicy: "NotRequiredWhenUsingPKCE" });
  const config = await discover(world, client.None());
  const { checks, url } = await beginLogin(config, { scope: "openid offline_access" });
  const tokens = await client.authorizationCodeGrant(config, await logIn(new Browser(), url), checks);
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(renewed.access_token).not.toBe(tokens.access_token);
  const plain = { code_challenge: "", code_challenge_method: "" };
  const second = await beginLogin(config, plain);
  const ended = await logIn(new Browser(), second.url);
  const form = { ...formOf(world, ended, {}), client_secret: "" };
  expect((await exchange(world, form)).status).toBe(401);
});

describe("a parameter without a value", () => {
  requirement("openid.empty-parameter", "is no proof: a code without a challenge is redeemed with the secret alone", async () => {
    const world = await startProvider(memoryStorage(), { clientAuthenticationPolicy: "NotRequiredWhenUsingPKCE" });
    const { url } = await beginLogin(await discover(world), { code_challenge: "", code_challenge_method: "" });
    url.searchParams.delete("code_challenge");
    url.searchParams.delete("code_challenge_method");
    const form = formOf(world, await logIn(new Browser(), url), {});
    for (const proof of ["code_verifier=", "code_verifier=&code_verifier=", "code_verifier"]) {
      const { client_secret: _secret, code_verifier: _verifier, ...rest } = form;
      const answer = await post(world, `${new URLSearchParams(rest)}&client_secret=&${proof}`);
      expect([proof, answer.status, await answer.json()]).toMatchObject([proof, 401, { error: "invalid_client" }]);
    }
    const good = await post(world, `${new URLSearchParams(form)}&refresh_token=&tenantId=`);
    expect([good.status, await good.json()]).toMatchObject([200, { token_type: "Bearer" }]);
  });

  requirement(
    "openid.empty-parameter",
    "is none at the authorization endpoint, at introspection and in the grant of entities",
    async () => {
      const world = await startProvider(memoryStorage());
      const { checks, url } = await beginLogin(await discover(world));
      for (const name of ["prompt", "max_age", "request", "request_uri", "tenantId", "response_mode", "claims", "id_token_hint"])
        url.searchParams.append(name, "");
      const ended = await logIn(new Browser(), url);
      const answer = await exchange(world, formOf(world, ended, checks));
      const { access_token: token } = (await answer.json()) as { readonly access_token: string };
      const asked = `client_id=${world.applicationId}&client_id=&client_secret=${encodeURIComponent(world.clientSecret)}&token=&token=${token}`;
      expect(await (await post(world, asked, "introspect")).json()).toMatchObject({ active: true });
      const entity = await post(world, "grant_type=client_credentials&client_id=x&client_secret=");
      expect([entity.status, await entity.json()]).toMatchObject([401, { error_reason: "missing_client_secret" }]);
    },
  );
});

test("PKCE is asked for where the application needs it", async () => {
  const world = await startProvider(memoryStorage(), { proofKeyForCodeExchangePolicy: "Required" });
  const { url } = await beginLogin(await discover(world));
  url.searchParams.delete("code_challenge");
  url.searchParams.delete("code_challenge_method");
  const { url: ended } = await new Browser().follow(url);
  expect(ended.searchParams.get("error")).toBe("invalid_request");
});

test("only registered users log in where the application says so", async () => {
  const world = await startProvider(memoryStorage(), { requireRegistration: true });
  const config = await discover(world);
  await world.identity.registrations.remove({ userId: world.userId, applicationId: world.applicationId });
  const { url } = await beginLogin(config);
  expect((await logIn(new Browser(), url)).searchParams.get("error")).toBe("access_denied");
});

function formOf(
  { applicationId, clientSecret }: ProviderWorld,
  ended: URL,
  { pkceCodeVerifier = "" }: client.AuthorizationCodeGrantChecks,
): Record<string, string> {
  return {
    grant_type: "authorization_code",
    code: ended.searchParams.get("code") ?? "",
    redirect_uri: callback,
    code_verifier: pkceCodeVerifier,
    client_id: applicationId,
    client_secret: clientSecret,
  };
}

function post({ publicUrl }: ProviderWorld, body: string, endpoint: string = "token"): Promise<Response> {
  return fetch(`${publicUrl}/oauth2/${endpoint}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
}

function exchange({ publicUrl }: ProviderWorld, form: Readonly<Record<string, string>>): Promise<Response> {
  const given = Object.entries(form).filter(([, value]) => value !== "");
  return fetch(`${publicUrl}/oauth2/token`, { method: "POST", body: new URLSearchParams(given) });
}
