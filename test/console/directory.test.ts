import { expect, test } from "vitest";
import { checkAccessibility, openPage, startStage } from "./support/browser.js";
import { seed } from "./support/seed.js";

test("a thousand ids are pasted into a group, and unknown ones are listed", async () => {
  await using stage = await startStage();
  const { applicationId, groupId, userIds } = await seed(stage.identity, 1);
  const users = Array.from({ length: 1_000 }, (_, number) => ({
    id: crypto.randomUUID(),
    email: `many${number}@example.com`,
    active: true,
  }));
  await stage.identity.bulkUsers.import({ users: users.map((user) => ({ ...user, registrations: [{ applicationId }] })) });
  await using opened = await openPage(stage, { path: `/groups/${groupId}` });
  const { page } = opened;
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("button", { name: "Add many" }).click();
  const list = [...users.slice(0, 998).map(({ id }) => id), "many999@example.com", "nobody@example.com"];
  await page.getByLabel("Ids, email addresses or usernames").fill(list.join("\n"));
  await page.getByRole("button", { name: "Add 1,000 users" }).click();
  await page.getByText("999 users are members now.").waitFor();
  await page.getByText("1 are unknown: nobody@example.com").waitFor();
  await checkAccessibility(page);
  expect((await stage.identity.groupMembers.search({ search: { groupId, numberOfResults: 0 } })).total).toBe(1_000);
  expect(userIds).toHaveLength(1);
});

test("a member leaves and comes back by undo; roles are chosen by application", async () => {
  await using stage = await startStage();
  const { groupId } = await seed(stage.identity, 2);
  await using opened = await openPage(stage, { path: `/groups/${groupId}` });
  const { page } = opened;
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("Nothing here yet").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("tab", { name: "Roles" }).click();
  await page.getByLabel("owner").check();
  await page.getByRole("button", { name: "Save the roles" }).click();
  await page.getByText("The roles are saved.").waitFor();
  const { group } = await stage.identity.groups.retrieve({ groupId });
  expect(
    Object.values(group.roles)
      .flatMap((roles) => roles.map(({ name }) => name))
      .sort(),
  ).toEqual(["editor", "owner"]);
});

test("an application has roles, registrations, and explains why a user has a role", async () => {
  await using stage = await startStage();
  const { applicationId, userIds } = await seed(stage.identity, 3);
  await using opened = await openPage(stage, { path: `/applications/${applicationId}` });
  const { page } = opened;
  await page.getByRole("button", { name: "New role" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("auditor");
  await checkAccessibility(page);
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader", { name: "auditor" }).waitFor();
  await page.getByRole("tab", { name: "Registrations" }).click();
  await page.getByText("1–3 of 3").waitFor();
  await page.getByRole("tab", { name: "Effective access" }).click();
  await page.getByRole("combobox", { name: "User" }).fill("ada");
  await page.getByRole("option", { name: /ada@example.com/ }).click();
  await page.getByText("by the registration").waitFor();
  await page.getByText("by the group Editors").waitFor();
  expect(new URL(page.url()).searchParams.get("user")).toBe(userIds[0]);
});

test("a registration changes its roles by a form", async () => {
  await using stage = await startStage();
  const { applicationId, userIds } = await seed(stage.identity, 1);
  const userId = userIds[0] ?? "";
  await using opened = await openPage(stage, { path: `/users/${userId}/registrations/${applicationId}` });
  const { page } = opened;
  await page.getByLabel("owner").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const { registration } = await stage.identity.registrations.retrieve({ userId, applicationId });
  expect([...registration.roles].sort()).toEqual(["buyer", "owner"]);
});

test("grants are listed both ways", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  const permissions = [{ name: "read" }, { name: "write" }];
  const { entityType } = await stage.identity.entityTypes.create({ entityType: { name: "Device", permissions } });
  const { entity } = await stage.identity.entities.create({ entity: { name: "Thermostat", type: { id: entityType.id } } });
  await using opened = await openPage(stage, { path: `/entities/${entity.id}` });
  const { page } = opened;
  await page.getByRole("button", { name: "New grant" }).click();
  const dialog = page.getByRole("dialog", { name: "New grant" });
  await dialog.getByRole("combobox", { name: "Recipient", exact: true }).fill("ada");
  await dialog.getByRole("option", { name: /ada@example.com/ }).click();
  await dialog.getByLabel("write").check();
  await checkAccessibility(page);
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("link", { name: "ada@example.com" }).waitFor();
  await page.goto(`${stage.url}/users/${userIds[0]}?tab=grants`);
  await page.getByRole("link", { name: "Thermostat" }).waitFor();
  await page.getByText("write").waitFor();
});

test("an import runs dry, lists refused rows, and then stores", async () => {
  await using stage = await startStage();
  await using opened = await openPage(stage, { path: "/imports/new" });
  const { page } = opened;
  const lines = [{ email: "one@example.com" }, { email: "two@example.com", birthDate: "soon" }, { email: "three@example.com" }];
  const buffer = Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
  await page.getByLabel("File").setInputFiles({ name: "users.ndjson", mimeType: "application/x-ndjson", buffer });
  await page.getByRole("button", { name: "Start the dry run" }).click();
  await page.getByText("3 of 3 rows").waitFor();
  await page.getByRole("rowheader", { name: "2" }).waitFor();
  await checkAccessibility(page);
  expect((await stage.identity.users.search({ search: { queryString: "email:one@example.com" } })).total).toBe(0);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the refused rows" }).click();
  const text = (await (await (await download).createReadStream()).toArray()).join("");
  expect(JSON.parse(text)).toMatchObject({ line: 2, outcome: "failed" });
  await page.goto(`${stage.url}/imports/new`);
  await page.getByLabel("File").setInputFiles({ name: "users.ndjson", mimeType: "application/x-ndjson", buffer });
  await page.getByLabel("Dry run: check every row and store nothing").uncheck();
  await page.getByRole("button", { name: "Start the import" }).click();
  await page.getByText("3 of 3 rows").waitFor();
  expect((await stage.identity.users.search({ search: { queryString: "email:one@example.com" } })).total).toBe(1);
});

test("the overview counts, and everything leads to its screen", async () => {
  await using stage = await startStage();
  await seed(stage.identity, 3);
  await using opened = await openPage(stage);
  const { page } = opened;
  await page.getByRole("link", { name: "Users 4" }).waitFor();
  await page.getByText("Failed logins").waitFor();
  await page.getByText("Created the user").first().waitFor();
  await page.getByRole("link", { name: "Groups 1" }).click();
  await page.getByRole("heading", { name: "Groups" }).waitFor();
});
