// A request that names its user by an `id_token_hint`: the client gets a code of that user, or none.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { type ShownPage, submitPage } from "./support/forms.js";
import { ada, beginLogin, discover, type PendingLogin, startProvider } from "./support/provider.js";

const bob = "bob@example.com";

interface Login {
  readonly browser: Browser;
  readonly pending: PendingLogin;
  readonly page: ShownPage;
}

/** A tenant with Ada and Bob, and an ID token of Bob. */
async function startHints() {
  const world = await startProvider(memoryStorage(), {}, { protocols: [oidc()] });
  await world.identity.users.create({ user: { email: bob, password: ada.password } });
  const config = await discover(world);
  const open = async (parameters: Readonly<Record<string, string>>, browser = new Browser()): Promise<Login> => {
    const pending = await beginLogin(config, parameters);
    return { browser, pending, page: await browser.follow(pending.url) };
  };
  const enter = async ({ browser, page, pending }: Login, loginId: string): Promise<Login> => ({
    browser,
    pending,
    page: await submitPage(browser, page, { loginId, password: ada.password, remember: "true" }),
  });
  const redeem = async ({ page, pending }: Login) => client.authorizationCodeGrant(config, page.url, pending.checks);
  const { id_token: hint = "" } = await redeem(await enter(await open({}), bob));
  return { open, enter, redeem, hint };
}

function errorOf({ page: { url } }: Login): readonly [string | null, boolean] {
  return [url.searchParams.get("error"), url.searchParams.has("code")];
}

requirement("openid.hinted-user", "a login of another user than the hint's gives no code", async () => {
  const { enter, hint, open, redeem } = await startHints();
  const prompts: readonly Readonly<Record<string, string>>[] = [{}, { prompt: "login" }];
  for (const prompt of prompts) {
    const asked = { ...prompt, id_token_hint: hint };
    expect(errorOf(await enter(await open(asked), ada.email))).toEqual(["login_required", false]);
    const { browser } = await enter(await open({}), ada.email);
    expect(errorOf(await enter(await open(asked, browser), ada.email))).toEqual(["login_required", false]);
    const tokens = await redeem(await enter(await open(asked, browser), bob));
    expect(tokens.claims()?.email).toBe(bob);
  }
});

requirement("openid.hinted-user", "the account of the hint is chosen, and no other one", async () => {
  const { enter, hint, open, redeem } = await startHints();
  const bobs = await enter(await open({}), bob);
  const bobId = (await redeem(bobs)).claims()?.sub ?? "";
  const { browser } = bobs;
  const adas = await enter(await open({ prompt: "login" }, browser), ada.email);
  const adaId = (await redeem(adas)).claims()?.sub ?? "";
  const choose = async (account: string): Promise<Login> => {
    const opened = await open({ prompt: "select_account", id_token_hint: hint }, browser);
    return { ...opened, page: await submitPage(browser, opened.page, { account }) };
  };
  expect(errorOf(await choose(adaId))).toEqual(["login_required", false]);
  expect((await redeem(await choose(bobId))).claims()?.sub).toBe(bobId);
});
