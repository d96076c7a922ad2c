// The provider with its pages in a browser: authorization requests, consents, devices and logouts by the forms that it really shows.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { chromium, type Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { ada, beginLogin, discover, type ProviderWorld, startProvider } from "../../oidc/support/provider.js";

interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly world: ProviderWorld;
  readonly config: client.Configuration;
}

async function open(settings: object, javaScriptEnabled: boolean): Promise<Opened> {
  const world = await startProvider(memoryStorage(), settings, { protocols: [oidc()] });
  const browser = await chromium.connect(inject("chromium"));
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return {
    page,
    world,
    config: await discover(world),
    async [Symbol.asyncDispose]() {
      await context.close();
      await browser.close();
    },
  };
}

/** Sends a form whose redirects lead to the application, which is nowhere: the page is an error of the browser then. Returns the URL there. */
async function leave(page: Page, button: string): Promise<URL> {
  const failed = page.waitForEvent("framenavigated", (frame) => frame.url().startsWith("chrome-error:"));
  const [request] = await Promise.all([page.waitForRequest(/callback/), failed, page.click(button)]);
  return new URL(request.url());
}

async function logIn(page: Page, loginId: string = ada.email): Promise<void> {
  await page.fill('[name="loginId"]', loginId);
  await page.fill('[name="password"]', ada.password);
  await Promise.all([page.waitForNavigation(), page.click("form button")]);
}

describe.each([false, true])("with scripts: %s", (javaScriptEnabled) => {
  test("a login and a consent lead to tokens, and a logout is asked for and done", async () => {
    const logoutURL = "https://app.example.com/bye";
    const settings = {
      relationship: "ThirdParty",
      consentMode: "AlwaysPrompt",
      authorizedRedirectURLs: ["https://app.example.com/callback", logoutURL],
    };
    await using opened = await open(settings, javaScriptEnabled);
    const { config, page, world } = opened;
    const { checks, url } = await beginLogin(config);
    await page.goto(url.href);
    await logIn(page);
    expect(await page.textContent("h1")).toBe("Allow access");
    const reached = await leave(page, 'button[value="allow"]');
    const tokens = await client.authorizationCodeGrant(config, reached, checks);
    expect(tokens.claims()?.sub).toBe(world.userId);
    await page.goto(client.buildEndSessionUrl(config).href);
    expect(await page.textContent("h1")).toBe("Sign out");
    await Promise.all([page.waitForNavigation(), page.click('button[name="logout"]')]);
    expect(await page.textContent("h1")).toBe("Signed out");
  });

  test("a user chooses among the accounts of the browser with the keyboard", async () => {
    await using opened = await open({ consentMode: "AlwaysPrompt", relationship: "ThirdParty" }, javaScriptEnabled);
    const { config, page, world } = opened;
    const { user } = await world.identity.users.create({ user: { email: "bob@example.com", password: ada.password } });
    for (const [index, loginId] of [ada.email, "bob@example.com"].entries()) {
      await page.goto((await beginLogin(config, { prompt: "select_account" })).url.href);
      if (index > 0) await Promise.all([page.waitForNavigation(), page.click('button[name="another"]')]);
      await page.check('[name="remember"]');
      await logIn(page, loginId);
      expect(await page.textContent("h1")).toBe("Allow access");
    }
    const { checks, url } = await beginLogin(config, { prompt: "select_account" });
    await page.goto(url.href);
    expect(await page.textContent("h1")).toBe("Choose an account");
    expect(await page.locator('button[name="account"]').allTextContents()).toEqual([
      "bob@example.com (signed in)",
      "Ada Lovelace, ada@example.com (signed in)",
    ]);
    for (let press = 0; press < 2; press++) await page.keyboard.press("Tab");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    const reached = await leave(page, 'button[value="allow"]');
    const tokens = await client.authorizationCodeGrant(config, reached, checks);
    expect(tokens.claims()?.sub).toBe(world.userId);
    expect(user.id).not.toBe(world.userId);
  });

  test("a request for an unknown client is a page, and a denied consent leads back with an error", async () => {
    await using opened = await open({ relationship: "ThirdParty", consentMode: "AlwaysPrompt" }, javaScriptEnabled);
    const { config, page, world } = opened;
    await page.goto(`${world.publicUrl}/oauth2/authorize?client_id=${world.tenantId}&response_type=code`);
    expect(await page.textContent("h1")).toBe("Something went wrong");
    const { url } = await beginLogin(config);
    await page.goto(url.href);
    await logIn(page);
    const reached = await leave(page, 'button[value="deny"]');
    expect(reached.searchParams.get("error")).toBe("access_denied");
  });

  test("the code of a device is entered, confirmed and connected", async () => {
    await using opened = await open(
      { enabledGrants: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"] },
      javaScriptEnabled,
    );
    const { config, page } = opened;
    const device = await client.initiateDeviceAuthorization(config, { scope: "openid" });
    await page.goto(device.verification_uri);
    await page.fill('[name="user_code"]', "WRONG");
    await Promise.all([page.waitForNavigation(), page.click("form button")]);
    expect(await page.textContent("main")).toContain("The code is wrong, or it has expired.");
    await page.fill('[name="user_code"]', device.user_code);
    await Promise.all([page.waitForNavigation(), page.click("form button")]);
    expect(await page.textContent("main")).toContain(device.user_code);
    await Promise.all([page.waitForNavigation(), page.click("form button")]);
    if ((await page.textContent("h1"))?.startsWith("Sign in")) await logIn(page);
    expect(await page.textContent("h1")).toBe("Device connected");
    // The user has confirmed: nothing to wait for before the first call.
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 });
    expect(tokens.access_token.split(".")).toHaveLength(3);
  });
});
