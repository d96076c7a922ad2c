// Scopes that are not of OpenID Connect, by the policy of the application and by the way in which a client asks for them.
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { describe, expect } from "vitest";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { ada, beginLogin, discover, logIn, type ProviderWorld, startProvider } from "./support/provider.js";

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const scope = "openid email orders.read";

type Tokens = client.TokenEndpointResponse;

/** The ways in which a client asks for a user's tokens. */
const ways: Readonly<Record<string, (config: client.Configuration, world: ProviderWorld, scopes: string) => Promise<Tokens>>> = {
  async "a code"(config, _world, scopes) {
    const { checks, url } = await beginLogin(config, { scope: scopes });
    const ended = await logIn(new Browser(), url);
    return client.authorizationCodeGrant(config, ended, checks);
  },
  async "a pushed request"(config, _world, scopes) {
    const { checks, url } = await beginLogin(config, { scope: scopes });
    const pushed = await client.buildAuthorizationUrlWithPAR(config, url.searchParams);
    return client.authorizationCodeGrant(config, await logIn(new Browser(), pushed), checks);
  },
  async "a device"(config, world, scopes) {
    const started = await client.initiateDeviceAuthorization(config, { scope: scopes });
    await approve(world, started.user_code);
    return client.pollDeviceAuthorizationGrant(config, { ...started, interval: 0.1 });
  },
};

interface DevicePage {
  readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
}

/** Types the code of a device, and logs in. */
async function approve({ publicUrl, tenantId }: ProviderWorld, userCode: string): Promise<void> {
  const browser = new Browser();
  const send = ({ form }: DevicePage, fields: Readonly<Record<string, string>>) =>
    browser.send(new URL(form.action, publicUrl), { ...form.fields, ...fields });
  const entry = (await (await browser.send(`${publicUrl}/oauth2/device?tenantId=${tenantId}`)).json()) as DevicePage;
  const confirm = (await (await send(entry, { user_code: userCode })).json()) as DevicePage;
  const begun = await send(confirm, {});
  const page = await browser.follow(new URL(begun.headers.get("location") ?? "", publicUrl));
  const answer = await browser.send(page.url, { loginId: ada.email, password: ada.password });
  await browser.follow(new URL(answer.headers.get("location") ?? "", page.url));
}

function start(settings: object): Promise<ProviderWorld> {
  const enabledGrants = ["authorization_code", "refresh_token", deviceGrant];
  return startProvider(memoryStorage(), { enabledGrants, ...settings });
}

const sorted = (text: string | undefined): readonly string[] | undefined => text?.split(" ").toSorted();

describe.each(Object.entries(ways))("a scope that only the application knows, asked for by %s", (_way, run) => {
  requirement("openid.scope-unknown", "is in the tokens where the application allows it, and can be narrowed", async () => {
    const world = await start({ unknownScopePolicy: "Allow" });
    const config = await discover(world);
    const tokens = await run(config, world, `${scope} offline_access`);
    expect(sorted(tokens.scope)).toEqual(["email", "offline_access", "openid", "orders.read"]);
    expect(sorted(claimsOf(tokens.access_token).scope as string)).toEqual(sorted(tokens.scope));
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(sorted(refreshed.scope)).toEqual(sorted(tokens.scope));
    const narrowed = await client.refreshTokenGrant(config, refreshed.refresh_token ?? "", { scope: "openid offline_access" });
    expect(sorted(narrowed.scope)).toEqual(["offline_access", "openid"]);
    const wider = client.refreshTokenGrant(config, narrowed.refresh_token ?? "", { scope: "openid orders.write" });
    await expect(wider).rejects.toMatchObject({ error: "invalid_scope" });
  });

  requirement("openid.scope-unknown", "is left out where the application removes it", async () => {
    const world = await start({ unknownScopePolicy: "Remove" });
    const tokens = await run(await discover(world), world, scope);
    expect([sorted(tokens.scope), claimsOf(tokens.access_token).scope]).toEqual([["email", "openid"], tokens.scope]);
  });

  requirement("openid.scope-unknown", "is refused where the application rejects it, and by default", async () => {
    for (const settings of [{}, { unknownScopePolicy: "Reject" }]) {
      const world = await start(settings);
      await expect(run(await discover(world), world, scope)).rejects.toMatchObject({ error: "invalid_scope" });
    }
  });
});

requirement(
  "openid.scope-unknown",
  "a consent asks for the scopes of OpenID Connect alone, and remembers the decision",
  async () => {
    const settings = { relationship: "ThirdParty", consentMode: "RememberDecision", unknownScopePolicy: "Allow" };
    const world = await start(settings);
    const config = await discover(world);
    const browser = new Browser();
    const { checks, url } = await beginLogin(config, { scope });
    const consent = await logIn(browser, url);
    const page = (await (await browser.send(consent)).json()) as { readonly missingScopes: readonly string[] };
    expect(page.missingScopes.toSorted()).toEqual(["email", "openid"]);
    const answer = await browser.send(consent, { scopes: "openid" });
    const ended = (await browser.follow(new URL(answer.headers.get("location") ?? "", consent))).url;
    const tokens = await client.authorizationCodeGrant(config, ended, checks);
    expect(sorted(tokens.scope)).toEqual(["openid", "orders.read"]);
    const again = await beginLogin(config, { scope: "openid orders.write" });
    const next = await client.authorizationCodeGrant(config, (await browser.follow(again.url)).url, again.checks);
    expect(sorted(next.scope)).toEqual(["openid", "orders.write"]);
  },
);
