// Sessions of browsers: single sign-on, max_age, consent, logout, and what ends a session.
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { Browser } from "./support/browser.js";
import { ada, beginLogin, callback, completeLogin, discover, logIn, startProvider } from "./support/provider.js";

test("a browser with a session is asked for nothing, unless the client wants a fresh login", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const browser = new Browser();
  await completeLogin(config, {}, browser);
  const again = await beginLogin(config, { prompt: "none" });
  const ended = (await browser.follow(again.url)).url;
  expect(await client.authorizationCodeGrant(config, ended, again.checks)).toHaveProperty("id_token");
  const changes: readonly Readonly<Record<string, string>>[] = [{ prompt: "login" }, { max_age: "0" }];
  for (const change of changes) {
    const { url } = await beginLogin(config, change);
    expect((await browser.follow(url)).url.pathname).toMatch(/^\/oauth2\/interaction\//);
  }
});

test("an interaction belongs to the browser that began it", async () => {
  const world = await startProvider(memoryStorage());
  const { url } = await beginLogin(await discover(world));
  const page = await new Browser().follow(url);
  const stranger = await new Browser().send(page.url, { loginId: ada.email, password: ada.password });
  expect(stranger.status).toBe(404);
});

test("a third-party application gets the scopes that the user agrees to", async () => {
  const settings = { relationship: "ThirdParty", consentMode: "RememberDecision" };
  const world = await startProvider(memoryStorage(), settings);
  const config = await discover(world);
  const browser = new Browser();
  const { checks, url } = await beginLogin(config, { scope: "openid email profile offline_access" });
  const consent = await logIn(browser, url);
  const page = (await (await browser.send(consent)).json()) as { readonly prompt: string; readonly missingScopes: string[] };
  expect(page).toMatchObject({ prompt: "consent" });
  expect(page.missingScopes.toSorted()).toEqual(["email", "offline_access", "openid", "profile"]);
  const answer = await browser.send(consent, { scopes: "openid email offline_access" });
  const ended = (await browser.follow(new URL(answer.headers.get("location") ?? "", consent))).url;
  const tokens = await client.authorizationCodeGrant(config, ended, checks);
  expect(tokens.scope?.split(" ").toSorted()).toEqual(["email", "offline_access", "openid"]);
  const userInfo = await client.fetchUserInfo(config, tokens.access_token, world.userId);
  expect(userInfo.email).toBe(ada.email);
  expect(userInfo).not.toHaveProperty("given_name");
});

test("a user who ends the login sends the client access_denied", async () => {
  const world = await startProvider(memoryStorage());
  const browser = new Browser();
  const { url } = await beginLogin(await discover(world));
  const page = await browser.follow(url);
  const answer = await browser.send(page.url, { abort: "yes" });
  const ended = (await browser.follow(new URL(answer.headers.get("location") ?? "", page.url))).url;
  expect(ended.searchParams.get("error")).toBe("access_denied");
});

test("a logout ends the session and its refresh tokens, and leads to registered URLs alone", async () => {
  const logoutURL = "https://app.example.com/signed-out";
  const world = await startProvider(memoryStorage(), { logoutURL });
  const config = await discover(world);
  const browser = new Browser();
  const tokens = await completeLogin(config, { scope: "openid offline_access" }, browser);
  const refused = await browser.send(endUrl("https://evil.example.com/"));
  expect(refused.status).toBe(400);
  const page = (await (await browser.send(endUrl(callback))).json()) as {
    readonly form: { action: string; fields: Record<string, string> };
  };
  const answer = await browser.send(new URL(page.form.action, world.publicUrl), { ...page.form.fields, logout: "yes" });
  const shown = (await answer.json()) as { readonly next: string };
  expect(shown).toMatchObject({ kind: "loggedOut", frames: [logoutURL] });
  expect(shown.next).toBe(`${callback}?state=s`);
  expect((await world.identity.jwt.list({ userId: world.userId })).refreshTokens).toEqual([]);
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
  const again = await beginLogin(config, { prompt: "none" });
  expect((await browser.follow(again.url)).url.searchParams.get("error")).toBe("login_required");

  function endUrl(target: string): URL {
    return client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: target,
      state: "s",
    });
  }
});

test("another password, a lock and the removal of the user end the session of the browser", async () => {
  let later = 0;
  const clock = (): number => Date.now() + later;
  const changes: readonly ((world: Awaited<ReturnType<typeof startProvider>>) => Promise<unknown>)[] = [
    async ({ identity, userId }) => {
      // The instants of logins are whole seconds.
      later += 1_000;
      await identity.users.patch({ userId, patch: { user: { password: "another good password" } } });
    },
    ({ identity, userId }) => identity.users.remove({ userId }),
    ({ identity, userId }) => identity.users.remove({ userId, hardDelete: true }),
  ];
  for (const change of changes) {
    later = 0;
    const world = await startProvider(memoryStorage(), {}, { clock });
    const config = await discover(world);
    const browser = new Browser();
    const tokens = await completeLogin(config, { scope: "openid offline_access" }, browser);
    await change(world);
    const again = await beginLogin(config, { prompt: "none" });
    expect((await browser.follow(again.url)).url.searchParams.get("error")).toBe("login_required");
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
  }
});
