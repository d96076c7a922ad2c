import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyWebhook } from "latchkey";
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

/** A receiver on this machine that remembers what it got. */
async function startReceiver() {
  const got: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    got.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(parts).toString() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, got, [Symbol.asyncDispose]: async () => void server.close() };
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

test("a webhook is made with events by group, its test keeps what was written, and its secret is rotated", async () => {
  await using receiver = await startReceiver();
  await using opened = await openPage(stage, { path: "/webhooks/new" });
  const { page } = opened;
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("checkbox", { name: /^Groups/ }).check();
  await button(page, "Create").click();
  await page.getByRole("heading", { level: 1, name: receiver.url }).waitFor();
  const webhookId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { webhook } = await stage.identity.webhooks.retrieve({ webhookId });
  expect(webhook.eventsEnabled).toMatchObject({ "group.create": true, "group.delete.complete": true });
  expect(webhook.eventsEnabled["user.create"] ?? false).toBe(false);

  await page.getByRole("tab", { name: "Test" }).click();
  await page.getByLabel("Message of the event").fill("Kept as written");
  await button(page, "Send the test").click();
  await page.getByText("HTTP 204").waitFor();
  expect(JSON.parse(receiver.got[0]?.body ?? "{}").event).toMatchObject({ type: "test", message: "Kept as written" });
  await page.reload();
  await expect.poll(() => page.getByLabel("Message of the event").inputValue()).toBe("Kept as written");

  await page.getByRole("tab", { name: "Signature" }).click();
  await button(page, "Create a secret").click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Ticket 1");
  await page.getByRole("dialog").getByRole("button", { name: "Rotate the secret" }).click();
  await page.getByText("This is the only time").waitFor();
  await button(page, "Show").click();
  await button(page, "Hide").waitFor();
  const secret = (await page.locator(".secret code").textContent()) ?? "";
  await stage.identity.webhooks.test({ webhookId, message: "signed" });
  const [signed] = receiver.got.slice(-1);
  await expect(verifyWebhook({ headers: signed?.headers ?? {}, body: signed?.body ?? "" }, { secret })).resolves.toMatchObject({
    type: "test",
  });
});

test("a delivery shows its attempts, answers and the next one; it is sent again alone, and with all failed ones since an instant", async () => {
  await using opened = await openPage(stage, { path: "/deliveries" });
  const { page } = opened;
  await page.getByRole("combobox", { name: "Event", exact: true }).selectOption("group.create");
  await page.getByRole("link", { name: "group.create" }).first().click();
  await page.getByText("Next attempt at").waitFor();
  await page.getByText("unreachable").first().waitFor();
  await page.getByText('"name": "Readers"').waitFor();
  await button(page, "Send again").click();
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await page.getByText("The event goes out again.").waitFor();

  await page.goto(`${stage.url}/deliveries`);
  await button(page, "Send many again").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Result").selectOption("");
  await dialog.getByText(/events? would be sent again/).waitFor();
  await dialog.getByRole("button", { name: "Send many again" }).click();
  await page.getByText(/goe?s? out again/).waitFor();
});

test("a lambda is written with completion, run on samples and on a real user, and fails at its line", async () => {
  const { user } = await stage.identity.users.create({
    user: { email: "grace@example.com", password: "correct horse battery", data: { department: "Compilers" } },
  });
  await using opened = await openPage(stage, { path: "/lambdas/new" });
  const { page } = opened;
  await page.getByLabel("Name").fill("Departments");
  const body = page.getByRole("textbox", { name: "Body" });
  await button(page, "Begin with the function of this kind").click();
  await expect.poll(() => body.innerText()).toContain("function populate(jwt, user, registration, context)");
  await body.click();
  for (const key of ["Control+Home", "ArrowDown", "End"]) await page.keyboard.press(key);
  await page.keyboard.type("\n  jwt.department = user.da");
  // By the mouse: keys that come soon after the list opens go to the text, however soon that is.
  await page.getByRole("option", { name: /^data/ }).click();
  await expect.poll(() => body.innerText()).toContain("user.data");
  await page.keyboard.type(".department;\n  console.info('ran');");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Succeeded").waitFor();
  await page.getByText("ran", { exact: true }).waitFor();
  await page.getByText("jwt.department").last().waitFor();

  await page.getByLabel("A real user").fill("grace");
  await page.getByRole("option", { name: /grace@example.com/ }).click();
  await button(page, "Run").click();
  await page.getByText("Compilers").last().waitFor();
  expect((await stage.identity.users.retrieve({ userId: user.id })).user.lastUpdateInstant).toBe(user.lastUpdateInstant);

  await body.click();
  for (const key of ["Control+Home", "ArrowDown", "End"]) await page.keyboard.press(key);
  await page.keyboard.type("\n  missing.x;");
  await button(page, "Run").click();
  await page.getByText("Threw an error").waitFor();
  await page.getByText(/at line \d/).waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
});

test("a lambda has its versions: what each changed, and a way back", async () => {
  const { lambdaId } = ids;
  const { lambda } = await stage.identity.lambdas.retrieve({ lambdaId });
  await stage.identity.lambdas.patch({
    lambdaId,
    patch: { lambda: { body: "function populate(jwt) {\n  jwt.later = true;\n}\n" } },
  });
  await using opened = await openPage(stage, { path: `/lambdas/${lambdaId}?tab=history` });
  const { page } = opened;
  await button(page, "Compare").first().click();
  await page.getByRole("heading", { name: "Version 2" }).waitFor();
  await page.locator("del", { hasText: "jwt.department" }).first().waitFor();
  await page.locator("ins", { hasText: "jwt.later" }).first().waitFor();
  expect(await button(page, "Restore this version").count()).toBe(0);
  await button(page, "Compare").last().click();
  await page.getByRole("heading", { name: "Version 1" }).waitFor();
  await button(page, "Restore this version").click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Ticket 2");
  await page.getByRole("dialog").getByRole("button", { name: "Restore this version" }).click();
  await page.getByText("The earlier version is back.").waitFor();
  await page.getByRole("row", { name: /^3 newest/ }).waitFor();
  expect((await stage.identity.lambdas.retrieve({ lambdaId })).lambda.body).toBe(lambda.body);
  await page.getByRole("link", { name: /audit log/ }).click();
  await page.getByRole("cell", { name: "Ticket 2" }).waitFor();
});

test("a module is written, required by a lambda before anything is stored, and refused at its field", async () => {
  await using opened = await openPage(stage, { path: "/lambdas/new" });
  const { page } = opened;
  await page.getByLabel("Name", { exact: false }).first().fill("Texts");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("Module");
  await page.getByText("A module runs in the lambdas that require it").waitFor();
  expect(await button(page, "Run").count()).toBe(0);
  await button(page, "Begin with the function of this kind").click();
  await expect.poll(() => page.getByRole("textbox", { name: "Body" }).innerText()).toContain("exports.example");
  await button(page, "Create").click();
  await page.getByRole("heading", { level: 1, name: "Texts" }).waitFor();

  await page.goto(`${stage.url}/lambdas/new`);
  await page.getByLabel("Name", { exact: false }).first().fill("Requires");
  const body = page.getByRole("textbox", { name: "Body" });
  await button(page, "Begin with the function of this kind").click();
  await body.click();
  for (const key of ["Control+Home", "ArrowDown", "End"]) await page.keyboard.press(key);
  await page.keyboard.type("\n  jwt.text = require('texts').example('from the module');");
  await page.keyboard.press("Escape");
  await button(page, "Run").click();
  await page.getByText("Threw an error").waitFor();
  await button(page, "Add a module").click();
  const module = page.getByRole("group", { name: "Module 1" });
  await module.getByLabel("Name in require()").fill("texts");
  await module.getByRole("combobox", { name: "Lambda" }).fill("Texts");
  await page.getByRole("option", { name: "Texts" }).click();
  await button(page, "Run").click();
  await page.getByText("Succeeded").waitFor();
  await page.getByText("from the module").last().waitFor();

  await module.getByLabel("Name in require()").fill("1 no name");
  await button(page, "Create").click();
  await page.getByRole("alert").waitFor();
  await module.getByText(/modules\[0\]\.name/).waitFor();
  expect(await module.getByLabel("Name in require()").getAttribute("aria-invalid")).toBe("true");
  await module.getByLabel("Name in require()").fill("texts");
  await module.getByRole("combobox", { name: "Version" }).selectOption("1");
  await button(page, "Create").click();
  await page.getByRole("heading", { level: 1, name: "Requires" }).waitFor();
  const { lambdas = [] } = await stage.identity.lambdas.search({ search: { name: "Requires" } });
  expect(lambdas[0]?.modules).toEqual([{ name: "texts", lambdaId: expect.any(String), version: 1 }]);
});

test("a lambda gets a chain and a rollout, and loses both again", async () => {
  const body = "function populate(jwt) {\n  jwt.plan = 1;\n}\n";
  const make = async (name: string): Promise<string> =>
    (await stage.identity.lambdas.create({ lambda: { name, type: "JWTPopulate", body } })).lambda.id;
  const [lambdaId, second, third] = [await make("First of a chain"), await make("Second of it"), await make("Third of it")];
  const stored = async () => (await stage.identity.lambdas.retrieve({ lambdaId })).lambda;
  await using opened = await openPage(stage, { path: `/lambdas/${lambdaId}` });
  const { page } = opened;
  for (const name of ["Third of it", "Second of it"]) {
    await page.getByRole("combobox", { name: "Add to the chain" }).fill(name);
    await page.getByRole("option", { name }).click();
    await button(page, "Add").click();
  }
  await button(page, "Move Second of it up").click();
  await page.getByLabel("Give the newest version to a part of the users").check();
  await page.getByLabel("Percent of the users").fill("101");
  await expect.poll(() => page.getByRole("combobox", { name: "Version of the others" }).inputValue()).toBe("1");
  await button(page, "Save").click();
  await page.getByRole("alert").waitFor();
  await page
    .getByRole("group", { name: "Staged rollout" })
    .getByText(/rollout\.percent/)
    .waitFor();
  await page.getByLabel("Percent of the users").fill("25");
  await button(page, "Save").click();
  await page.getByText("Saved.").waitFor();
  expect(await stored()).toMatchObject({ chain: [second, third], rollout: { percent: 25, version: 1 } });

  await page.reload();
  await page.getByLabel("Give the newest version to a part of the users").uncheck();
  await button(page, "Take Second of it out").click();
  // What was written survives a reload, what was taken away too.
  await page.reload();
  await button(page, "Save").click();
  await page.getByText("Saved.").waitFor();
  expect(await stored()).toMatchObject({ chain: [third] });
  expect((await stored()).rollout).toBeUndefined();
});

test("a lambda says who uses it", async () => {
  const { lambdaId } = ids;
  await stage.identity.applications.create({
    application: { name: "Shop", lambdaConfiguration: { accessTokenPopulateId: lambdaId } },
  });
  await using opened = await openPage(stage, { path: `/lambdas/${lambdaId}?tab=used-by` });
  await opened.page.getByText("application Shop").waitFor();
});
