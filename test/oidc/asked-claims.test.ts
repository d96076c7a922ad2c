// Claims that a client asks for by name (OpenID Connect Core 5.5).
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { ada, beginLogin, completeLogin, discover, logIn, startProvider } from "./support/provider.js";

const claims = JSON.stringify({
  id_token: { auth_time: { essential: true }, email: null },
  userinfo: { given_name: { essential: true }, roles: null, unknown: null },
});

requirement(
  "openid.asked-claims",
  "the ID token and userinfo have the claims that a client asks for by name, each its own",
  async () => {
    const world = await startProvider(memoryStorage());
    const config = await discover(world);
    for (const scope of ["openid", "openid offline_access"]) {
      const tokens = await completeLogin(config, { scope, claims });
      expect(tokens.claims()).toMatchObject({ email: ada.email, auth_time: expect.any(Number) });
      expect(tokens.claims()).not.toHaveProperty("given_name");
      const userInfo = await client.fetchUserInfo(config, tokens.access_token, world.userId);
      expect(userInfo).toMatchObject({ given_name: "Ada" });
      for (const name of ["email", "family_name", "unknown"]) expect(userInfo).not.toHaveProperty(name);
      if (tokens.refresh_token === undefined) continue;
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
      expect(await client.fetchUserInfo(config, refreshed.access_token, world.userId)).toEqual(userInfo);
    }
    const plain = await completeLogin(config, { scope: "openid" });
    expect(await client.fetchUserInfo(config, plain.access_token, world.userId)).not.toHaveProperty("given_name");
  },
);

requirement("openid.asked-claims", "an application that may not have a scope does not get its claims by name", async () => {
  const providedScopePolicy = { email: { enabled: false }, profile: { enabled: false } };
  const world = await startProvider(memoryStorage(), { providedScopePolicy });
  const config = await discover(world);
  const tokens = await completeLogin(config, { scope: "openid", claims });
  expect(tokens.claims()).not.toHaveProperty("email");
  expect(await client.fetchUserInfo(config, tokens.access_token, world.userId)).not.toHaveProperty("given_name");
});

requirement("openid.asked-claims", "a consent names the scopes of such claims, and a refusal counts", async () => {
  const world = await startProvider(memoryStorage(), { relationship: "ThirdParty", consentMode: "AlwaysPrompt" });
  const config = await discover(world);
  for (const scopes of ["openid email", "openid profile"]) {
    const browser = new Browser();
    const { checks, url } = await beginLogin(config, { scope: "openid", claims });
    const consent = await logIn(browser, url);
    expect(await (await browser.send(consent)).json()).toMatchObject({ missingScopes: ["openid", "profile", "email"] });
    const answer = await browser.send(consent, { scopes });
    const ended = (await browser.follow(new URL(answer.headers.get("location") ?? "", consent))).url;
    const tokens = await client.authorizationCodeGrant(config, ended, checks);
    const userInfo = await client.fetchUserInfo(config, tokens.access_token, world.userId);
    const issued = { idToken: tokens.claims()?.email, userInfo: userInfo.given_name };
    expect(issued).toEqual(
      scopes.includes("email") ? { idToken: ada.email, userInfo: undefined } : { idToken: undefined, userInfo: "Ada" },
    );
  }
});
