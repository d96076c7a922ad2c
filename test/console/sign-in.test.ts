import { expect, test } from "vitest";
import { codeAt, secret } from "../support/two-factor.js";
import { checkAccessibility, openPage, password, settle, startStage } from "./support/browser.js";
import { seed } from "./support/seed.js";

const step = 30_000;

test("a second factor is asked for, and a wrong code is refused", async () => {
  // The clock stands still in the middle of a step, so that no code grows old meanwhile.
  const now = (Math.floor(Date.now() / step) + 0.5) * step;
  const clock = (): number => now;
  await using stage = await startStage({ service: { clock } });
  await stage.signIn("full");
  const { user } = await stage.identity.users.find({ email: "full@example.com" });
  await stage.identity.twoFactor.enable({
    userId: user.id,
    method: "authenticator",
    secret,
    code: codeAt(secret, now - step),
  });
  await using opened = await openPage(stage, { role: null });
  const { page } = opened;
  await page.getByLabel("Email or username").fill("full@example.com");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByLabel("Code").fill("000000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await checkAccessibility(page);
  await page.getByLabel("Code").fill(codeAt(secret, now));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});

test("many wrong passwords lock the account, as at the API", async () => {
  await using stage = await startStage();
  await stage.signIn("full");
  const failedAuthenticationConfiguration = {
    tooManyAttempts: 3,
    resetCountInSeconds: 3_600,
    actionDuration: 1,
    actionDurationUnit: "HOURS",
  } as const;
  const { userAction } = await stage.identity.userActions.create({
    userAction: { name: "Locked", temporal: true, preventLogin: true },
  });
  const settings = { ...failedAuthenticationConfiguration, userActionId: userAction.id };
  await stage.identity.tenants.patch({
    tenantId: stage.tenantId,
    patch: { tenant: { failedAuthenticationConfiguration: settings } },
    mode: "merge",
  });
  await using opened = await openPage(stage, { role: null });
  const { page } = opened;
  await page.getByLabel("Email or username").fill("full@example.com");
  for (let attempt = 0; attempt < 3; attempt++) {
    await page.getByLabel("Password").fill(`wrong ${attempt}`);
    const answered = page.waitForResponse((response) => response.url().endsWith("/session"));
    await page.keyboard.press("Enter");
    await answered;
  }
  await page.getByLabel("Password").fill(password);
  const answered = page.waitForResponse((response) => response.url().endsWith("/session"));
  await page.keyboard.press("Enter");
  expect((await answered).status()).not.toBe(200);
  await page.getByRole("alert").waitFor();
});

test("a role that reads sees records and no way to change them", async () => {
  await using stage = await startStage();
  const { applicationId, groupId, userIds } = await seed(stage.identity, 2);
  await using opened = await openPage(stage, { role: "read-only", path: `/users/${userIds[0]}` });
  const { page } = opened;
  await page.getByText("engineering").waitFor();
  const changing = /^(Edit|Operations|New|Remove|Add|Join|Create|Save|Deactivate)\b/;
  for (const path of [
    `/users/${userIds[0]}`,
    "/users",
    `/groups/${groupId}`,
    `/applications/${applicationId}`,
    "/tenants",
    "/entities",
    "/imports",
  ]) {
    await page.goto(stage.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await settle(page);
    const main = page.getByRole("main");
    expect([
      path,
      await main.getByRole("button", { name: changing }).count(),
      await main.getByRole("link", { name: changing }).count(),
    ]).toEqual([path, 0, 0]);
  }
});

test("support helps users and changes nothing else", async () => {
  await using stage = await startStage();
  const { userIds } = await seed(stage.identity, 1);
  await using opened = await openPage(stage, { role: "support", path: `/users/${userIds[0]}` });
  const { page } = opened;
  await page.getByRole("button", { name: "Operations" }).click();
  const menu = page.getByRole("dialog", { name: "Operations" });
  await expect.poll(() => menu.getByRole("button").allTextContents()).toEqual(["Send a password reset", "End all sessions"]);
});
