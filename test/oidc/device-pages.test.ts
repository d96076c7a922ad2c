// The pages that connect a device, and their forms a second time.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage, submitPage } from "./support/forms.js";
import { ada, beginLogin, discover, startProvider } from "./support/provider.js";

const enabledGrants = ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"];

/** A device that shows a code, and a browser. */
async function startDevice() {
  const world = await startProvider(memoryStorage(), { enabledGrants }, { protocols: [oidc()] });
  const config = await discover(world);
  const device = await client.initiateDeviceAuthorization(config, {});
  const browser = new Browser();
  const open = () => browser.follow(device.verification_uri_complete ?? "");
  const confirm = async (): Promise<ShownPage> => submitPage(browser, await open(), { user_code: device.user_code });
  const logIn = (page: ShownPage) => submitPage(browser, page, { loginId: ada.email, password: ada.password, remember: "true" });
  const poll = () => client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.1 });
  return { world, config, device, browser, open, confirm, logIn, poll };
}

const copy = ({ response, url }: ShownPage): ShownPage => ({ response: response.clone(), url });
const textOf = async (page: ShownPage): Promise<string> => (await readPage(copy(page))).text;

requirement("openid.device-page", "an address with a code fills it in, and needs no script", async () => {
  const { device, open, poll, browser, logIn, world } = await startDevice();
  const page = await open();
  const html = await page.response.clone().text();
  expect([page.response.status, html.includes("<script"), html.includes(`value="${device.user_code}"`)]).toEqual([
    200,
    false,
    true,
  ]);
  const confirm = await submitPage(browser, page, { user_code: device.user_code });
  expect(await textOf(confirm)).toContain(`shows the code ${device.user_code} to Shop?`);
  expect(await textOf(await logIn(await submitPage(browser, confirm, {})))).toContain("Device connected");
  expect((await poll()).claims()?.sub).toBe(world.userId);
  const planted = await browser.send(`${world.publicUrl}/oauth2/device?user_code=%22%3E%3Cscript%3E`);
  expect(await planted.text()).not.toContain("<script>");
});

requirement("openid.device-page", "one login connects a device, and the next device of the browser needs none", async () => {
  const { browser, config, confirm } = await startDevice();
  const page = await submitPage(browser, await confirm(), {});
  expect(await textOf(await submitPage(browser, page, { loginId: ada.email, password: ada.password }))).toContain(
    "Device connected",
  );
  const next = await client.initiateDeviceAuthorization(config, {});
  const opened = await browser.follow(next.verification_uri_complete ?? "");
  const asked = await submitPage(browser, opened, { user_code: next.user_code });
  expect(await textOf(await submitPage(browser, asked, {}))).toContain("Device connected");
});

requirement("openid.device-page", "a second click on Connect says that the device is connected", async () => {
  const { browser, config, confirm, logIn } = await startDevice();
  await logIn(await browser.follow((await beginLogin(config)).url));
  const page = await confirm();
  const send = () => submitPage(browser, copy(page), {});
  for (const answer of [...(await Promise.all([send(), send()])), await send()])
    expect(await textOf(answer)).toContain("Device connected");
});

requirement("openid.device-page", "a second click on Connect before the login leads to the same login", async () => {
  const { browser, confirm, logIn, poll, world } = await startDevice();
  const page = await confirm();
  const send = () => submitPage(browser, copy(page), {});
  const [first, second] = [await send(), await send()];
  expect(second.url.href).toBe(first.url.href);
  expect(await textOf(await logIn(second))).toContain("Device connected");
  expect(await textOf(await send())).toContain("Device connected");
  expect((await poll()).claims()?.sub).toBe(world.userId);
});

requirement("openid.device-page", "a second click on Cancel says the same", async () => {
  const { browser, confirm, poll } = await startDevice();
  const page = await confirm();
  for (const _click of [1, 2])
    expect(await textOf(await submitPage(browser, copy(page), { abort: "yes" }))).toContain("The device was not connected.");
  await expect(poll()).rejects.toMatchObject({ error: "access_denied" });
});

requirement("openid.device-page", "another user does not learn that a device is connected", async () => {
  const { browser, confirm, config, logIn, open, device, world } = await startDevice();
  await logIn(await submitPage(browser, await confirm(), {}));
  await world.identity.users.create({ user: { email: "bob@example.com", password: ada.password } });
  const other = new Browser();
  const { page } = { page: await other.follow((await beginLogin(config)).url) };
  await submitPage(other, page, { loginId: "bob@example.com", password: ada.password });
  const asked = await other.follow(device.verification_uri);
  expect(await textOf(await submitPage(other, asked, { user_code: device.user_code }))).toContain("The code is wrong");
  expect(await textOf(await submitPage(browser, await open(), { user_code: device.user_code }))).toContain("Device connected");
});

requirement("openid.device-page", "a browser that refuses cookies learns it", async () => {
  const { device, open } = await startDevice();
  const { action, fields } = await readPage(await open());
  const answer = await new Browser().send(action, { ...fields, user_code: device.user_code });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("Allow cookies for this site")]);
});
