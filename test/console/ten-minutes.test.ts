// Ten minutes as a new administrator, as docs/console.md tells it: step by step, by the labels that a person reads.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { openPage, startStage } from "./support/browser.js";
import { takePicture } from "./support/pictures.js";
import { startReceiver } from "./support/receiver.js";

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const write = (page: Page, label: string, text: string) =>
  page.getByRole("textbox", { name: label, exact: true }).first().fill(text);

async function openArea(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

requirement(
  "console.ten-minutes",
  "a new administrator makes an application, a user and a webhook, resends a delivery, and tries a lambda",
  async () => {
    await using receiver = await startReceiver();
    await using stage = await startStage();
    await using opened = await openPage(stage, { role: null, path: "/nothing" });
    const { page } = opened;

    // 1. Open the link that `npm start` printed.
    await page.goto(await stage.setUpUrl());
    await write(page, "Full name", "Ann Example");
    await write(page, "Email", "ann@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await takePicture(page, "set-up");
    await press(page, "Create the administrator");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await takePicture(page, "overview");

    // 2. Create an application.
    await openArea(page, "Applications");
    await page
      .getByRole("link", { name: /New application|Create|Add/ })
      .first()
      .click();
    await write(page, "Name", "Shop");
    await press(page, "Create");
    await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor();
    await takePicture(page, "application");

    // 3. Add a webhook, whose receiver fails.
    await openArea(page, "Webhooks");
    await page
      .getByRole("link", { name: /Add a webhook/ })
      .first()
      .click();
    await write(page, "URL", receiver.url);
    await page.getByRole("checkbox", { name: "user.create can be refused" }).check();
    await page.getByRole("checkbox", { name: "user.create.complete" }).check();
    await press(page, /^(?:Add|Create|Save)/);
    await page.getByRole("heading", { level: 1, name: receiver.url }).waitFor();
    await takePicture(page, "webhook");

    // 4. Create a user, which is an event.
    await openArea(page, "Users");
    await page
      .getByRole("link", { name: /New user|Create|Add/ })
      .first()
      .click();
    await write(page, "Email", "bob@example.com");
    await write(page, "Full name", "Bob Example");
    await press(page, "Create");
    await page.getByRole("heading", { level: 1, name: /Bob Example|bob@example.com/ }).waitFor();
    await takePicture(page, "user");
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);

    // 5. See the delivery fail, and resend it.
    await openArea(page, "Deliveries");
    await page
      .getByRole("link", { name: /user\.create/ })
      .first()
      .click();
    await page.getByText("500").first().waitFor();
    await takePicture(page, "delivery");
    receiver.mend();
    const before = receiver.received.length;
    await press(page, "Send again");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    for (const reason of await dialog.getByRole("textbox").all()) await reason.fill("The shop is open again");
    await dialog.getByRole("button", { name: "Send again" }).click();
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);

    // 6. Write a lambda and try it.
    await openArea(page, "Lambdas");
    await page
      .getByRole("link", { name: /Write a lambda/ })
      .first()
      .click();
    await write(page, "Name", "Claims of the shop");
    const body = "function populate(jwt, user) {\n  jwt.shop = 'open';\n  console.info('Hello');\n}";
    await page.getByRole("textbox", { name: "Body" }).fill(body);
    await press(page, "Run");
    await page.getByText("Succeeded").waitFor();
    await page.getByRole("row", { name: /jwt\.shop/ }).scrollIntoViewIfNeeded();
    await takePicture(page, "lambda");
    await press(page, "Create");
    await page.getByRole("heading", { level: 1, name: "Claims of the shop" }).waitFor();
    expect((await stage.identity.lambdas.list()).lambdas.some(({ name }) => name === "Claims of the shop")).toBe(true);

    // The rest of the pictures.
    for (const [area, name] of [
      ["Users", "users"],
      ["Groups", "groups"],
      ["Logs", "logs"],
    ] as const) {
      await page.getByRole("navigation").getByRole("link", { name: area, exact: true }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await takePicture(page, name);
    }
    expect(opened.faults).toEqual([]);
  },
);
