import { expect, test } from "vitest";
import { checkAccessibility, openPage, startStage, walkByKeyboard } from "./support/browser.js";
import { seed } from "./support/seed.js";

test("users are searched by the API's grammar, sorted and paged, all in the address", async () => {
  await using stage = await startStage();
  await seed(stage.identity);
  await using opened = await openPage(stage, { path: "/users" });
  const { page } = opened;
  await page.getByText("1–25 of 31").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("26–31 of 31").waitFor();
  await page.reload();
  await page.getByText("26–31 of 31").waitFor();
  await page.goBack();
  await page.getByText("1–25 of 31").waitFor();
  await page.getByLabel("Search users").fill('lastName:"Number 1*" AND NOT email:user012*');
  await page.keyboard.press("Enter");
  await page.getByText("1–10 of 10").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe('lastName:"Number 1*" AND NOT email:user012*');
  await page.getByLabel("Search users").fill("ada");
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByLabel("Username").check();
  await page.keyboard.press("Escape");
  await page.getByRole("columnheader", { name: "Username" }).waitFor();
  expect((await walkByKeyboard(page)).seen).toContain("a ada@example.com");
});

test("the filter is exported", async () => {
  await using stage = await startStage();
  await seed(stage.identity, 5);
  await using opened = await openPage(stage, { path: "/users?q=email%3Auser00*" });
  const { page } = opened;
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const stream = await (await download).createReadStream();
  const text = (await stream.toArray()).join("");
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).email)
      .sort(),
  ).toEqual([1, 2, 3, 4].map((number) => `user00${number}@example.com`));
});

test("a change of all that a search finds is counted, done with progress, and reported row by row", async () => {
  await using stage = await startStage();
  await seed(stage.identity);
  await using opened = await openPage(stage, { path: "/users?q=email%3Auser0*" });
  const { page } = opened;
  await page.getByLabel("Select all rows of this page").check();
  await page.getByRole("button", { name: "Select all 29 found" }).click();
  await page.getByRole("button", { name: "Deactivate" }).click();
  const dialog = page.getByRole("dialog", { name: "Deactivate" });
  await dialog.getByText("29 active users can no longer log in").waitFor();
  await checkAccessibility(page);
  await dialog.getByLabel("Reason").fill("Left the company");
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await dialog.getByText("29 of 29 done, 0 failed.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("cell", { name: "Inactive" }).first().waitFor();
  expect((await stage.identity.users.search({ search: { queryString: "active:false" } })).total).toBe(29);
  const { auditLogs = [] } = await stage.identity.auditLogs.search({ search: { reason: "Left the company" } });
  expect(auditLogs.length).toBeGreaterThan(0);
});

test("a user shows all that belongs to it", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  await using opened = await openPage(stage, { path: `/users/${userIds[0]}` });
  const { page } = opened;
  const tabs = {
    Profile: "engineering",
    Registrations: "Group Editors",
    Groups: "Editors",
    Grants: "Nothing here yet",
    "Second factors": "No second factor",
    Sessions: "Signed in nowhere",
    Actions: "No actions were taken",
    Timeline: "Created the user",
  };
  for (const [tab, text] of Object.entries(tabs)) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByText(text).first().waitFor();
  }
  await page.getByRole("tab", { name: "Timeline" }).press("Home");
  await page.getByRole("tab", { name: "Profile", selected: true }).waitFor();
});

test("operations ask for a reason, which stands in the audit log", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  const userId = userIds[0] ?? "";
  await using opened = await openPage(stage, { path: `/users/${userId}` });
  const { page } = opened;
  await page.getByRole("button", { name: "Operations" }).click();
  await page.getByRole("button", { name: "Set a password" }).click();
  const dialog = page.getByRole("dialog", { name: "Set a password" });
  await dialog.getByLabel("New password").fill("another horse battery");
  await dialog.getByLabel("Reason").fill("Called the desk");
  await checkAccessibility(page);
  await page.keyboard.press("Enter");
  await page.getByText("The password is set.").waitFor();
  const { auditLogs = [] } = await stage.identity.auditLogs.search({ search: { reason: "Called the desk" } });
  expect(auditLogs.map(({ insertUser }) => insertUser)).toEqual([expect.stringContaining("user:")]);
  await page.getByRole("button", { name: "Operations" }).click();
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Inactive").waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Operations" }).click();
  await page.getByRole("button", { name: "Remove for good" }).click();
  const removal = page.getByRole("dialog", { name: "Remove for good" });
  await removal.getByText("1 registrations and 1 memberships").waitFor();
  expect(await removal.getByRole("button", { name: "Remove for good" }).isDisabled()).toBe(true);
  await removal.getByLabel("Type ada@example.com to go on").fill("ada@example.com");
  await removal.getByRole("button", { name: "Remove for good" }).click();
  await page.getByRole("heading", { name: "Users" }).waitFor();
});
