// The provider with its built-in pages, as `oidc()` has them: a login by the forms alone, without a script.
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import { simpleWebAuthn } from "latchkey/passkeys";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { Browser } from "./support/browser.js";
import { submitPage } from "./support/forms.js";
import { ada, addClient, beginLogin, discover, listen, startProvider } from "./support/provider.js";

test("a user logs in by the form of the page", async () => {
  const world = await startProvider(memoryStorage(), {}, { protocols: [oidc()] });
  const config = await discover(world);
  const browser = new Browser();
  const { checks, url } = await beginLogin(config);
  const page = await browser.follow(url);
  const ended = await submitPage(browser, page, { loginId: ada.email, password: ada.password });
  const tokens = await client.authorizationCodeGrant(config, ended.url, checks);
  expect(tokens.claims()?.sub).toBe(world.userId);
});

test("a user is offered a passkey while the login stands", async () => {
  // Passkeys need a name: an address is none.
  const options = { protocols: [oidc()], passkeys: simpleWebAuthn() };
  const world = await addClient(await listen(memoryStorage(), options, "", "localhost"));
  const { identity, tenantId, userId } = world;
  const webAuthnConfiguration = { bootstrapWorkflow: { enabled: true }, enabled: true, relyingPartyId: "localhost" };
  await identity.tenants.patch({ tenantId, patch: { tenant: { webAuthnConfiguration } } });
  const browser = new Browser();
  const page = await browser.follow((await beginLogin(await discover(world))).url);
  const offered = await submitPage(browser, page, { loginId: ada.email, password: ada.password });
  expect(await offered.response.text()).toContain("data-options");
  await identity.users.patch({ userId, patch: { user: { password: "another good password" } } });
  const next = await browser.follow(offered.url);
  expect([next.url.pathname, await next.response.text()]).toEqual([
    page.url.pathname,
    expect.stringContaining('name="password"'),
  ]);
});

test("a service without a public URL does not start", async () => {
  const create = () => createIdentityService({ storage: memoryStorage(), protocols: [oidc()] });
  await expect(create()).rejects.toThrow(/publicUrl/);
});
