// The provider with its built-in pages, as `oidc()` has them: a login by the forms alone, without a script.
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { Browser } from "./support/browser.js";
import { ada, beginLogin, discover, startProvider } from "./support/provider.js";

test("a user logs in by the form of the page", async () => {
  const world = await startProvider(memoryStorage(), {}, { protocols: [oidc()] });
  const config = await discover(world);
  const browser = new Browser();
  const { checks, url } = await beginLogin(config);
  const page = await browser.follow(url);
  const html = await page.response.text();
  const [, action = ""] = /<form[^>]*action="([^"]+)"/.exec(html) ?? [];
  const hidden = [...html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => input);
  const fields = hidden.map((input) => [/name="([^"]*)"/.exec(input)?.[1] ?? "", /value="([^"]*)"/.exec(input)?.[1] ?? ""]);
  const form = { ...Object.fromEntries(fields), loginId: ada.email, password: ada.password };
  const answer = await browser.send(new URL(action, page.url), form);
  expect([answer.status, await answer.text()]).toEqual([303, ""]);
  const ended = (await browser.follow(new URL(answer.headers.get("location") ?? "", page.url))).url;
  const tokens = await client.authorizationCodeGrant(config, ended, checks);
  expect(tokens.claims()?.sub).toBe(world.userId);
});

test("a service without a public URL is told so when it starts", async () => {
  const create = () => createIdentityService({ storage: memoryStorage(), protocols: [oidc()] });
  await expect(create()).rejects.toThrow(/publicUrl/);
});
