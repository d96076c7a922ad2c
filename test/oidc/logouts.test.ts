// The pages of a logout: by GET and by POST, without an application, and for a user who stays.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect } from "vitest";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage, submitPage } from "./support/forms.js";
import { receiveLogouts } from "./support/logouts.js";
import { ada, addClient, beginLogin, callback, discover, listen, type ProviderWorld } from "./support/provider.js";

interface LoggedIn {
  readonly world: ProviderWorld;
  readonly config: client.Configuration;
  readonly browser: Browser;
  readonly tokens: client.TokenEndpointResponse;
}

const startService = () => listen(memoryStorage(), { protocols: [oidc()], allowPrivateNetwork: true });

async function logInAt(world: ProviderWorld, browser: Browser, email: string = ada.email): Promise<LoggedIn> {
  const config = await discover(world);
  const { checks, url } = await beginLogin(config, { scope: "openid offline_access" });
  const form = { loginId: email, password: ada.password, remember: "true" };
  const ended = await submitPage(browser, await browser.follow(url), form);
  return { world, config, browser, tokens: await client.authorizationCodeGrant(config, ended.url, checks) };
}

const start = async (settings: object = {}): Promise<LoggedIn> =>
  logInAt(await addClient(await startService(), settings), new Browser());

async function isLoggedIn({ browser, config }: Pick<LoggedIn, "browser" | "config">): Promise<boolean> {
  const { url } = await beginLogin(config, { prompt: "none" });
  return (await browser.follow(url)).url.searchParams.has("code");
}

const endOf = ({ config }: LoggedIn): string => config.serverMetadata().end_session_endpoint ?? "";
const textOf = async (page: ShownPage): Promise<string> => (await readPage({ ...page, response: page.response.clone() })).text;

requirement("openid.logout-post", "a logout by POST is one by GET, and its address holds no token", async () => {
  const given = await start();
  const { browser, tokens, world } = given;
  const hint = { id_token_hint: tokens.id_token ?? "" };
  const forms: readonly Readonly<Record<string, string>>[] = [
    hint,
    { ...hint, client_id: world.applicationId },
    { client_id: world.applicationId },
  ];
  for (const form of forms) {
    // A form of another site comes without the cookies of the session.
    const sent = { ...form, post_logout_redirect_uri: callback, state: "s" };
    const answer = await new Browser().send(endOf(given), sent);
    const target = new URL(answer.headers.get("location") ?? "", endOf(given));
    expect([answer.status, target.search.includes("id_token_hint")]).toEqual([303, false]);
    expect(await textOf(await browser.follow(target))).toContain("Do you want to sign out of Shop?");
  }
  const post = async (form: Readonly<Record<string, string>>): Promise<ShownPage> => {
    const answer = await browser.send(endOf(given), form);
    return browser.follow(new URL(answer.headers.get("location") ?? "", endOf(given)));
  };
  const other = await addClient(world, {}, { name: "Wiki", email: "bob@example.com" });
  expect((await post({ ...hint, client_id: other.applicationId })).response.status).toBe(400);
  const page = await post({ ...hint, post_logout_redirect_uri: callback, state: "s" });
  const { action, fields } = await readPage(page);
  const ended = await browser.send(action, { ...fields, logout: "yes" });
  expect(ended.headers.get("location")).toBe(`${callback}?state=s`);
  expect(await isLoggedIn(given)).toBe(false);
});

requirement(
  "openid.logout-twice",
  "a logout without a session says that the user is signed out, and needs no script",
  async () => {
    const { browser, config, world } = await start();
    const end = (more: Readonly<Record<string, string>>): URL =>
      client.buildEndSessionUrl(config, { client_id: world.applicationId, ...more });
    await submitPage(browser, await browser.follow(end({})), { logout: "yes" });
    const back = await (await browser.send(end({ post_logout_redirect_uri: callback, state: "s" }))).text();
    expect(back).toContain("You are signed out.");
    expect(back).toContain(`<a href="${callback}?state=s">`);
    for (const html of [back, await (await new Browser().send(end({}))).text()])
      expect([html.includes("<script"), html.includes("<form"), html.includes("signed out")]).toEqual([false, false, true]);
    const wrong = end({ post_logout_redirect_uri: "https://evil.example/" });
    expect((await new Browser().send(wrong)).status).toBe(400);
  },
);

requirement("openid.logout-stay", "a user who stays signed in is, and no application gets a logout token", async () => {
  const { bodies, url } = await receiveLogouts();
  const given = await start({ backchannelLogoutURL: url });
  const { browser, config, world } = given;
  const parameters: readonly Readonly<Record<string, string>>[] = [{}, { post_logout_redirect_uri: callback, state: "s" }];
  for (const more of parameters) {
    const page = await browser.follow(client.buildEndSessionUrl(config, { client_id: world.applicationId, ...more }));
    expect(await textOf(page)).toContain("all applications");
    const { action, fields } = await readPage(page);
    const answer: ShownPage = { response: await browser.send(action, fields), url: action };
    expect(await textOf(answer)).toContain("You are still signed in. Continue to Shop");
    expect(await answer.response.clone().text()).toContain('href="https://app.example.com/"');
    expect(await isLoggedIn(given)).toBe(true);
    await world.identity.settle();
    expect(bodies).toEqual([]);
    // Who thinks better of it goes back, and signs out.
    if (more.state === undefined) continue;
    const left = await browser.send(action, { ...fields, logout: "yes" });
    expect(left.headers.get("location")).toBe(`${callback}?state=s`);
  }
  await world.identity.settle();
  const sids = bodies.map((body) => claimsOf(new URLSearchParams(body).get("logout_token") ?? "").sid);
  expect(sids).toEqual([claimsOf(given.tokens.id_token ?? "").sid]);
});

requirement("openid.logout-twice", "a logout that is sent twice says that the user is signed out", async () => {
  const given = await start();
  const { browser, config } = given;
  const { action, fields } = await readPage(await browser.follow(client.buildEndSessionUrl(config)));
  for (const _ of [1, 2]) {
    const answer = await browser.send(action, { ...fields, logout: "yes" });
    const location = answer.headers.get("location");
    const page = location === null ? { response: answer, url: action } : await browser.follow(new URL(location, action));
    expect([page.response.status, await textOf(page)]).toEqual([200, expect.stringContaining("You are signed out.")]);
  }
  expect(await isLoggedIn(given)).toBe(false);
});

requirement("openid.logout-unnamed", "a logout that names no tenant finds those of the browser", async () => {
  const service = await startService();
  const { tenant } = await service.identity.tenants.create({ tenant: { name: "Second <b>" } });
  const browser = new Browser();
  const bare = new URL(`${service.publicUrl}/oauth2/logout`);
  const openBare = async (): Promise<ShownPage> => browser.follow(bare);
  expect(await textOf(await openBare())).toContain("You are signed out.");
  const first = await logInAt(await addClient(service), browser);
  expect(await textOf(await openBare())).toContain("Do you want to sign out");
  const other = { email: "bob@example.com", tenantId: tenant.id };
  const second = await logInAt(await addClient(service, {}, other), browser, other.email);
  const page = await openBare();
  expect([page.response.status, await textOf(page)]).toEqual([200, expect.stringContaining("Where do you want to sign out?")]);
  const html = await page.response.text();
  expect(html).toContain("Second &lt;b&gt;");
  const [, link = ""] = new RegExp(`href="(/${tenant.id}/oauth2/logout[^"]*)"`).exec(html) ?? [];
  await submitPage(browser, await browser.follow(new URL(link, bare)), { logout: "yes" });
  expect([await isLoggedIn(first), await isLoggedIn(second)]).toEqual([true, false]);
  const posted = await new Browser().send(bare, { state: "s" });
  expect([posted.status, posted.headers.get("location")]).toEqual([303, "/oauth2/logout?state=s"]);
  // A client that nobody knows is one.
  const unknown = await browser.send(`${bare}?client_id=${crypto.randomUUID()}`);
  expect(unknown.status).toBe(400);
});
