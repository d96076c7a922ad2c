import { openIdConnectLogins } from "latchkey/oidc";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startUpstream } from "../../support/upstream.js";
import { checkAccessibility, openPage, type Stage, startStage } from "../support/browser.js";
import { seed } from "../support/seed.js";

let stage: Stage;
let applicationId: string;

beforeAll(async () => {
  stage = await startStage({
    service: { identityProviders: [openIdConnectLogins()], publicUrl: "https://id.example.com/identity" },
  });
  ({ applicationId } = await seed(stage.identity, 1));
});
afterAll(() => stage[Symbol.asyncDispose]());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const choose = async (page: Page, label: string, name: string): Promise<void> => {
  await page.getByRole("combobox", { name: label }).fill(name);
  await page.getByRole("option", { name }).first().click();
};

async function createProvider(name: string, more: object = {}): Promise<string> {
  const { identityProvider } = await stage.identity.identityProviders.create({
    identityProvider: {
      name,
      type: "OpenIDConnect",
      enabled: true,
      debug: true,
      buttonText: name,
      oauth2: { client_id: "client", client_secret: "a secret of a provider", issuer: "https://provider.example.com" },
      applicationConfiguration: { [applicationId]: { enabled: true } },
      ...more,
    },
  });
  return identityProvider.id;
}

/** A provider whose users need not log in there: it sends them back at once. */
async function startSigningIn() {
  const upstream = await startUpstream();
  upstream.intercept = (request, response) => {
    const url = new URL(request.url ?? "", upstream.url);
    if (url.pathname !== "/authorize") return false;
    const { searchParams } = url;
    upstream.claims = { ...upstream.claims, nonce: searchParams.get("nonce") };
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", "the code");
    back.searchParams.set("state", searchParams.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
    return true;
  };
  return upstream;
}

test("a provider is made by its type, offered by an application, and tried by a real login", async () => {
  const upstream = await startSigningIn();
  await using opened = await openPage(stage, { path: "/providers" });
  const { page } = opened;
  await page.getByRole("link", { name: "Add a provider" }).first().click();
  await page.getByRole("link", { name: "OpenID Connect" }).click();
  await page.getByText("https://id.example.com/identity/oauth2/callback", { exact: true }).waitFor();
  await page.getByLabel("Name", { exact: false }).first().fill("Company login");
  await page.getByLabel("Text on the button").fill("Log in with the company");
  await page.getByLabel("Issuer").fill(upstream.url);
  await page.getByLabel("Client ID").fill("client");
  await page.getByLabel("Client secret").fill("s");
  await page.getByLabel("Domains of email addresses").fill("company.example.com");
  await choose(page, "Offer it in another application", "Shop");
  await page.getByRole("group", { name: "Shop" }).getByLabel("Register new users").waitFor();
  await page.getByLabel("By email address, or a new user").check();
  await button(page, "Create").click();
  await page.getByRole("heading", { level: 1, name: "Company login" }).waitFor();
  const { identityProviders = [] } = await stage.identity.identityProviders.search({ search: { name: "Company login" } });
  expect(identityProviders[0]).toMatchObject({
    type: "OpenIDConnect",
    enabled: true,
    domains: ["company.example.com"],
    linkingStrategy: "LinkByEmail",
    applicationConfiguration: { [applicationId]: { createRegistration: true, enabled: true } },
    oauth2: { client_id: "client", issuer: upstream.url },
  });

  await page.getByRole("tab", { name: "Test login" }).click();
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Log in, in a new tab" }).click(),
  ]);
  await tab.getByText("Logged in.").waitFor();
  await tab.getByRole("link", { name: "ann@example.com" }).waitFor();
  // A code in the address would stay in the history.
  expect(new URL(tab.url()).search).toBe("");
  await checkAccessibility(tab);
  const { user } = await stage.identity.users.find({ email: "ann@example.com" });
  expect(user.registrations.map((registration) => registration.applicationId)).toEqual([applicationId]);

  // Once more: the answer was good once.
  await tab.reload();
  await tab.getByText("This answer belongs to no test login of this tab.").waitFor();
});

test("what goes wrong at a provider is said in words", async () => {
  const id = await createProvider("Gone", { oauth2: { client_id: "client", client_secret: "s", issuer: "http://127.0.0.1:9" } });
  await using opened = await openPage(stage, { path: `/providers/${id}/login?application=${applicationId}` });
  const { page } = opened;
  await page.getByRole("alert").waitFor();
  await page.goto(`${stage.url}/providers/${id}?tab=test`);
  await page.getByRole("link", { name: /identity provider Gone failed/ }).waitFor();
  // As a provider sends a person back who changed his mind.
  const login = JSON.stringify({ applicationId, identityProviderId: id, code: "the-state" });
  await page.evaluate((text) => sessionStorage.setItem("test-login", text), login);
  await page.goto(`${stage.url}/providers/callback?state=the-state&error=access_denied&error_description=%3Cb%3ENo%3C%2Fb%3E`);
  await page.getByText("The person, or a rule at the provider, refused the login.").waitFor();
  await page.getByText("<b>No</b>").waitFor();
  await checkAccessibility(page);
  await page.goto(`${stage.url}/providers/callback?state=another&code=x`);
  await page.getByText("This answer belongs to no test login of this tab.").waitFor();
  // The browser reports that the provider was not there: once for the page.
  expect(opened.faults.splice(0)).toEqual([expect.stringMatching(/status of 502/)]);
});

test("a secret of a provider is written and never shown, and an application has values of its own", async () => {
  const id = await createProvider("Secretive");
  await using opened = await openPage(stage, { path: `/providers/${id}` });
  const { page } = opened;
  await page.getByText("Stored; never shown").first().waitFor();
  const values = () => page.locator("input").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  expect((await values()).join("\n")).not.toContain("a secret of a provider");
  expect(await page.content()).not.toContain("a secret of a provider");
  const shop = page.getByRole("group", { name: "Shop" });
  await shop.getByText("Values of its own").click();
  await shop.getByLabel("Text on the button").fill("Shop login");
  await shop.getByLabel("Register new users").uncheck();
  await button(page, "Preview").click();
  await page
    .getByRole("dialog")
    .getByRole("rowheader", { name: `applicationConfiguration.${applicationId}.buttonText` })
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const stored = await stage.identity.identityProviders.retrieve({ identityProviderId: id });
  expect(stored.identityProvider.applicationConfiguration[applicationId]).toMatchObject({
    buttonText: "Shop login",
    createRegistration: false,
    enabled: true,
  });
  expect(stored.identityProvider.oauth2?.client_secret).toBe("a secret of a provider");
  await button(page, "Undo").click();
  await page.getByText("Undone.").waitFor();
});

test("providers are searched by the server, and removed with what they link", async () => {
  const id = await createProvider("To be removed");
  const { user } = await stage.identity.users.create({ user: { email: "linked@example.com" } });
  const link = { identityProviderId: id, identityProviderUserId: "linked-4711", userId: user.id };
  await stage.identity.identityProviderLinks.create({ identityProviderLink: link });
  await using opened = await openPage(stage, { path: "/providers?type=OpenIDConnect&q=to+be" });
  const { page } = opened;
  await page.getByRole("link", { name: "To be removed" }).click();
  await button(page, "Remove").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^1 application offers this provider/).waitFor();
  await dialog.getByLabel(/^Type/).fill("To be removed");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/providers$/);
  const left = await stage.identity.identityProviderLinks.find({ userId: user.id });
  expect(left).toEqual({ identityProviderLinks: [] });
});

test("a provider says how many users are linked to it, and who they are", async () => {
  const id = await createProvider("Counted");
  const link = async (email: string, account: string): Promise<string> => {
    const { user } = await stage.identity.users.create({ user: { email } });
    const identityProviderLink = { identityProviderId: id, identityProviderUserId: account, userId: user.id };
    await stage.identity.identityProviderLinks.create({ identityProviderLink });
    return user.id;
  };
  const first = await link("first-linked@example.com", "account-1");
  await link("second-linked@example.com", "account-2");
  await using opened = await openPage(stage, { path: `/providers/${id}` });
  const { page } = opened;
  await page.getByRole("tab", { name: "Linked users" }).click();
  await page.getByRole("cell", { name: "account-2" }).waitFor();
  await page.getByText("1–2 of 2").waitFor();
  await page.getByRole("link", { name: "first-linked@example.com" }).click();
  await page.getByRole("heading", { level: 1, name: "first-linked@example.com" }).waitFor();
  expect(new URL(page.url()).pathname).toContain(first);
});

test("a token of a known issuer is tried where it is pasted", async () => {
  const id = await createProvider("Tokens", {
    type: "ExternalJWT",
    headerKeyParameter: "kid",
    uniqueIdentityClaim: "email",
    oauth2: undefined,
  });
  await using opened = await openPage(stage, { path: `/providers/${id}?tab=test` });
  const { page } = opened;
  await page.getByLabel("Token (JWT)").fill("no.token.atall");
  await button(page, "Log in").click();
  await page
    .getByRole("alert")
    .getByText(/HTTP 4\d\d/)
    .waitFor();
  await checkAccessibility(page);
});

test("accounts of a user are linked, unlinked, and linked again", async () => {
  await createProvider("Accounts");
  const { user } = await stage.identity.users.create({ user: { email: "accounts@example.com" } });
  await using opened = await openPage(stage, { path: `/users/${user.id}?tab=accounts` });
  const { page } = opened;
  await page.getByText("No linked account").waitFor();
  await choose(page, "Provider", "Accounts");
  await page.getByLabel("Id of the account there").fill("ada-at-provider");
  await button(page, "Link an account").click();
  await page.getByRole("link", { name: "Accounts" }).waitFor();
  await button(page, "Unlink ada-at-provider").click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink the account" }).click();
  await page.getByText("No linked account").waitFor();
  await button(page, "Undo").click();
  await button(page, "Unlink ada-at-provider").waitFor();
});

test("a person who reads alone sees no provider", async () => {
  await using opened = await openPage(stage, { role: "read-only" });
  const { page } = opened;
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await page.getByRole("navigation").getByRole("link", { name: "Identity providers" }).count()).toBe(0);
  expect(await page.getByRole("navigation").getByRole("link", { name: "Connectors" }).count()).toBe(0);
});
