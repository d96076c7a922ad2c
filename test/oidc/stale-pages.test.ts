// Pages of a login that waited too long, and browsers that refuse cookies.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage, submitPage } from "./support/forms.js";
import { ada, beginLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

interface Opened {
  readonly world: ProviderWorld;
  readonly browser: Browser;
  readonly page: ShownPage;
  readonly wait: (minutes: number) => Promise<void>;
}

async function openLogin(settings: object = {}): Promise<Opened> {
  const time = { now: Date.UTC(2030, 0, 1) };
  const world = await startProvider(memoryStorage(), settings, { protocols: [oidc()], clock: () => time.now });
  const wait = async (minutes: number): Promise<void> => {
    time.now += minutes * 60_000;
    await world.identity.settle();
  };
  const browser = new Browser();
  const { url } = await beginLogin(await discover(world));
  return { world, browser, page: await browser.follow(url), wait };
}

async function read(response: Response): Promise<{ readonly status: number; readonly text: string; readonly link?: string }> {
  const html = await response.text();
  const [, link] = /<nav><a href="([^"]*)"/.exec(html) ?? [];
  return { status: response.status, text: html.replace(/<[^>]*>/g, " "), ...(link !== undefined && { link }) };
}

requirement(
  "openid.expired-page",
  "a page that was left open for long leads on to its application, in its own browser",
  async () => {
    const { browser, page, wait } = await openLogin();
    const { action, fields } = await readPage({ ...page, response: page.response.clone() });
    const form = { ...fields, loginId: ada.email, password: ada.password };
    await wait(70);
    const expected = { status: 410, text: expect.stringContaining("This page has expired"), link: "https://app.example.com/" };
    expect(await read(await browser.send(page.url))).toEqual(expected);
    expect(await read(await browser.send(action, form))).toEqual(expected);
    expect(await read(await new Browser().send(page.url))).not.toHaveProperty("link");
    await wait(24 * 60);
    expect(await read(await browser.send(page.url))).not.toHaveProperty("link");
  },
);

requirement("openid.expired-page", "the way on is a site that the application registered, and none without one", async () => {
  const urls: readonly (readonly [readonly string[], string | undefined])[] = [
    [["com.example.app:/callback", "https://app.example.com/callback"], "https://app.example.com/"],
    [["com.example.app:/callback", "https://*.example.com/callback"], undefined],
  ];
  for (const [authorizedRedirectURLs, link] of urls) {
    const { browser, wait, world } = await openLogin();
    const oauthConfiguration = {
      authorizedRedirectURLs: [...authorizedRedirectURLs],
      authorizedURLValidationPolicy: "AllowWildcards",
    };
    const patch = { application: { oauthConfiguration } } as const;
    await world.identity.applications.patch({ applicationId: world.applicationId, patch });
    const { url } = await beginLogin(await discover(world), { redirect_uri: "com.example.app:/callback" });
    const shown = await browser.follow(url);
    await wait(70);
    expect(await read(await browser.send(shown.url))).toMatchObject({ status: 410, ...(link !== undefined && { link }) });
    if (link === undefined) expect(await read(await browser.send(shown.url))).not.toHaveProperty("link");
  }
});

requirement(
  "openid.expired-page",
  "the way on ends with the application, and where its site is no longer registered",
  async () => {
    const { browser, page, wait, world } = await openLogin();
    const { applicationId, identity } = world;
    const linkWith = async (url: string): Promise<string | undefined> => {
      const patch = { application: { oauthConfiguration: { authorizedRedirectURLs: [url] } } };
      await identity.applications.patch({ applicationId, patch });
      return (await read(await browser.send(page.url))).link;
    };
    await wait(70);
    expect(await linkWith("https://APP.example.com:443/other")).toBe("https://app.example.com/");
    expect(await linkWith("https://new.example.com/callback")).toBeUndefined();
    expect(await linkWith("https://app.example.com/callback")).toBe("https://app.example.com/");
    await identity.applications.remove({ applicationId });
    expect(await read(await browser.send(page.url))).toEqual({ status: 410, text: expect.stringContaining("expired") });
  },
);

requirement("openid.expired-page", "a login whose redirect URL was taken out meanwhile leads nowhere", async () => {
  const { browser, page, world } = await openLogin();
  const { applicationId, identity } = world;
  const patch = { application: { oauthConfiguration: { authorizedRedirectURLs: ["https://new.example.com/callback"] } } };
  await identity.applications.patch({ applicationId, patch });
  const { response } = await submitPage(browser, page, { loginId: ada.email, password: ada.password });
  expect([response.status, response.headers.get("location")]).toEqual([400, null]);
});

requirement(
  "openid.cookies-refused",
  "a browser that refuses cookies learns it, and another one learns nothing more",
  async () => {
    const { page, world } = await openLogin();
    const { url } = await beginLogin(await discover(world));
    // A browser that keeps no cookies.
    const answer = await fetch(url, { redirect: "manual" });
    const refused = await fetch(new URL(answer.headers.get("location") ?? "", url));
    const expected = { status: 410, text: expect.stringContaining("Allow cookies for this site.") };
    expect(await read(refused)).toEqual(expected);
    const stranger = await read(await new Browser().send(page.url));
    expect(stranger).toEqual(expected);
    expect(stranger.text).not.toContain("Shop");
    const posted = await new Browser().send(page.url, { loginId: ada.email, password: ada.password });
    expect(await read(posted)).toEqual(expected);
  },
);

requirement("openid.expired-page", "a consent that another session came before leads on", async () => {
  const { browser, page, world } = await openLogin({ relationship: "ThirdParty" });
  const consent = await submitPage(browser, page, { loginId: ada.email, password: ada.password, remember: "true" });
  await world.identity.users.create({ user: { email: "bob@example.com", password: ada.password } });
  const other = await browser.follow((await beginLogin(await discover(world), { prompt: "login" })).url);
  await submitPage(browser, other, { loginId: "bob@example.com", password: ada.password, remember: "true" });
  expect(await read(await browser.send(consent.url))).toMatchObject({ status: 410, link: "https://app.example.com/" });
});
