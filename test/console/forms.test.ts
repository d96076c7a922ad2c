import { expect, test } from "vitest";
import { checkAccessibility, openPage, startStage, walkByKeyboard } from "./support/browser.js";
import { seed } from "./support/seed.js";

test("a form previews by a dry run, saves what changed, and undoes it", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  const userId = userIds[0] ?? "";
  await using opened = await openPage(stage, { path: `/users/${userId}/edit` });
  const { page } = opened;
  await page.getByLabel("Mobile phone").fill("+4930123456");
  await page.getByLabel("Metadata (JSON)").fill('{ "department": "sales" }');
  await checkAccessibility(page);
  expect((await walkByKeyboard(page)).seen).toContain("button Preview");
  await page.getByRole("button", { name: "Preview" }).click();
  const dialog = page.getByRole("dialog", { name: "What would change" });
  await dialog.getByRole("rowheader", { name: "data.department" }).waitFor();
  await dialog.getByRole("rowheader", { name: "mobilePhone" }).waitFor();
  expect((await stage.identity.users.retrieve({ userId })).user.mobilePhone).toBeUndefined();
  await checkAccessibility(page);
  await page.clock.install();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  // A slow person can undo as well.
  await page.clock.fastForward("10:00");
  const { user } = await stage.identity.users.retrieve({ userId });
  expect([user.mobilePhone, user.data, user.firstName]).toEqual(["+4930123456", { department: "sales" }, "Ada"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").waitFor();
  const { user: before } = await stage.identity.users.retrieve({ userId });
  expect([before.mobilePhone, before.data]).toEqual([undefined, { department: "engineering" }]);
});

test("what is wrong stands in a summary and beside its field", async () => {
  await using stage = await startStage();
  await seed(stage.identity, 2);
  await using opened = await openPage(stage, { path: "/users/new" });
  const { page } = opened;
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  await page.getByLabel("Birth date").fill("yesterday");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("Not saved:").waitFor();
  await checkAccessibility(page);
  const field = page.getByLabel("Birth date");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await page.getByRole("alert").getByRole("link").first().click();
  await page.getByLabel("Birth date").fill("1990-12-10");
  await page.getByLabel("Email", { exact: true }).fill("new@example.com");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "new@example.com" }).waitFor();
});

test("a draft survives a reload of the page", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  await using opened = await openPage(stage, { path: `/users/${userIds[0]}/edit` });
  const { page } = opened;
  await page.getByLabel("First name").fill("Augusta");
  await page.reload();
  await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Augusta");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Ada");
});

test("two browsers edit one record: each chooses between mine and theirs, and the rest is merged", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  const userId = userIds[0] ?? "";
  await using one = await openPage(stage, { path: `/users/${userId}/edit` });
  await using other = await openPage(stage, { path: `/users/${userId}/edit` });
  await one.page.getByLabel("First name").fill("Augusta");
  await one.page.getByLabel("Birth date").fill("1815-12-10");
  await other.page.getByLabel("First name").fill("Adele");
  await other.page.getByLabel("Mobile phone").fill("+4930123456");
  await one.page.getByRole("button", { name: "Save" }).click();
  await one.page.getByText("Saved.").waitFor();
  await other.page.getByRole("button", { name: "Save" }).click();
  const dialog = other.page.getByRole("dialog", { name: "Changed meanwhile" });
  await dialog.getByRole("group", { name: "firstName" }).waitFor();
  expect(await dialog.getByRole("group").count()).toBe(1);
  expect(await dialog.getByText("Ada", { exact: true }).count()).toBe(1);
  await checkAccessibility(other.page);
  await dialog.getByLabel("Yours: Adele").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await other.page.getByText("Saved.").waitFor();
  const { user } = await stage.identity.users.retrieve({ userId });
  expect([user.firstName, user.birthDate, user.mobilePhone]).toEqual(["Adele", "1815-12-10", "+4930123456"]);
});
