// What published clients do in their own ways.
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { beginLogin, callback, completeLogin, discover, logIn, startProvider } from "./support/provider.js";

const form = { "content-type": "application/x-www-form-urlencoded" };

requirement("openid.post", "an authorization request may come as a form, and knows the session of the browser", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const browser = new Browser();
  await logIn(browser, (await beginLogin(config)).url);
  const { url } = await beginLogin(config);
  const sent = await fetch(url.origin + url.pathname, {
    method: "POST",
    redirect: "manual",
    headers: form,
    body: url.search.slice(1),
  });
  expect(sent.status).toBe(303);
  const ended = await browser.follow(new URL(sent.headers.get("location") ?? "", url));
  expect(ended.url.origin + ended.url.pathname).toBe(callback);
  expect(ended.url.searchParams.get("code")).toMatch(/^[\w-]{20,}$/);
});

requirement("openid.id-token-claims", "an ID token has the claims of the scopes that were granted, and no others", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const names = { given_name: "Ada", family_name: "Lovelace", name: "Ada Lovelace" };
  const both = await completeLogin(config, { scope: "openid profile email" });
  expect(both.claims()).toMatchObject({ ...names, email: "ada@example.com", email_verified: false });
  const profile = await completeLogin(config, { scope: "openid profile" });
  expect(profile.claims()).toMatchObject(names);
  expect(profile.claims()).not.toHaveProperty("email");
  expect((await completeLogin(config, { scope: "openid" })).claims()).not.toHaveProperty("name");
});

requirement("openid.issuer-owner", "no tenant takes the issuer of another one", async () => {
  const { identity, issuer, publicUrl, tenantId } = await startProvider(memoryStorage());
  const name = (own: string, tenant: string) => ({ tenant: { name: tenant, issuer: own } });
  const refused = (code: string) => ({ status: 400, code: `[${code}]tenant.issuer` });
  await expect(identity.tenants.create(name(issuer, "Mallory"))).rejects.toMatchObject(refused("invalid"));
  await identity.tenants.patch({ tenantId, mode: "merge", patch: { tenant: { issuer: publicUrl } } });
  await expect(identity.tenants.create(name(publicUrl, "Mallory"))).rejects.toMatchObject(refused("duplicate"));
  await identity.tenants.patch({ tenantId, mode: "merge", patch: { tenant: { issuer } } });
  await identity.tenants.create(name(publicUrl, "Root"));
});

requirement("openid.basic", "a secret in HTTP Basic counts as it was encoded, and as it stands", async () => {
  const world = await startProvider(memoryStorage());
  const { applicationId, identity, publicUrl } = world;
  const send = async (secret: string): Promise<unknown> => {
    const authorization = `Basic ${Buffer.from(`${applicationId}:${secret}`).toString("base64")}`;
    const body = "grant_type=authorization_code&code=unknown&redirect_uri=x";
    const answer = await fetch(`${publicUrl}/oauth2/token`, { method: "POST", headers: { ...form, authorization }, body });
    return ((await answer.json()) as { readonly error: unknown }).error;
  };
  for (const start of ["a%20b", "a+b", "100%sure"]) {
    const clientSecret = start + "x".repeat(30);
    const patch = { application: { oauthConfiguration: { clientSecret } } };
    await identity.applications.patch({ applicationId, mode: "merge", patch });
    for (const written of [encodeURIComponent(clientSecret), clientSecret])
      expect([written, await send(written)]).toEqual([written, "invalid_grant"]);
    expect(await send(`${clientSecret}x`)).toBe("invalid_client");
  }
});
