// How the provider is deployed: below a path, behind HTTPS, with other services to call, and with everybody guessing at its secrets.
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect, onTestFinished, test } from "vitest";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { expectSecurePage } from "../support/secure-page.js";
import { testSecret } from "../support/world.js";
import { Browser } from "./support/browser.js";
import { logOut, receiveLogouts } from "./support/logouts.js";
import { plainPages } from "./support/pages.js";
import {
  addClient,
  beginLogin,
  callback,
  completeLogin,
  discover,
  listen,
  type ProviderWorld,
  startProvider,
} from "./support/provider.js";

requirement("openid.backchannel", "a logout sends a logout token, where the guard lets it", async () => {
  const warnings: string[] = [];
  const ignore = () => undefined;
  const logger = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (_fields: object, text: string) => void warnings.push(text),
  };
  for (const allowPrivateNetwork of [true, false]) {
    const { bodies, url } = await receiveLogouts();
    const world = await startProvider(memoryStorage(), { backchannelLogoutURL: url }, { allowPrivateNetwork, logger });
    const config = await discover(world);
    const browser = new Browser();
    const { id_token = "" } = await completeLogin(config, {}, browser);
    await logOut(
      world,
      browser,
      client.buildEndSessionUrl(config, { id_token_hint: id_token, post_logout_redirect_uri: callback }),
    );
    await world.identity.settle();
    expect(bodies).toHaveLength(allowPrivateNetwork ? 1 : 0);
    const { host } = new URL(url);
    const refused = [
      `The application ${world.applicationId} gets no logout tokens: calls may not go to ${host}`,
      `A call was not made: calls may not go to ${host}`,
      "a logout token could not be sent",
    ];
    expect(warnings).toEqual(allowPrivateNetwork ? [] : refused.map((text) => expect.stringContaining(text)));
    if (!allowPrivateNetwork) continue;
    const claims = claimsOf(new URLSearchParams(bodies[0]).get("logout_token") ?? "");
    expect(claims).toMatchObject({ aud: world.applicationId, iss: world.issuer, sub: world.userId });
    expect(claims.events).toEqual({ "http://schemas.openid.net/event/backchannel-logout": {} });
    expect(claims.sid).toBe(claimsOf(id_token).sid);
    expect(claims).not.toHaveProperty("nonce");
  }
});

requirement("openid.mount", "below a path, every URL has it, and cookies are for it", async () => {
  const world = await addClient(await listen(memoryStorage(), {}, "/identity"));
  const config = await discover(world);
  const browser = new Browser();
  const { checks, url } = await beginLogin(config, { scope: "openid offline_access" });
  expect(url.pathname).toBe("/identity/oauth2/authorize");
  const page = await browser.follow(url);
  expect(page.url.pathname).toMatch(/^\/identity\/oauth2\/interaction\//);
  const tokens = await client.authorizationCodeGrant(config, await logInBelow(browser, page.url), checks);
  expect(await client.refreshTokenGrant(config, tokens.refresh_token ?? "")).toHaveProperty("id_token");
  expect(browser.paths.every((path) => path.startsWith("/identity"))).toBe(true);
  const again = await beginLogin(config, { prompt: "none" });
  expect((await browser.follow(again.url)).url.searchParams.has("code")).toBe(true);
  const document = config.serverMetadata();
  for (const [name, value] of Object.entries(document).filter(([one]) => /_endpoint$|_uri$/.test(one)))
    expect([name, String(value).startsWith(world.publicUrl)]).toEqual([name, true]);
});

async function logInBelow(browser: Browser, page: URL): Promise<URL> {
  const answer = await browser.send(page, { loginId: "ada@example.com", password: "correct horse battery" });
  return (await browser.follow(new URL(answer.headers.get("location") ?? "", page))).url;
}

test.each([
  ["https://id.example.com", "__Host-", "/"],
  ["https://id.example.com/identity", "__Secure-", "/identity"],
] as const)("cookies of %s are for TLS alone", async (publicUrl, prefix, path) => {
  const protocols = [oidc({ interactions: plainPages })];
  const identity = await createIdentityService({
    storage: memoryStorage(),
    secret: testSecret,
    publicUrl,
    protocols,
    delivery: false,
  });
  onTestFinished(() => identity.close());
  const { applicationId, tenantId } = await addClient({ identity, publicUrl });
  const query = new URLSearchParams({ client_id: applicationId, redirect_uri: callback, response_type: "code", scope: "openid" });
  const { headers } = await identity.inject({ url: `/oauth2/authorize?${query}` });
  const set = [headers["set-cookie"] ?? []].flat().filter((text) => !/=;/.test(text));
  expect(set.length).toBeGreaterThan(1);
  for (const text of set) expect(text).toMatch(/^__(?:Secure|Host)-(?=.*; secure)(?=.*; httponly)/i);
  const session = set.find((text) => text.startsWith(`${prefix}latchkey_session_${tenantId}=`));
  expect(session === undefined || session.includes(`path=${path};`)).toBe(true);
});

requirement("openid.throttle", "wrong secrets are slowed, then refused, and count for one client alone", async () => {
  const world = await startProvider(memoryStorage(), {}, { throttle: { clientSecret: { maxFailures: 3 } } });
  const other = await addClient(world, {}, { name: "Other", email: "bob@example.com" });
  const send = ({ applicationId, clientSecret }: Pick<ProviderWorld, "applicationId" | "clientSecret">) => {
    const form = {
      grant_type: "authorization_code",
      code: "x",
      redirect_uri: callback,
      client_id: applicationId,
      client_secret: clientSecret,
    };
    return fetch(`${world.publicUrl}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) });
  };
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt++) statuses.push((await send({ ...world, clientSecret: "wrong" })).status);
  expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
  expect([423, 429]).toContain(statuses[3]);
  expect([423, 429]).toContain((await send(world)).status);
  expect((await send(other)).status).toBe(400);
});

test("each response mode of the discovery document brings the code to the client", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  const modes: Readonly<Record<string, (ended: URL, html: string) => string | null>> = {
    form_post: (_ended, html) => /name="code" value="([^"]+)"/.exec(html)?.[1] ?? null,
    fragment: ({ hash }) => new URLSearchParams(hash.slice(1)).get("code"),
    query: ({ searchParams }) => searchParams.get("code"),
  };
  expect(config.serverMetadata().response_modes_supported?.toSorted()).toEqual(Object.keys(modes).toSorted());
  const browser = new Browser();
  await completeLogin(config, {}, browser);
  for (const [response_mode, read] of Object.entries(modes)) {
    const { response, url } = await browser.follow((await beginLogin(config, { response_mode })).url);
    const text = await response.text();
    expect([response_mode, read(url, text)]).toEqual([response_mode, expect.stringMatching(/^[\w-]{40,}$/)]);
    const headers = Object.fromEntries(response.headers);
    // The others are redirects.
    expect("content-security-policy" in headers).toBe(response_mode === "form_post");
    if (response_mode !== "form_post") continue;
    expect(text).toContain("<script>");
    expect(expectSecurePage(headers, text).has("form-action")).toBe(false);
  }
});
