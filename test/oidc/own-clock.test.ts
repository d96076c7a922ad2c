// A service with a clock of its own: the library of the provider, which reads the machine's, follows it.
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { ada, beginLogin, completeLogin, discover, startProvider } from "./support/provider.js";

const start = Date.UTC(2030, 0, 1);

requirement("openid.clock", "a browser session and its tokens live by the clock of the service", async () => {
  let now = start;
  const world = await startProvider(memoryStorage(), {}, { clock: () => now });
  const config = await discover(world);
  const browser = new Browser();
  const tokens = await completeLogin(config, { scope: "openid offline_access" }, browser);
  // The clock of the service stands still: the machine's second may end between the login and its record.
  const atStart = expect.toBeOneOf([start / 1_000, start / 1_000 - 1]);
  expect(tokens.claims()).toMatchObject({ auth_time: atStart, iat: start / 1_000 });
  const ask = async (parameters: Readonly<Record<string, string>>): Promise<URL> =>
    (await browser.follow((await beginLogin(config, { ...parameters, prompt: "none" })).url)).url;

  now = start + 600_000;
  expect((await ask({})).searchParams.has("code")).toBe(true);
  expect((await ask({ max_age: "602" })).searchParams.has("code")).toBe(true);
  expect((await ask({ max_age: "500" })).searchParams.get("error")).toBe("login_required");
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(refreshed.claims()).toMatchObject({ auth_time: atStart, iat: now / 1_000 });

  now = start + 400 * 86_400_000;
  expect((await ask({})).searchParams.get("error")).toBe("login_required");
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
});

requirement("openid.device-polls", "a device that polls too early is slowed down, by five seconds each time", async () => {
  let now = start;
  const enabledGrants = ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"];
  const world = await startProvider(memoryStorage(), { enabledGrants }, { clock: () => now });
  const { applicationId: client_id, clientSecret: client_secret, publicUrl } = world;
  const post = async (path: string, form: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> => {
    const body = new URLSearchParams({ client_id, client_secret, ...form });
    return (await (await fetch(`${publicUrl}${path}`, { method: "POST", body })).json()) as Readonly<Record<string, unknown>>;
  };
  const device = await post("/oauth2/device_authorize", { scope: "openid" });
  expect(device.interval).toBe(5);
  const grant = { grant_type: enabledGrants[1] ?? "", device_code: String(device.device_code) };
  const pollAfter = async (seconds: number): Promise<unknown> => {
    now += seconds * 1_000;
    return (await post("/oauth2/token", grant)).error;
  };
  const answers: unknown[] = [];
  // The waits are 5, 5, 5, 10, 10 and 15 seconds by then; a second less is early enough.
  for (const seconds of [0, 5, 4, 3.999, 9, 8.9, 15]) answers.push(await pollAfter(seconds));
  const pending = "authorization_pending";
  expect(answers).toEqual([pending, pending, pending, "slow_down", pending, "slow_down", pending]);
  const browser = new Browser();
  const page = new URL(`${publicUrl}/oauth2/device`);
  const readForm = async (answer: Response): Promise<Readonly<Record<string, string>>> =>
    ((await answer.json()) as { readonly form: { readonly fields: Readonly<Record<string, string>> } }).form.fields;
  const entered = await browser.send(page, {
    ...(await readForm(await browser.send(page))),
    user_code: String(device.user_code),
  });
  const asked = await browser.send(page, await readForm(entered));
  const login = await browser.follow(new URL(asked.headers.get("location") ?? "", page));
  const done = await browser.send(login.url, { loginId: ada.email, password: ada.password });
  await browser.follow(new URL(done.headers.get("location") ?? "", login.url));
  expect(await post("/oauth2/token", grant)).toHaveProperty("access_token");
});
