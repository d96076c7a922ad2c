import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, type Stage, startStage } from "../support/browser.js";
import { seed } from "./seed.js";

let stage: Stage;
let ids: Awaited<ReturnType<typeof seed>>;

beforeAll(async () => {
  stage = await startStage();
  ids = await seed(stage);
});
afterAll(() => stage[Symbol.asyncDispose]());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function shownSecret(page: Page): Promise<string> {
  await page.getByText("This is the only time").waitFor();
  await button(page, "Show").click();
  await button(page, "Hide").waitFor();
  return (await page.locator(".secret code").textContent()) ?? "";
}

test("an API key is made with grants for single endpoints, shown once, and rotated with an end for the earlier value", async () => {
  await using opened = await openPage(stage, { path: "/api-keys/new" });
  const { page } = opened;
  await page.getByLabel("Name").fill("Reader of groups");
  await page.getByRole("radio", { name: "Only these endpoints" }).check();
  await page.getByLabel("Search an endpoint").fill("/api/group");
  await page.getByRole("checkbox", { name: "GET /api/group", exact: true }).check();
  await button(page, "Create an API key").click();
  const value = await shownSecret(page);
  expect(value).toMatch(/^lk_/);
  await page.getByRole("link", { name: "Open the key" }).click();
  await page.getByRole("heading", { level: 1, name: "Reader of groups" }).waitFor();
  expect(await page.getByText(value).count()).toBe(0);
  const keyId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { apiKey } = await stage.identity.apiKeys.retrieve({ keyId });
  expect(apiKey.permissions.endpoints).toEqual({ "/api/group": ["GET"] });
  await page.getByText("Never", { exact: true }).waitFor();

  await page.getByRole("tab", { name: "Rotation" }).click();
  await page.getByLabel("The value before ends").selectOption("hour");
  await button(page, "Rotate the key").click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Quarterly");
  await page.getByRole("dialog").getByRole("button", { name: "Rotate the key" }).click();
  const rotated = await shownSecret(page);
  expect(rotated).not.toBe(value);
  const after = await stage.identity.apiKeys.retrieve({ keyId });
  expect(after.apiKey.earlierKeyExpirationInstant).toBeGreaterThan(Date.now());
});

test("the list of API keys has those of the audit log, and opens any by its id", async () => {
  await using opened = await openPage(stage, { path: "/api-keys" });
  const { page } = opened;
  await page.getByRole("link", { name: "Key of the shop" }).waitFor();
  await page.getByLabel("Id of the key").fill(ids.apiKeyId);
  await button(page, "Open").click();
  await page.getByRole("heading", { level: 1, name: "Key of the shop" }).waitFor();
});

test("a signing key is generated, imported and rotated, and says who uses it", async () => {
  await stage.identity.applications.create({
    application: { name: "Shop", jwtConfiguration: { enabled: true, accessTokenKeyId: ids.keyId } },
  });
  await using opened = await openPage(stage, { path: "/keys/new" });
  const { page } = opened;
  await page.getByLabel("Name").fill("Made here");
  await button(page, "Generate").click();
  await page.getByRole("heading", { level: 1, name: "Made here" }).waitFor();
  await page.getByText("BEGIN PUBLIC KEY").waitFor();

  await page.goto(`${stage.url}/keys/new?way=import`);
  await page.getByLabel("Name").fill("Brought along");
  await page.getByLabel("Secret (HMAC)").fill("a secret of a test, long enough to be one");
  await page.getByLabel("Algorithm").selectOption("HS256");
  await button(page, "Import").click();
  await page.getByRole("heading", { level: 1, name: "Brought along" }).waitFor();

  await page.goto(`${stage.url}/keys/${ids.keyId}?tab=rotation`);
  await page.getByText("application Shop").waitFor();
  await button(page, "Create the successor").click();
  await page.getByText("Created:").waitFor();
});
