import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, type Stage, startStage } from "../support/browser.js";
import { seed } from "./seed.js";

let stage: Stage;
let ids: Awaited<ReturnType<typeof seed>>;
const sent: { readonly to: unknown; readonly subject: string }[] = [];

beforeAll(async () => {
  stage = await startStage({
    service: {
      mail: async (message) => {
        sent.push({ to: message.to, subject: message.subject });
        return { kind: "ok" };
      },
    },
  });
  ids = await seed(stage);
});
afterAll(() => stage[Symbol.asyncDispose]());

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

test("an email template is previewed in each language in a frame that runs nothing, and sent to an address", async () => {
  await stage.identity.users.create({ user: { email: "ada@example.com", password: "correct horse battery", firstName: "Ada" } });
  await using opened = await openPage(stage, { path: `/templates/email/${ids.emailTemplateId}` });
  const { page } = opened;
  const frame = page.frameLocator("iframe.inert-frame");
  await frame.getByRole("heading", { name: /^Dear / }).waitFor();
  expect(await page.locator("iframe.inert-frame").getAttribute("sandbox")).toBe("");
  expect(await frame.locator("script, [onerror], img[src]").count()).toBe(0);
  // Polled, since each preview is a new document.
  await expect
    .poll(() => frame.getByRole("heading").evaluate((heading) => getComputedStyle(heading).color))
    .toBe("rgb(0, 128, 128)");
  await page.locator("main").getByRole("combobox", { name: "Language", exact: true }).selectOption("de");
  await frame.getByRole("heading", { name: /^Hallo / }).waitFor();
  await page.getByText("Willkommen").last().waitFor();

  await page.getByLabel("To an address").fill("nobody@example.com");
  await button(page, "Send").click();
  await page.getByText(/There is no user/).waitFor();
  expect(sent).toEqual([]);
  await page.getByLabel("To a user").fill("ada");
  await page.getByRole("option", { name: /ada@example.com/ }).click();
  await button(page, "Send").click();
  await page.getByText("The mail is on its way.").waitFor();
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]?.subject).toBe("Willkommen");
});

test("the preview follows what is written, and names what is wrong with it", async () => {
  await using opened = await openPage(stage, { path: `/templates/message/${ids.messageTemplateId}` });
  const { page } = opened;
  await page.getByText(/^Your code is \w+/).waitFor();
  const editor = page.getByRole("textbox", { name: "Text", exact: true });
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" and ${");
  await page.getByText("This would go wrong:").waitFor();
});

test("fields of a form are ordered by keys alone, and the preview shows the stored form", async () => {
  await using opened = await openPage(stage, { path: `/forms/${ids.formId}` });
  const { page } = opened;
  const fields = page.getByRole("list", { name: /^Fields in their order/ }).getByRole("listitem");
  await expect.poll(() => fields.count()).toBe(3);
  const names = () => fields.locator("span").allTextContents();
  await expect.poll(names).not.toContainEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
  const first = (await fields.first().locator("span").textContent()) ?? "";
  await button(page, `Move ${first} down`).focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(() => fields.nth(1).locator("span").textContent()).toBe(first);
  const { form: before } = await stage.identity.forms.retrieve({ formId: ids.formId });
  await button(page, "Save").press("Enter");
  await page.getByText("Saved.").waitFor();
  const { form } = await stage.identity.forms.retrieve({ formId: ids.formId });
  expect(form.steps[0]?.fields).toEqual([1, 0, 2].map((place) => before.steps[0]?.fields[place]));
  await page.getByRole("group", { name: /Step 1 · Asks for fields/ }).waitFor();
});

test("a theme is previewed before it is stored: each page, in each language, light and dark", async () => {
  await using opened = await openPage(stage, { path: "/themes/new" });
  const { page } = opened;
  const frame = page.frameLocator("iframe.inert-frame");
  await frame.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(await page.locator("iframe.inert-frame").getAttribute("sandbox")).toBe("");
  const styleOf = (name: string) =>
    frame.locator("button", { hasText: name }).evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.getByLabel("Title").fill("<img src=x onerror=alert(1)>Shop");
  await frame.getByText("<img src=x onerror=alert(1)>Shop").waitFor();
  await page.locator("summary", { hasText: /^Colors$/ }).click();
  await page.locator("[id='field-colors.accent'] input").fill("#7a1fa2");
  await expect.poll(() => styleOf("Sign in")).toBe("rgb(122, 31, 162)");
  await page.getByLabel("Page", { exact: true }).selectOption("two-factor-mistake");
  await frame.getByRole("alert").waitFor();
  await page.locator("main").getByRole("combobox", { name: "Language", exact: true }).selectOption("de");
  await frame.getByRole("heading", { level: 1, name: "Zweiter Schritt" }).waitFor();
  await page.locator("main").getByRole("combobox", { name: "Colors", exact: true }).selectOption("dark");
  await expect
    .poll(() => frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor))
    .toBe("rgb(20, 22, 26)");

  // What the service refuses is said, and the page of before stays.
  await page.locator("[id='field-colors.accent'] input").fill("red;}body{display:none");
  await page.getByText(/theme\.colors\.accent/).waitFor();
  await frame.getByRole("alert").waitFor();
  expect((await stage.identity.themes.search({ search: { name: "*" } })).themes).toHaveLength(1);
});
