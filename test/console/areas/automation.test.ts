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

test("a lambda has a history from the audit log: what a version changed, and a way back", async () => {
  const { lambdaId } = ids;
  const { lambda } = await stage.identity.lambdas.retrieve({ lambdaId });
  await stage.identity.lambdas.patch({
    lambdaId,
    patch: { lambda: { body: "function populate(jwt) {\n  jwt.later = true;\n}\n" } },
  });
  await using opened = await openPage(stage, { path: `/lambdas/${lambdaId}?tab=history` });
  const { page } = opened;
  await button(page, "Compare").first().click();
  await page.locator("del", { hasText: "jwt.department" }).first().waitFor();
  await page.locator("ins", { hasText: "jwt.later" }).first().waitFor();
  await button(page, "Compare").last().click();
  await button(page, "Restore this version").click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore this version" }).click();
  await page.getByText("The earlier body is back.").waitFor();
  expect((await stage.identity.lambdas.retrieve({ lambdaId })).lambda.body).toBe(lambda.body);
});

test("a lambda says who uses it", async () => {
  const { lambdaId } = ids;
  await stage.identity.applications.create({
    application: { name: "Shop", lambdaConfiguration: { accessTokenPopulateId: lambdaId } },
  });
  await using opened = await openPage(stage, { path: `/lambdas/${lambdaId}?tab=used-by` });
  await opened.page.getByText("application Shop").waitFor();
});
