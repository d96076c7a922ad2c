// Flows in a browser: without scripts, and with the policy of each page.
import { expect, test } from "vitest";
import { login } from "../../oidc-pages/support/stage.js";
import { ids, password } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { codeAt, secret } from "../../support/two-factor.js";
import { type OpenPages, openPages } from "./open-pages.js";

const right = { loginId: "ann@example.com", password };

/** Opens the login and types as soon as its first field has the focus, which a browser gives it after the page is loaded. */
async function typeLogin({ page, url }: OpenPages, typed: string): Promise<void> {
  await page.goto(url + login);
  await page.waitForFunction("document.activeElement.name === 'loginId'");
  await page.keyboard.type("ann@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.type(typed);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
}

async function send({ page }: OpenPages, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name="${name}"]`, value);
  await Promise.all([page.waitForNavigation(), page.locator("form button").first().click()]);
}

for (const javaScriptEnabled of [false, true])
  requirement(
    "pages.no-script",
    `a login with a second factor reaches the application ${javaScriptEnabled ? "with" : "without"} scripts`,
    async () => {
      await using opened = await openPages({}, { javaScriptEnabled });
      const { appUrl, page, stage, url } = opened;
      await stage.addAuthenticator();
      await page.goto(url + login);
      await send(opened, { ...right, password: "wrong" });
      expect(await page.title()).toBe("There is a problem: Sign in to Shop – Shop");
      expect(await page.inputValue('[name="loginId"]')).toBe("ann@example.com");
      await send(opened, { password });
      await page.check('[name="trust"]');
      await send(opened, { code: codeAt(secret, stage.world.clock.instant) });
      expect(page.url()).toContain(`${appUrl}/callback?uid=`);
      expect(stage.ended[0]?.login?.userId).toBe(ids.user);
    },
  );

test("a reload and the way back send nothing twice", async () => {
  await using opened = await openPages({}, { javaScriptEnabled: false });
  const { page, stage, url } = opened;
  await stage.addAuthenticator();
  await page.goto(url + login);
  await send(opened, right);
  await page.reload();
  expect(await page.textContent("h1")).toBe("Second step");
  await page.goBack();
  expect(await page.textContent("h1")).toBe("Sign in to Shop");
  await page.goForward();
  await send(opened, { code: codeAt(secret, stage.world.clock.instant) });
  await page.goBack();
  expect(await page.textContent("main")).toContain("This page has expired.");
});

test("the keyboard alone logs in, and what is wrong is reached from the top", async () => {
  await using opened = await openPages();
  const { page, stage, url } = opened;
  await typeLogin(opened, "wrong");
  await page.goto(`${url}${login}/forgot`);
  await page.evaluate("document.querySelector('form').noValidate = true");
  await page.fill('[name="loginId"]', "");
  await Promise.all([page.waitForNavigation(), page.press('[name="loginId"]', "Enter")]);
  await page.focus(".summary a");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.name")).toBe("loginId");
  await typeLogin(opened, password);
  expect(stage.ended).toHaveLength(1);
});

test("a consent reaches the application", async () => {
  await using opened = await openPages({}, { javaScriptEnabled: false });
  const { appUrl, page, stage, url } = opened;
  stage.ask({ prompt: "consent", missingScopes: ["email"], params: { redirect_uri: `${appUrl}/callback` } });
  await page.goto(url + login);
  await send(opened, {});
  expect(page.url()).toContain(`${appUrl}/callback?uid=`);
});

test("a form of another site reaches nothing", async () => {
  await using opened = await openPages();
  const { appUrl, page, stage, url } = opened;
  await page.goto(url + login);
  await page.goto(appUrl);
  const markup = `<form method="post" action="${url}${login}"><input name="loginId" value="ann@example.com"><input name="password" value="${password}"><button>Go</button></form>`;
  await page.setContent(markup);
  await Promise.all([page.waitForNavigation(), page.click("button")]);
  expect(await page.textContent("main")).toContain("This form was not sent from this site.");
  expect(stage.ended).toEqual([]);
});

test("a provider is reached by its button, and answers by a link or by a form of its own", async () => {
  for (const method of ["get", "post"] as const)
    for (const javaScriptEnabled of [false, true]) {
      const complete = async () => ({
        id: "1",
        email: "ann@example.com",
        isEmailVerified: true,
        profile: {},
        lambdaArguments: {},
      });
      let upstream = "";
      const start = async ({ state }: { readonly state: string }) => ({ url: `${upstream}/?state=${state}`, memory: {} });
      const identityProviders = [{ types: ["OpenIDConnect"], start, complete }];
      await using opened = await openPages({}, { javaScriptEnabled }, { identityProviders });
      const { appUrl, page, stage, url } = opened;
      upstream = appUrl;
      await stage.world.identity.identityProviders.create({
        identityProvider: {
          name: "Upstream",
          type: "OpenIDConnect",
          enabled: true,
          buttonText: "Sign in with Upstream",
          applicationConfiguration: { [ids.application]: { enabled: true } },
          oauth2: { client_id: "x", client_secret: "y", issuer: "https://upstream.example" },
        },
      });
      // Both sides have proved the address, so that the account is the user's.
      await stage.world.identity.verifications.verifyEmail({ userId: ids.user });
      await page.goto(url + login);
      await Promise.all([page.waitForURL(/state=/), page.click('button[name="provider"]')]);
      const state = new URL(page.url()).searchParams.get("state");
      const fields = `<input name="state" value="${state}"><input name="code" value="good"><button>Go</button>`;
      await page.setContent(`<form method="${method}" action="${url}/oauth2/callback">${fields}</form>`);
      await page.click("button");
      if (method === "post" && !javaScriptEnabled) await page.click('button:has-text("Continue")');
      await page.waitForURL(/uid=/);
      expect(stage.ended).toHaveLength(1);
    }
});
