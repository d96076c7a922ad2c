import { expect, test } from "vitest";
import { checkAccessibility, openPage, password, settle, startStage, walkByKeyboard } from "./support/browser.js";
import { seed } from "./support/seed.js";
import { isWhole } from "./support/whole.js";

const tenantCount = isWhole ? 10_000 : 1_000;

test("the first administrator is made by a link that works once", async () => {
  await using stage = await startStage();
  const link = await stage.setUpUrl();
  await using opened = await openPage(stage, { role: null });
  const { page } = opened;
  await page.goto(link);
  await checkAccessibility(page);
  await page.getByLabel("Full name").fill("First Person");
  await page.getByLabel("Email").fill("first@example.com");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await using second = await openPage(stage, { role: null });
  await second.page.goto(link);
  await second.page.getByLabel("Email").fill("second@example.com");
  await second.page.getByLabel("Password").fill(password);
  await second.page.keyboard.press("Enter");
  await second.page.getByRole("alert").waitFor();
  expect((await stage.identity.users.search({ search: { queryString: "email:second@example.com" } })).total).toBe(0);
});

test("a wrong password is said, and the sign-in is accessible", async () => {
  await using stage = await startStage();
  await stage.signIn("full");
  await using opened = await openPage(stage, { role: null });
  const { page } = opened;
  await page.getByLabel("Email or username").fill("full@example.com");
  await page.getByLabel("Password").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await checkAccessibility(page);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});

test("keys lead everywhere: skip link, palette, g u, /, ?", async () => {
  await using stage = await startStage();
  await seed(stage.identity, 3);
  await using opened = await openPage(stage);
  const { page } = opened;
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect((await walkByKeyboard(page)).seen[0]).toBe("button Skip to the content");
  await page.keyboard.press("Escape");
  // Repeated, since the second key must follow within a moment.
  await expect
    .poll(async () => {
      await page.keyboard.type("gu");
      return page.getByRole("heading", { name: "Users" }).count();
    })
    .toBe(1);
  await settle(page);
  await page.keyboard.press("/");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
  await page.getByRole("heading", { name: "Users" }).focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.getByRole("dialog", { name: "Keys" }).getByLabel("Single keys as shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill("ada");
  await page.getByRole("option", { name: /ada@example.com/ }).waitFor();
  await checkAccessibility(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "ada@example.com" }).waitFor();
});

test("the tenant is in the address, and is searched among thousands", async () => {
  await using stage = await startStage({ service: { auditChanges: false, delivery: false } });
  const chosen = (tenantCount * 57) / 100;
  let wanted = "";
  for (let number = 0; number < tenantCount; number++) {
    const { tenant } = await stage.identity.tenants.create({ tenant: { name: `Tenant ${number}` } });
    if (number === chosen) wanted = tenant.id;
  }
  await stage.identity.groups.create({ group: { name: "Only here", tenantId: wanted } });
  await using opened = await openPage(stage, { path: "/groups" });
  const { page } = opened;
  await page.getByRole("button", { name: /All tenants/ }).click();
  await page.getByRole("combobox", { name: "Tenant" }).fill(`Tenant ${chosen}`);
  await page.getByRole("option", { name: `Tenant ${chosen}` }).click();
  await page.waitForURL(`**/t/${wanted}/groups`);
  await page.getByRole("link", { name: "Only here" }).waitFor();
  await page.getByRole("link", { name: "Users" }).click();
  await page.waitForURL(`**/t/${wanted}/users`);
  await page.goBack();
  await page.waitForURL(`**/t/${wanted}/groups`);
});

test("appearance and language are the person's choice", async () => {
  await using stage = await startStage();
  await using opened = await openPage(stage);
  const { page } = opened;
  await page.getByRole("button", { name: /Signed in as/ }).click();
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("heading", { name: "Übersicht" }).waitFor();
  await page.getByLabel("Darstellung").selectOption("dark");
  await expect
    .poll(() => page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme]))
    .toEqual(["de", "dark"]);
  await page.reload();
  await page.getByRole("heading", { name: "Übersicht" }).waitFor();
});

test("a session that ends loses nothing: the call is repeated after a sign-in over the page", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  await using opened = await openPage(stage, { path: `/users/${userIds[0]}/edit` });
  const { page } = opened;
  await page.getByLabel("First name").fill("Augusta");
  await page.evaluate(() => fetch("session", { method: "DELETE", headers: { "x-console": "1" } }));
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  await dialog.getByLabel("Email or username").fill("full@example.com");
  await dialog.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByText("Saved.").waitFor();
  expect((await stage.identity.users.retrieve({ userId: userIds[0] ?? "" })).user.firstName).toBe("Augusta");
});
