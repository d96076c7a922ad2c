// A service with a clock of its own: the library of the provider, which reads the machine's, follows it.
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { beginLogin, completeLogin, discover, startProvider } from "./support/provider.js";

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
