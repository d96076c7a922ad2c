// The other endpoints: discovery, pushed requests, devices, bound tokens, revocation, CORS, and the core's own grants.
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { temporaryFiles } from "../storage/support/temporary-files.js";
import { countSearches } from "../support/count-searches.js";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { ada, beginLogin, completeLogin, discover, listen, logIn, startProvider } from "./support/provider.js";

const newFile = temporaryFiles();

test("each URL of the discovery document is served, and both forms of its path have it", async () => {
  const world = await startProvider(memoryStorage());
  const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;
  const document = await read(`${world.issuer}/.well-known/openid-configuration`);
  expect(document.issuer).toBe(world.issuer);
  expect(await read(`${world.publicUrl}/.well-known/openid-configuration/${world.tenantId}`)).toEqual(document);
  expect(await read(`${world.publicUrl}/.well-known/oauth-authorization-server/${world.tenantId}`)).toEqual(document);
  const urls = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
  expect(urls.map(([name]) => name).toSorted()).toEqual([
    "authorization_endpoint",
    "device_authorization_endpoint",
    "end_session_endpoint",
    "introspection_endpoint",
    "jwks_uri",
    "pushed_authorization_request_endpoint",
    "revocation_endpoint",
    "token_endpoint",
    "userinfo_endpoint",
  ]);
  for (const [name, url] of urls) {
    const method = /^(authorization|end_session|jwks|userinfo)/.test(name) ? "GET" : "POST";
    expect([name, (await fetch(String(url), { method, redirect: "manual" })).status]).not.toEqual([name, 404]);
  }
  expect((await fetch(`${world.publicUrl}/.well-known/openid-configuration`)).status).toBe(404);
  expect((await fetch(`${world.publicUrl}/.well-known/openid-configuration/${crypto.randomUUID()}`)).status).toBe(404);
});

test("a tenant whose issuer is the URL of the service has its discovery there", async () => {
  const world = await startProvider(memoryStorage());
  await world.identity.tenants.patch({ tenantId: world.tenantId, patch: { tenant: { issuer: world.publicUrl } } });
  const config = await discover({ ...world, issuer: world.publicUrl });
  expect((await completeLogin(config)).claims()?.iss).toBe(world.publicUrl);
});

requirement(
  "openid.root-discovery",
  "discovery at the root finds any tenant, and reads them once for all its callers",
  async () => {
    const storage = memoryStorage();
    const world = await startProvider(storage);
    const searches = countSearches(storage, "tenants");
    const names = Array.from({ length: 501 }, (_, index) => `Tenant ${String(index).padStart(4, "0")}`);
    for (const name of names) await world.identity.tenants.create({ tenant: { name } });
    const read = async (): Promise<number> => (await fetch(`${world.publicUrl}/.well-known/openid-configuration`)).status;
    for (let count = 0; count < 20; count++) expect(await read()).toBe(404);
    expect(searches()).toBe(2);
    const { tenants } = await world.identity.tenants.search({ search: { name: "Tenant 0500" } });
    const last = { tenantId: tenants[0]?.id ?? "", patch: { tenant: { issuer: world.publicUrl } } };
    await world.identity.tenants.patch(last);
    const before = searches();
    for (let count = 0; count < 20; count++) expect(await read()).toBe(200);
    expect(searches() - before).toBe(2);
  },
);

test("a pushed request is used by its URI, once", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const { checks, url } = await beginLogin(config, { scope: "openid offline_access" });
  const pushed = await client.buildAuthorizationUrlWithPAR(config, url.searchParams);
  const ended = await logIn(new Browser(), pushed);
  expect(await client.authorizationCodeGrant(config, ended, checks)).toHaveProperty("refresh_token");
  expect((await new Browser().follow(pushed)).response.status).toBe(400);
});

test("a device gets tokens once its user typed the code", async () => {
  const world = await startProvider(memoryStorage(), { enabledGrants: ["authorization_code", deviceGrant, "refresh_token"] });
  const config = await discover(world);
  const started = await client.initiateDeviceAuthorization(config, { scope: "openid offline_access" });
  const browser = new Browser();
  const entry = (await (await browser.send(started.verification_uri)).json()) as Shown;
  expect(entry.kind).toBe("deviceCode");
  const wrong = await send(entry, { user_code: "AAAA-AAAA" });
  const again = (await wrong.json()) as Shown;
  expect(again).toMatchObject({ kind: "deviceCode", error: "unknown" });
  const confirm = (await (await send(again, { user_code: started.user_code })).json()) as Shown;
  expect(confirm).toMatchObject({ kind: "deviceConfirm", userCode: started.user_code });
  const begun = await send(confirm, {});
  const page = await browser.follow(new URL(begun.headers.get("location") ?? "", world.publicUrl));
  const answer = await browser.send(page.url, { loginId: ada.email, password: ada.password });
  const done = await browser.follow(new URL(answer.headers.get("location") ?? "", page.url));
  expect(await done.response.json()).toMatchObject({ kind: "deviceDone" });
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...started, interval: 0.1 });
  expect(tokens.claims()?.sub).toBe(world.userId);
  expect(tokens.refresh_token).toMatch(/^[\w-]{20,}$/);

  function send({ form }: Shown, fields: Readonly<Record<string, string>>): Promise<Response> {
    return browser.send(new URL(form.action, world.publicUrl), { ...form.fields, ...fields });
  }
});

requirement("openid.device-page", "the address for devices is short where there is one tenant", async () => {
  const world = await startProvider(memoryStorage(), { enabledGrants: [deviceGrant] });
  const config = await discover(world);
  const shown = async (): Promise<string> => (await client.initiateDeviceAuthorization(config, {})).verification_uri;
  expect(await shown()).toBe(`${world.publicUrl}/oauth2/device`);
  await world.identity.tenants.create({ tenant: { name: "Another" } });
  const address = await shown();
  expect(address).toBe(`${world.publicUrl}/${world.tenantId}/oauth2/device`);
  expect((await new Browser().send(address)).status).toBe(200);
});

requirement("openid.device-page", "a code that is sent without the page is asked for again", async () => {
  const world = await startProvider(memoryStorage(), { enabledGrants: [deviceGrant] });
  const { user_code } = await client.initiateDeviceAuthorization(await discover(world), {});
  const fields: Readonly<Record<string, string>>[] = [{}, { user_code }, { user_code, xsrf: "wrong" }, { user_code, xsrf: "" }];
  for (const [index, sent] of [...fields, { user_code, xsrf: "wrong", confirm: "yes" }].entries()) {
    const browser = new Browser();
    const hasBegun = index > 1;
    if (hasBegun) await browser.send(`${world.publicUrl}/oauth2/device`);
    const answer = await browser.send(`${world.publicUrl}/oauth2/device`, sent);
    expect([index, answer.status]).toEqual([index, hasBegun ? 200 : 303]);
    if (hasBegun) expect(await answer.json()).toMatchObject({ kind: "deviceCode", error: "unknown" });
    else expect(answer.headers.get("location")).toBe(`${world.publicUrl}/${world.tenantId}/oauth2/device`);
  }
});

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

interface Shown {
  readonly kind: string;
  readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
}

test("a token that is bound to a key is worth nothing without it", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
  const { checks, url } = await beginLogin(config);
  const ended = await logIn(new Browser(), url);
  const tokens = await client.authorizationCodeGrant(config, ended, checks, {}, { DPoP });
  expect(tokens.token_type).toBe("dpop");
  expect((await client.fetchUserInfo(config, tokens.access_token, world.userId, { DPoP })).sub).toBe(world.userId);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  expect((await fetch(`${world.publicUrl}/oauth2/userinfo`, { headers })).status).toBe(401);
});

requirement(
  "openid.proof",
  "introspection and revocation ask for the proof of the client, of access and refresh tokens alike",
  async () => {
    const world = await startProvider(memoryStorage());
    const config = await discover(world);
    const { access_token, refresh_token = "" } = await completeLogin(config, { scope: "openid offline_access" });
    const ask = async (path: string, form: Readonly<Record<string, string>>): Promise<number> =>
      (await fetch(`${world.publicUrl}/oauth2/${path}`, { method: "POST", body: new URLSearchParams(form) })).status;
    for (const token of [access_token, refresh_token])
      for (const path of ["introspect", "revoke"]) {
        const { applicationId: client_id } = world;
        const statuses = [
          await ask(path, { token, client_id }),
          await ask(path, { token, client_id, client_secret: "wrong" }),
          await ask(path, { token, client_id: crypto.randomUUID(), client_secret: "wrong" }),
        ];
        expect([path, statuses]).toEqual([path, [401, 401, 401]]);
        expect([400, 401]).toContain(await ask(path, { token }));
      }
    for (const token of [access_token, refresh_token])
      expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: true });
  },
);

test("access and refresh tokens are revoked by their client alone", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const { application } = await world.identity.applications.create(
    { application: { name: "Other" } },
    { tenantId: world.tenantId },
  );
  const { clientSecret = "" } = application.oauthConfiguration;
  const other = await discover({ ...world, applicationId: application.id, clientSecret });
  for (const scope of ["openid", "openid offline_access"]) {
    const tokens = await completeLogin(config, { scope });
    await client.tokenRevocation(other, tokens.access_token);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
    await client.tokenRevocation(config, tokens.access_token);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  }
  const { refresh_token = "" } = await completeLogin(config, { scope: "openid offline_access" });
  expect(await client.tokenIntrospection(config, refresh_token)).toMatchObject({ active: true, sub: world.userId });
  expect(await client.tokenIntrospection(other, refresh_token)).toEqual({ active: false });
  await client.tokenRevocation(other, refresh_token);
  expect(await client.tokenIntrospection(config, refresh_token)).toMatchObject({ active: true });
  await client.tokenRevocation(config, refresh_token);
  expect(await client.tokenIntrospection(config, refresh_token)).toEqual({ active: false });
});

test("pages of authorized origins may call the token endpoint", async () => {
  const world = await startProvider(memoryStorage(), { authorizedOriginURLs: ["https://app.example.com"] });
  const call = (origin: string) => {
    const form = {
      grant_type: "authorization_code",
      client_id: world.applicationId,
      client_secret: world.clientSecret,
      code: "x",
    };
    return fetch(`${world.publicUrl}/oauth2/token`, { method: "POST", headers: { origin }, body: new URLSearchParams(form) });
  };
  expect((await call("https://app.example.com")).headers.get("access-control-allow-origin")).toBe("https://app.example.com");
  expect((await call("https://evil.example.com")).headers.get("access-control-allow-origin")).toBeNull();
});

test("a wrong secret is slowed as that of an entity, and entities get their tokens", async () => {
  const world = await startProvider(memoryStorage());
  const { entityType } = await world.identity.entityTypes.create({ entityType: { name: "Machine" } });
  const { entity } = await world.identity.entities.create(
    { entity: { name: "Robot", type: { id: entityType.id } } },
    { tenantId: world.tenantId },
  );
  const form = { grant_type: "client_credentials", client_id: entity.clientId, client_secret: entity.clientSecret ?? "" };
  const answer = await fetch(`${world.publicUrl}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) });
  expect(await answer.json()).toMatchObject({ token_type: "Bearer" });
});

test("what was begun before a restart goes on after it, in another process on the same file", async () => {
  const filename = newFile();
  const world = await startProvider(sqliteStorage({ filename }));
  const config = await discover(world);
  const { checks, url } = await beginLogin(config, { scope: "openid offline_access" });
  const ended = await logIn(new Browser(), url);
  const { publicUrl } = await listen(sqliteStorage({ filename }), { publicUrl: world.publicUrl });
  const form = {
    grant_type: "authorization_code",
    code: ended.searchParams.get("code") ?? "",
    redirect_uri: ended.href.split("?")[0] ?? "",
    code_verifier: checks.pkceCodeVerifier ?? "",
    client_id: world.applicationId,
    client_secret: world.clientSecret,
  };
  const both = [publicUrl, world.publicUrl].map((base) =>
    fetch(`${base}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) }),
  );
  const statuses = (await Promise.all(both)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, 400]);
});
