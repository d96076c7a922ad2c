// Several accounts in one browser, by the pages as they stand: prompt=select_account.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage, submitPage } from "./support/forms.js";
import {
  ada,
  addClient,
  beginLogin,
  discover,
  type PendingLogin,
  type ProviderWorld,
  startProvider,
} from "./support/provider.js";

const bob = "bob@example.com";
const select = { prompt: "select_account" } as const;
const cookie = ({ tenantId }: Pick<ProviderWorld, "tenantId">): string => `latchkey_accounts_${tenantId}`;

interface Accounts {
  readonly world: ProviderWorld;
  readonly config: client.Configuration;
  readonly bobId: string;
}

/** A tenant with two users. */
async function startAccounts(settings: object = {}, options: object = {}): Promise<Accounts> {
  const world = await startProvider(memoryStorage(), settings, { protocols: [oidc()], ...options });
  const { user } = await world.identity.users.create({ user: { email: bob, password: ada.password } });
  return { world, config: await discover(world), bobId: user.id };
}

interface Opened extends PendingLogin {
  readonly page: ShownPage;
}

async function open({ config }: Accounts, browser: Browser, parameters: Readonly<Record<string, string>>): Promise<Opened> {
  const pending = await beginLogin(config, parameters);
  return { ...pending, page: await browser.follow(pending.url) };
}

/** Enters a password, and returns the user of the tokens. */
async function enter(
  { config }: Accounts,
  browser: Browser,
  { checks, page }: Opened,
  { loginId, remember = "true" }: { readonly loginId: string; readonly remember?: string },
): Promise<string | undefined> {
  return finish(config, { checks, page: await submitPage(browser, page, { loginId, password: ada.password, remember }) });
}

async function finish(
  config: client.Configuration,
  { checks, page }: { readonly checks: PendingLogin["checks"]; readonly page: ShownPage },
): Promise<string | undefined> {
  return (await client.authorizationCodeGrant(config, page.url, checks)).claims()?.sub;
}

/** A browser in which Ada logged in, then Bob. */
async function logBothIn(accounts: Accounts): Promise<Browser> {
  const browser = new Browser();
  expect(await enter(accounts, browser, await open(accounts, browser, {}), { loginId: ada.email })).toBe(accounts.world.userId);
  const opened = await open(accounts, browser, select);
  const login = await submitPage(browser, opened.page, { another: "yes" });
  expect(await enter(accounts, browser, { ...opened, page: login }, { loginId: bob })).toBe(accounts.bobId);
  return browser;
}

requirement("openid.accounts", "a user goes on with any account of the browser that has a session", async () => {
  const accounts = await startAccounts();
  const { bobId, config, world } = accounts;
  const browser = await logBothIn(accounts);
  for (const userId of [world.userId, bobId, bobId, world.userId]) {
    const { checks, page } = await open(accounts, browser, select);
    const { text } = await readPage({ ...page, response: page.response.clone() });
    expect(text).toContain("Ada Lovelace, ada@example.com (signed in)");
    expect(text).toContain("bob@example.com (signed in)");
    expect(await finish(config, { checks, page: await submitPage(browser, page, { account: userId }) })).toBe(userId);
    // It is the session at hand now.
    const silent = await open(accounts, browser, { prompt: "none" });
    expect(await finish(config, silent)).toBe(userId);
  }
});

test("a browser without accounts logs in at once, and a refused silent request says why", async () => {
  const accounts = await startAccounts();
  const browser = new Browser();
  const opened = await open(accounts, browser, { ...select, login_hint: bob });
  expect(await opened.page.response.clone().text()).toContain(`value="${bob}"`);
  expect(await enter(accounts, browser, opened, { loginId: bob })).toBe(accounts.bobId);
  const silent = await open(accounts, browser, { prompt: "none select_account" });
  expect(silent.page.url.searchParams.get("error")).toBe("invalid_request");
});

test("an account whose login is too old, or that is asked for its password, enters it", async () => {
  const accounts = await startAccounts();
  const { world } = accounts;
  for (const parameters of [{ ...select, max_age: "0" }, { prompt: "select_account login" }]) {
    const browser = await logBothIn(accounts);
    const opened = await open(accounts, browser, parameters);
    const page = await submitPage(browser, opened.page, { account: world.userId });
    expect(await page.response.clone().text()).toContain('name="password"');
    expect(await enter(accounts, browser, { ...opened, page }, { loginId: ada.email })).toBe(world.userId);
  }
});

requirement("openid.accounts-logout", "a logout after the end of the session at hand asks about the other accounts", async () => {
  const accounts = await startAccounts();
  const { bobId, config, world } = accounts;
  const browser = await logBothIn(accounts);
  await world.identity.users.remove({ userId: bobId });
  const page = await browser.follow(client.buildEndSessionUrl(config, { client_id: world.applicationId }));
  expect(await page.response.clone().text()).toContain("Do you want to sign out");
  const ended = await submitPage(browser, page, { logout: "yes" });
  expect((await readPage(ended)).text).toContain("You are signed out.");
  expect(browser.cookieNames).not.toContain(cookie(world));
});

requirement("openid.accounts-stale", "an account whose session ended logs in, and a removed one is gone", async () => {
  let later = 0;
  const clock = (): number => Date.now() + later;
  const changes: readonly (readonly [string | undefined, (accounts: Accounts) => Promise<unknown>])[] = [
    [
      "signed out",
      async ({ world: { identity, userId } }) => {
        // The instants of logins are whole seconds.
        later += 1_000;
        await identity.users.patch({ userId, patch: { user: { password: "another good password" } } });
      },
    ],
    [undefined, ({ world: { identity, userId } }) => identity.users.remove({ userId })],
    [undefined, ({ world: { identity, userId } }) => identity.users.remove({ userId, hardDelete: true })],
  ];
  for (const [state, change] of changes) {
    later = 0;
    const accounts = await startAccounts({}, { clock });
    const browser = await logBothIn(accounts);
    await change(accounts);
    const { page } = await open(accounts, browser, select);
    const { text } = await readPage({ ...page, response: page.response.clone() });
    expect(text).toContain("bob@example.com (signed in)");
    expect(/ada@example\.com \(([a-z ]+)\)/.exec(text)?.[1]).toBe(state);
    const next = await submitPage(browser, page, { account: accounts.world.userId });
    const login = await next.response.text();
    expect(login).toContain('name="password"');
    expect(login.includes(`value="${ada.email}"`)).toBe(state !== undefined);
  }
});

requirement("openid.accounts-sealed", "a forged cookie, or one of another tenant or user, names no account", async () => {
  const accounts = await startAccounts();
  const { identity, publicUrl } = accounts.world;
  const { tenant } = await identity.tenants.create({ tenant: { name: "Other" } });
  const elsewhere = await addClient({ identity, publicUrl }, {}, { tenantId: tenant.id });
  const other: Accounts = { ...accounts, world: elsewhere, config: await discover(elsewhere) };
  const sealed = (await logBothIn(accounts)).read(cookie(accounts.world)) ?? "";
  const forged = Buffer.from(JSON.stringify({ values: { accounts: [{ userId: accounts.bobId }] }, until: 9e15 }));
  const cases: readonly (readonly [Accounts, string])[] = [
    [other, sealed],
    [accounts, forged.toString("base64url")],
    [accounts, `${sealed.slice(0, -2)}AA`],
    [accounts, ""],
  ];
  for (const [attacked, value] of cases) {
    const browser = new Browser();
    browser.plant(cookie(attacked.world), value);
    const { page } = await open(attacked, browser, select);
    expect((await readPage(page)).text).not.toMatch(/ada@|bob@|Choose an account/);
  }
  // Nobody goes on with an account that the browser does not know.
  const stranger = new Browser();
  await enter(accounts, stranger, await open(accounts, stranger, {}), { loginId: ada.email });
  const { page } = await open(accounts, stranger, select);
  const next = await submitPage(stranger, page, { account: accounts.bobId });
  expect(await next.response.text()).toContain('name="password"');
});

test("another site cannot choose for the user", async () => {
  const accounts = await startAccounts();
  const browser = await logBothIn(accounts);
  const { page } = await open(accounts, browser, select);
  const answer = await browser.send(page.url, { account: accounts.world.userId, token: "guessed" });
  expect(answer.status).toBe(403);
});

requirement("openid.accounts-logout", "a logout forgets the accounts and ends their sessions", async () => {
  const logoutURL = "https://app.example.com/signed-out";
  const accounts = await startAccounts({ logoutURL });
  const { config, world } = accounts;
  const browser = await logBothIn(accounts);
  const before = browser.read(cookie(world)) ?? "";
  const page = await browser.follow(client.buildEndSessionUrl(config));
  const ended = await submitPage(browser, page, { logout: "yes" });
  expect(await ended.response.text()).toContain(`<iframe src="${logoutURL}"`);
  expect(browser.read(cookie(world))).toBeUndefined();
  // A stolen cookie names accounts, and gives no session.
  browser.plant(cookie(world), before);
  const { page: shown } = await open(accounts, browser, select);
  const { text } = await readPage(shown);
  expect(text).toContain("ada@example.com (signed out)");
  expect(text).toContain("bob@example.com (signed out)");
});

test("a login that ends with the browser is not remembered, and gives way to the next one", async () => {
  const accounts = await startAccounts();
  const { bobId, world } = accounts;
  const browser = new Browser();
  await enter(accounts, browser, await open(accounts, browser, {}), { loginId: ada.email, remember: "" });
  const opened = await open(accounts, browser, select);
  const login = await submitPage(browser, opened.page, { another: "yes" });
  const page = await submitPage(browser, login, { loginId: bob, password: ada.password, remember: "true" });
  expect(await finish(accounts.config, { checks: opened.checks, page })).toBe(bobId);
  const { text } = await readPage((await open(accounts, browser, select)).page);
  expect(text).toContain("bob@example.com (signed in)");
  expect(text).not.toContain(ada.email);
  expect(world.userId).not.toBe(bobId);
});

test("a browser remembers five accounts", async () => {
  const accounts = await startAccounts();
  const browser = new Browser();
  for (let index = 0; index < 6; index++) {
    const email = `user${index}@example.com`;
    await accounts.world.identity.users.create({ user: { email, password: ada.password } });
    await enter(accounts, browser, await open(accounts, browser, { prompt: "login" }), { loginId: email });
  }
  const { text } = await readPage((await open(accounts, browser, select)).page);
  expect(text.match(/user\d@example\.com \(signed in\)/g)).toHaveLength(5);
  expect(text).not.toContain("user0@");
});
