// Connectors, passkeys, and applications as clients.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, type Stage, startStage } from "../support/browser.js";
import { toPasskey } from "../support/passkey.js";
import { seed } from "../support/seed.js";

let stage: Stage;
let service: Server;
let applicationId: string;
let userId: string;

const password = "the password of the old shop";

beforeAll(async () => {
  service = await startOldShop();
  stage = await startStage({ service: { publicUrl: "https://id.example.com" } });
  const { applicationId: shop, userIds } = await seed(stage.identity, 1);
  [applicationId, userId] = [shop, userIds[0] ?? ""];
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await stage[Symbol.asyncDispose]();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const urlOfOldShop = (): string => `http://127.0.0.1:${(service.address() as AddressInfo).port}/login`;

/** A service of the host that knows one user. */
async function startOldShop(): Promise<Server> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const { loginId, password: given } = JSON.parse(text);
      const isRight = loginId === "old@example.com" && given === password;
      response.writeHead(isRight ? 200 : 404, { "content-type": "application/json" });
      response.end(isRight ? JSON.stringify({ user: { email: loginId } }) : "{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

test("a connector is made, named by the tenant, and tried by a login", async () => {
  await using opened = await openPage(stage, { path: "/connectors" });
  const { page } = opened;
  await page.getByRole("link", { name: "Default" }).waitFor();
  await page.getByRole("link", { name: "Add a connector" }).first().click();
  await page.getByRole("link", { name: "Your service (HTTP)" }).click();
  await page.getByLabel("Name", { exact: false }).first().fill("Old shop");
  await page.getByLabel("URL").fill(urlOfOldShop());
  await page.getByLabel("Write each attempt to the event log").check();
  await button(page, "Create").click();
  await page.getByRole("heading", { level: 1, name: "Old shop" }).waitFor();

  await page.goto(`${stage.url}/tenants/${stage.tenantId}`);
  await button(page, "Add a connector").click();
  const policy = page.getByRole("group", { name: "Connector 2" });
  await policy.getByRole("combobox").fill("Old");
  await policy.getByRole("option", { name: "Old shop" }).click();
  await policy.getByLabel("Domains of email addresses").fill("example.com");
  await button(page, "Ask connector 2 earlier").click();
  await button(page, "Save").click();
  await page.getByText("Saved.").waitFor();
  const { tenant } = await stage.identity.tenants.retrieve({ tenantId: stage.tenantId });
  const { connectors } = await stage.identity.connectors.list();
  const connectorId = connectors.find(({ name }) => name === "Old shop")?.id ?? "";
  expect(tenant.connectorPolicies[0]).toEqual({ connectorId, domains: ["example.com"], migrate: false });
  expect(tenant.connectorPolicies.length).toBe(2);

  await page.goto(`${stage.url}/connectors/${connectorId}?tab=test`);
  const logIn = async (given: string): Promise<void> => {
    await page.getByLabel("Login id").fill("old@example.com");
    await page.getByLabel("Password", { exact: true }).fill(given);
    await button(page, "Log in").click();
  };
  await logIn("wrong");
  await page.getByText("No connector of the tenant accepted").waitFor();
  await page.getByRole("link", { name: /was asked for old@example.com: wrong/ }).waitFor();
  await logIn(password);
  await page.getByText("This connector", { exact: true }).waitFor();
  await page.getByRole("link", { name: "old@example.com", exact: true }).waitFor();
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");

  await page.getByRole("tab", { name: "Used by" }).click();
  await page
    .getByText(/tenant/i)
    .first()
    .waitFor();
});

test("the built-in connector is shown, and neither changed nor removed", async () => {
  await using opened = await openPage(stage, { path: "/connectors" });
  const { page } = opened;
  await page.getByRole("link", { name: "Default" }).click();
  await page.getByText("You may read this record").waitFor();
  expect(await button(page, "Remove").count()).toBe(0);
  expect(await button(page, "Save").count()).toBe(0);
});

test("passkeys of a user are shown and removed", async () => {
  await stage.identity.passkeys.import({ credentials: [toPasskey(userId)] });
  await using opened = await openPage(stage, { role: "support", path: `/users/${userId}?tab=passkeys` });
  const { page } = opened;
  await page.getByRole("rowheader", { name: "Phone of Ada One device" }).waitFor();
  await button(page, "Remove Phone of Ada").click();
  await page.getByRole("dialog").getByText("It is the only passkey of the user").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Remove Phone of Ada" }).click();
  await page.getByText("No passkey").waitFor();
  expect(await stage.identity.passkeys.list({ userId })).toEqual({ credentials: [] });
});

test("an application is a client: its URLs, the login to try, and a new secret", async () => {
  const stored = async () => (await stage.identity.applications.retrieve({ applicationId })).application.oauthConfiguration;
  const { clientSecret = "" } = await stored();
  await using opened = await openPage(stage, { path: `/applications/${applicationId}?tab=oauth` });
  const { page } = opened;
  await page.getByText(`https://id.example.com/.well-known/openid-configuration/${stage.tenantId}`).waitFor();
  await page.getByLabel("Redirect URLs").fill("https://shop.example.com/callback");
  await button(page, "Save").click();
  await page.getByText("Saved.").waitFor();
  expect((await stored()).authorizedRedirectURLs).toEqual(["https://shop.example.com/callback"]);
  const link = page.getByRole("link", { name: "Open the login" });
  await expect
    .poll(async () => new URL((await link.getAttribute("href")) ?? "").searchParams.get("code_challenge"))
    .toHaveLength(43);
  const url = new URL((await link.getAttribute("href")) ?? "");
  expect(url.origin + url.pathname).toBe("https://id.example.com/oauth2/authorize");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: applicationId,
    redirect_uri: "https://shop.example.com/callback",
    response_type: "code",
    prompt: "login consent",
  });
  expect(await page.content()).not.toContain(clientSecret);
  await button(page, "Make a new secret").click();
  await page.getByRole("dialog").getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("There is a new secret.").waitFor();
  expect((await stored()).clientSecret).toMatch(/^[\w-]{43}$/);
  expect((await stored()).clientSecret).not.toBe(clientSecret);
});

test("an application logs its users in by SAML, and says what it needs", async () => {
  const { key } = await stage.identity.keys.generate({ key: { name: "SAML of the shop", algorithm: "RS256", length: 2_048 } });
  await using opened = await openPage(stage, { path: `/applications/${applicationId}?tab=saml` });
  const { page } = opened;
  await page.getByText(`https://id.example.com/samlv2/metadata/${stage.tenantId}`, { exact: true }).waitFor();
  await page.getByLabel("Log users in by SAML").check();
  await button(page, "Save").click();
  // What is missing stands beside its field.
  await page.getByRole("alert").getByRole("link").first().waitFor();
  await page.getByLabel("Entity ID of the application").fill("https://shop.example.com/saml");
  await page.getByLabel("Assertion consumer service URLs").fill("https://shop.example.com/acs");
  await page.getByRole("combobox", { name: "Key that signs" }).fill("SAML");
  await page.getByRole("option", { name: "SAML of the shop" }).click();
  await button(page, "Save").click();
  await page.getByText("Saved.").waitFor();
  const { application } = await stage.identity.applications.retrieve({ applicationId });
  expect(application.samlv2Configuration).toMatchObject({
    enabled: true,
    authorizedRedirectURLs: ["https://shop.example.com/acs"],
    issuer: "https://shop.example.com/saml",
    keyId: key.id,
  });
});

test("a person who reads alone sees the client without its secret", async () => {
  await using opened = await openPage(stage, { role: "read-only", path: `/applications/${applicationId}?tab=oauth` });
  const { page } = opened;
  await page.getByText("Only a full administrator sees it.").waitFor();
  await page.getByText('"consentMode"').waitFor();
  expect(await button(page, "Make a new secret").count()).toBe(0);
  expect(await button(page, "Save").count()).toBe(0);
});
