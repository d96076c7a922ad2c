// The settings of an application that change what users and relying parties meet (docs/reference/openid.md#applications).
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { authenticationTypeOf } from "../../adapters/oidc/pages/views/providers/authentication-type.js";
import { identityProviderTypeRows, identityProviderTypes } from "../../src/records/identity-providers/types.js";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { readEvents } from "../support/world.js";
import { Browser } from "./support/browser.js";
import { ada, beginLogin, completeLogin, discover, logIn, type ProviderWorld, startProvider } from "./support/provider.js";

const thirdParty = { relationship: "ThirdParty", consentMode: "RememberDecision" } as const;

/** Agrees to some scopes on the page of a consent; returns where the browser goes. */
async function agree(browser: Browser, consent: URL, scopes: string): Promise<URL> {
  const answer = await browser.send(consent, { scopes });
  return (await browser.follow(new URL(answer.headers.get("location") ?? "", consent))).url;
}

requirement("openid.authentication-type", "tokens say how the user logged in, in each login of the session", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const browser = new Browser();
  const first = await beginLogin(config, { scope: "openid offline_access" });
  const page = await browser.follow(first.url);
  const answer = await browser.send(page.url, { loginId: ada.email, password: ada.password, type: "GOOGLE" });
  const ended = (await browser.follow(new URL(answer.headers.get("location") ?? "", page.url))).url;
  const tokens = await client.authorizationCodeGrant(config, ended, first.checks);
  expect(claimsOf(tokens.access_token).authenticationType).toBe("GOOGLE");
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(claimsOf(refreshed.access_token).authenticationType).toBe("REFRESH_TOKEN");
  const again = await completeLogin(config, {}, browser);
  expect(claimsOf(again.access_token).authenticationType).toBe("GOOGLE");
  const fresh = await completeLogin(config, { prompt: "login" }, browser);
  expect(claimsOf(fresh.access_token).authenticationType).toBe("PASSWORD");
});

test.each(identityProviderTypes)("a login by %s is named as the API names it", (type) => {
  expect(authenticationTypeOf(type)).toBe(identityProviderTypeRows[type].authenticationType);
});

requirement(
  "openid.consent-remembered",
  "a consent that is remembered counts in other browsers, until the client asks again",
  async () => {
    const world = await startProvider(memoryStorage(), thirdParty);
    const config = await discover(world);
    const browser = new Browser();
    const first = await beginLogin(config, { scope: "openid email profile" });
    const ended = await agree(browser, await logIn(browser, first.url), "openid email");
    expect((await client.authorizationCodeGrant(config, ended, first.checks)).scope).toBe("openid email");
    const elsewhere = await completeLogin(config, { scope: "openid email profile" });
    expect(elsewhere.scope).toBe("openid email");
    const wider = new Browser();
    const more = await logIn(wider, (await beginLogin(config, { scope: "openid email phone" })).url);
    expect(await (await wider.send(more)).json()).toMatchObject({ prompt: "consent", missingScopes: ["phone"] });
    const forced = await logIn(new Browser(), (await beginLogin(config, { prompt: "consent" })).url);
    expect(forced.pathname).toMatch(/^\/oauth2\/interaction\//);
  },
);

requirement("openid.consent-remembered", "AlwaysPrompt remembers nothing", async () => {
  const world = await startProvider(memoryStorage(), { ...thirdParty, consentMode: "AlwaysPrompt" });
  const config = await discover(world);
  const browser = new Browser();
  const first = await beginLogin(config);
  expect((await agree(browser, await logIn(browser, first.url), "openid email")).searchParams.has("code")).toBe(true);
  const again = await browser.follow((await beginLogin(config)).url);
  expect(again.url.pathname).toMatch(/^\/oauth2\/interaction\//);
});

requirement("openid.scope-required", "a user who refuses a scope that is required is sent back with access_denied", async () => {
  const required = { ...thirdParty, providedScopePolicy: { email: { enabled: true, required: true } } };
  const world = await startProvider(memoryStorage(), required);
  const config = await discover(world);
  const refuse = async (scopes: string): Promise<URL> => {
    const browser = new Browser();
    return agree(browser, await logIn(browser, (await beginLogin(config)).url), scopes);
  };
  expect((await refuse("openid profile")).searchParams.get("error")).toBe("access_denied");
  expect((await refuse("openid email")).searchParams.has("code")).toBe(true);
});

requirement("openid.device-page", "a device shows the page of its application", async () => {
  const deviceVerificationURL = "https://tv.example.com/activate?from=tv";
  const enabledGrants = ["urn:ietf:params:oauth:grant-type:device_code"];
  const world = await startProvider(memoryStorage(), { deviceVerificationURL, enabledGrants });
  const started = await client.initiateDeviceAuthorization(await discover(world), { scope: "openid" });
  expect(started.verification_uri).toBe(deviceVerificationURL);
  expect(started.verification_uri_complete).toBe(`${deviceVerificationURL}&user_code=${started.user_code}`);
});

async function readMessages({ identity }: ProviderWorld): Promise<readonly string[]> {
  const { eventLogs } = await identity.eventLogs.search({ search: { type: "Debug" } });
  return eventLogs.map(({ message }) => message);
}

requirement("openid.debug", "the event log says why requests are refused, where the application asks for it", async () => {
  for (const debug of [true, false]) {
    const world = await startProvider(memoryStorage(), { debug });
    const config = await discover(world);
    const { url } = await beginLogin(config, { scope: "openid everything" });
    await new Browser().follow(url);
    const post = (form: Readonly<Record<string, string>>) =>
      fetch(`${world.publicUrl}/oauth2/token`, {
        method: "POST",
        body: new URLSearchParams({ client_id: world.applicationId, ...form }),
      });
    const code = { grant_type: "authorization_code", code: "x", redirect_uri: "https://app.example.com/callback" };
    expect((await post({ ...code, client_secret: world.clientSecret })).status).toBe(400);
    expect((await post({ ...code, client_secret: "wrong" })).status).toBe(401);
    const messages = await readMessages(world);
    expect(messages).toHaveLength(debug ? 3 : 0);
    const text = messages.join("\n");
    for (const part of ["invalid_scope", "invalid_grant", "the client secret is wrong"]) expect(text.includes(part)).toBe(debug);
    expect(text).not.toContain(world.clientSecret);
  }
});

requirement("openid.refresh-event", "a refresh publishes jwt.refresh, without a token that is one", async () => {
  const storage = memoryStorage();
  const world = await startProvider(storage);
  await world.identity.webhooks.create({
    webhook: {
      url: "https://app.example.com/hook",
      global: true,
      connectTimeout: 1_000,
      readTimeout: 1_000,
      eventsEnabled: { "jwt.refresh": true },
    },
  });
  const eventConfiguration = { events: { "jwt.refresh": { enabled: true, transactionType: "None" } } } as const;
  await world.identity.tenants.patch({ tenantId: world.tenantId, patch: { tenant: { eventConfiguration } } });
  const config = await discover(world);
  const tokens = await completeLogin(config, { scope: "openid offline_access" });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  const [event, ...others] = await readEvents(storage, "jwt.refresh");
  const { refreshTokens } = await world.identity.jwt.list({ userId: world.userId });
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    applicationId: world.applicationId,
    refreshToken: refreshTokens[0]?.id,
    token: refreshed.access_token.split(".").slice(0, 2).join("."),
    userId: world.userId,
  });
});
