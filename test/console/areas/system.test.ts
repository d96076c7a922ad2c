import type { Download, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, type Stage, startStage } from "../support/browser.js";
import { seed } from "./seed.js";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
  await seed(stage);
});
afterAll(() => stage[Symbol.asyncDispose]());

const readDownload = async (download: Download): Promise<Buffer> =>
  Buffer.concat(await (await download.createReadStream()).toArray());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the audit log is filtered, shows before and after, and is exported", async () => {
  const { group } = await stage.identity.groups.create({ group: { name: "Authors" } });
  await stage.identity.groups.patch({ groupId: group.id, patch: { group: { name: "Writers" } } }, { auditReason: "Ticket 4711" });
  await using opened = await openPage(stage, { path: "/logs/audit" });
  const { page } = opened;
  await page.getByRole("searchbox", { name: "Search in messages" }).fill(`Changed the group ${group.id}`);
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toContain("Changed the group");
  await page.getByText("Ticket 4711").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export").click()]);
  const lines = (await readDownload(download)).toString().trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).newValue.name)).toEqual(["Writers"]);
  await page.getByRole("link", { name: `Changed the group ${group.id}` }).click();
  await page.locator("del", { hasText: "Authors" }).waitFor();
  await page.locator("ins", { hasText: "Writers" }).waitFor();
});

test("logins are exported, and counted by day in a chart with a table behind it", async () => {
  await using opened = await openPage(stage, { path: "/logs/logins" });
  const { page } = opened;
  await page.getByRole("link", { name: "full@example.com" }).first().waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export").click()]);
  expect((await readDownload(download)).subarray(0, 2).toString()).toBe("PK");
  await button(page, "Show the chart").click();
  await page.locator(".chart canvas").waitFor();
  await page.getByText("The numbers as a table").click();
  const lastDay = page.locator(".chart-table tbody tr").last().locator("td").first();
  await expect.poll(async () => Number(await lastDay.textContent())).toBeGreaterThan(0);
});

test("the system says its version, storage, workers and metrics", async () => {
  await using opened = await openPage(stage, { path: "/system" });
  const { page } = opened;
  await page.getByText("Healthy", { exact: true }).waitFor();
  await page.getByText("Events waiting in the outbox").waitFor();
  await page.getByLabel("Search metrics").fill("latchkey_storage_up");
  await page.getByRole("rowheader", { name: "latchkey_storage_up" }).waitFor();
});

test("secrets of integrations are written and never shown", async () => {
  const moderation = { enabled: true, apiKey: "a key that nobody sees", url: "https://moderation.example.com" };
  await stage.identity.integrations.patch({ patch: { integrations: { moderation } } });
  await using opened = await openPage(stage, { path: "/integrations" });
  const { page } = opened;
  await page.getByText("Stored; never shown").first().waitFor();
  expect(await page.content()).not.toContain("a key that nobody sees");
  await button(page, "Replace: API key").click();
  await page.getByLabel("API key").fill("another key");
  await button(page, "Save").click();
  await page.getByText("Saved.").waitFor();
  const { integrations } = await stage.identity.integrations.retrieve();
  expect(integrations.moderation?.apiKey).toBe("another key");
});

test("a record of a family without a screen of its own is made, changed and removed", async () => {
  await using opened = await openPage(stage, { path: "/records/user-action-reasons/new" });
  const { page } = opened;
  await page.getByLabel("Text", { exact: false }).first().fill("Rude words");
  await page.getByLabel("Code", { exact: false }).first().fill("RUDE");
  await button(page, "Create").click();
  await page.getByRole("heading", { level: 1, name: "Rude words" }).waitFor();
  await page.getByLabel("Text", { exact: false }).first().fill("Very rude words");
  await button(page, "Preview").click();
  await page.getByRole("dialog").getByText("Very rude words").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Very rude words" }).waitFor();
  await button(page, "Remove").click();
  await page.getByRole("dialog").getByLabel(/^Type/).fill("Very rude words");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/user-action-reasons$/);
});

test("a person who may only read sees records, and nothing that changes them", async () => {
  await using opened = await openPage(stage, { role: "read-only", path: "/lambdas" });
  const { page } = opened;
  await page.getByRole("link", { name: "Claims of the shop" }).waitFor();
  expect(await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Write a lambda" }).count()).toBe(0);
  await page.getByRole("link", { name: "Claims of the shop" }).click();
  await page.getByText("You may read this record").waitFor();
  await page.getByText("jwt.department = user.data.department").waitFor();
  expect(await page.getByRole("button", { name: /^(Save|Remove|Run)$/ }).count()).toBe(0);
});

test("a draft survives a reload, has no secrets, and goes with the session", async () => {
  await using opened = await openPage(stage, { path: "/webhooks/new" });
  const { page } = opened;
  const stored = (): Promise<string> => page.evaluate(() => JSON.stringify(sessionStorage));
  await page.getByLabel("URL").fill("https://draft.example.com/hook");
  await page.getByLabel("Basic password").fill("nobody may keep this");
  await page.reload();
  await expect.poll(() => page.getByLabel("URL").inputValue()).toBe("https://draft.example.com/hook");
  expect(await stored()).not.toContain("nobody may keep this");
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await button(page, "Sign out").click();
  await expect.poll(stored).not.toContain("draft.example.com");
});
