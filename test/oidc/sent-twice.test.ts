// A login form that is sent twice, and the way on from a login that has ended.

import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage } from "./support/forms.js";
import { ada, beginLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

interface OpenForm {
  readonly world: ProviderWorld;
  readonly config: client.Configuration;
  readonly checks: client.AuthorizationCodeGrantChecks;
  readonly browser: Browser;
  readonly page: URL;
  /** Sends the form; returns the answer. */
  readonly send: (by?: Browser) => Promise<Response>;
}

/** Opens the page of a login, and fills in its form. */
async function openForm(): Promise<OpenForm> {
  const world = await startProvider(memoryStorage(), {}, { protocols: [oidc()] });
  const config = await discover(world);
  const browser = new Browser();
  const { checks, url } = await beginLogin(config);
  const shown: ShownPage = await browser.follow(url);
  const { action, fields } = await readPage(shown);
  const values = { ...fields, loginId: ada.email, password: ada.password };
  return { world, config, checks, browser, page: shown.url, send: (by = browser) => by.send(action, values) };
}

const placeOf = (response: Response, base: URL): URL => new URL(response.headers.get("location") ?? "", base);

requirement("openid.sent-twice", "two forms at once lead to the same place", async () => {
  const { browser, checks, config, page, send } = await openForm();
  const answers = await Promise.all([send(), send()]);
  const places = answers.map((answer) => `${answer.status} ${placeOf(answer, page).href}`);
  expect(places[1]).toBe(places[0]);
  const ended = await browser.follow(placeOf(answers[1], page));
  expect(await client.authorizationCodeGrant(config, ended.url, checks)).toHaveProperty("access_token");
});

requirement("openid.sent-twice", "a form after the login leads back with the same code, until it is redeemed", async () => {
  const { browser, checks, config, page, send, world } = await openForm();
  const resume = placeOf(await send(), page);
  const ended = await browser.send(resume);
  const back = placeOf(ended, resume);
  expect(back.searchParams.has("code")).toBe(true);
  const again = await send();
  expect([again.status, placeOf(again, page).href]).toEqual([303, back.href]);
  // Neither another browser nor a form without its token learns the code.
  for (const answer of [await send(new Browser()), await browser.send(page, { loginId: ada.email, password: ada.password })])
    expect([answer.status, answer.headers.get("location"), (await answer.text()).includes("code=")]).toEqual([410, null, false]);
  const tokens = await client.authorizationCodeGrant(config, back, checks);
  const late = await send();
  expect([late.status, (await readPage({ response: late, url: page })).text]).toEqual([
    410,
    expect.stringContaining("This sign-in is finished."),
  ]);
  expect(await client.fetchUserInfo(config, tokens.access_token, world.userId)).toHaveProperty("email");
});

requirement("openid.sent-twice", "two returns at once lead back, and a code works", async () => {
  const { browser, checks, config, page, send } = await openForm();
  const resume = placeOf(await send(), page);
  const cookies = { cookie: browser.cookieHeader(resume) };
  const follow = () => fetch(resume, { headers: cookies, redirect: "manual" });
  const answers = await Promise.all([follow(), follow()]);
  answers.push(await follow());
  const places = answers.map((answer) => placeOf(answer, resume));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  for (const place of places) expect([place.searchParams.has("code"), place.searchParams.get("error")]).toEqual([true, null]);
  const [, , last = resume] = places;
  expect(await client.authorizationCodeGrant(config, last, checks)).toHaveProperty("access_token");
});

requirement("openid.back", "a browser that goes back after a login gets a way on to the application", async () => {
  const { browser, checks, config, page, send } = await openForm();
  const ended = await browser.follow(placeOf(await send(), page));
  await client.authorizationCodeGrant(config, ended.url, checks);
  const back = await browser.send(page);
  const text = await back.text();
  expect([back.status, text]).toEqual([410, expect.stringContaining('<a href="https://app.example.com/">Continue to Shop</a>')]);
  const stranger = await (await new Browser().send(page)).text();
  expect([stranger.includes("app.example.com"), stranger.includes("expired")]).toEqual([false, true]);
});

const changes: Readonly<Record<string, (world: ProviderWorld) => Promise<unknown>>> = {
  "its redirect URL was taken out": ({ applicationId, identity }) => {
    const oauthConfiguration = { authorizedRedirectURLs: ["https://new.example.com/callback"] };
    return identity.applications.patch({ applicationId, patch: { application: { oauthConfiguration } } });
  },
  "its application was deactivated": ({ applicationId, identity }) => identity.applications.remove({ applicationId }),
  "its application was removed": ({ applicationId, identity }) =>
    identity.applications.remove({ applicationId, hardDelete: true }),
};

requirement("openid.back", "a login leads nowhere once its application or its redirect URL is gone", async () => {
  for (const [name, change] of Object.entries(changes)) {
    const { browser, page, send, world } = await openForm();
    const { url } = await browser.follow(placeOf(await send(), page));
    expect(url.searchParams.has("code")).toBe(true);
    await change(world);
    for (const answer of [await send(), await browser.send(page)]) {
      const { headers, status } = answer;
      const text = await answer.text();
      expect([name, status, headers.get("location"), text.includes("app.example")]).toEqual([name, 410, null, false]);
    }
  }
});

test("a logout ends the answer of a login", async () => {
  const { browser, page, send, world } = await openForm();
  await browser.follow(placeOf(await send(), page));
  await world.identity.users.remove({ userId: world.userId });
  await world.identity.jwt.revoke({ userId: world.userId });
  expect((await send()).status).toBe(410);
});
