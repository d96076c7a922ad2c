// What the token endpoint says of the tokens in its answer, and of codes and requests that lack something.
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { expect } from "vitest";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import {
  ada,
  beginLogin,
  callback,
  completeLogin,
  discover,
  logIn,
  type ProviderWorld,
  startProvider,
} from "./support/provider.js";

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const enabledGrants = ["authorization_code", "refresh_token", deviceGrant];
const scope = "openid offline_access";

interface Stage {
  readonly world: ProviderWorld;
  readonly wait: (seconds: number) => void;
  readonly now: () => number;
}

async function startStage(settings: object = {}): Promise<Stage> {
  const time = { now: Date.UTC(2030, 0, 1) };
  const world = await startProvider(memoryStorage(), { enabledGrants, ...settings }, { clock: () => time.now });
  const wait = (seconds: number): void => {
    time.now += seconds * 1_000;
  };
  return { world, wait, now: () => time.now / 1_000 };
}

/** Sends a form as the application does. */
async function post(
  { applicationId: client_id, clientSecret: client_secret, publicUrl }: ProviderWorld,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const body = new URLSearchParams({ client_id, client_secret, ...form });
  const answer = await fetch(`${publicUrl}${path}`, { method: "POST", body });
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

requirement("openid.expires-in", "a new application's lifetimes count at once", async () => {
  const { now, wait, world } = await startStage();
  // What is cached of the tenant knows no other application.
  await completeLogin(await discover(world), { scope });
  const { application } = await world.identity.applications.create({
    application: {
      name: "Wiki",
      jwtConfiguration: { enabled: true, timeToLiveInSeconds: 300, refreshTokenTimeToLiveInMinutes: 10 },
      oauthConfiguration: { authorizedRedirectURLs: [callback] },
    },
  });
  const clientSecret = application.oauthConfiguration.clientSecret ?? "";
  const config = await discover({ ...world, applicationId: application.id, clientSecret });
  const first = await completeLogin(config, { scope });
  const second = await client.refreshTokenGrant(config, first.refresh_token ?? "");
  for (const { access_token, expires_in } of [first, second])
    expect([expires_in, Number(claimsOf(access_token).exp) - now()]).toEqual([300, 300]);
  wait(601);
  await expect(client.refreshTokenGrant(config, second.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
});

requirement("openid.expires-in", "a replaced refresh token gets the time that its answer has left", async () => {
  const { now, wait, world } = await startStage();
  await world.identity.applications.patch({
    applicationId: world.applicationId,
    patch: {
      application: {
        jwtConfiguration: {
          enabled: true,
          timeToLiveInSeconds: 60,
          refreshTokenUsagePolicy: "OneTimeUse",
          refreshGraceSeconds: 300,
        },
      },
    },
  });
  const { refresh_token = "" } = await completeLogin(await discover(world), { scope });
  const refresh = () => post(world, "/oauth2/token", { grant_type: "refresh_token", refresh_token });
  const first = await refresh();
  for (const [seconds, left] of [
    [0, 60],
    [55, 5],
    [45, 0],
  ] as const) {
    wait(seconds);
    const again = await refresh();
    expect([again.access_token, again.expires_in]).toEqual([first.access_token, left]);
    expect(Math.max(0, Number(claimsOf(String(again.access_token)).exp) - now())).toBe(left);
  }
});

requirement("openid.device-expired", "a device learns for ten minutes that its code has expired", async () => {
  const { wait, world } = await startStage();
  const device = await post(world, "/oauth2/device_authorize", { scope });
  const poll = async () => {
    await world.identity.settle();
    return (await post(world, "/oauth2/token", { grant_type: deviceGrant, device_code: String(device.device_code) })).error;
  };
  expect(await poll()).toBe("authorization_pending");
  for (const seconds of [600, 1, 590]) {
    wait(seconds);
    expect(await poll()).toBe("expired_token");
  }
  const page = (await (await fetch(`${world.publicUrl}/oauth2/device`)).json()) as { readonly kind: string };
  expect(page.kind).toBe("deviceCode");
  const unknown = { grant_type: deviceGrant, device_code: "unknown" };
  expect((await post(world, "/oauth2/token", unknown)).error).toBe("invalid_grant");
});

for (const unknownScopePolicy of ["Reject", "Remove", "Allow"])
  for (const asked of ["", "offline_access"])
    requirement("openid.default-scope", `a client that asks for "${asked}" gets openid (${unknownScopePolicy})`, async () => {
      const grants: readonly string[][] = [enabledGrants, ["authorization_code", deviceGrant]];
      for (const enabled of grants) {
        const { world } = await startStage({ unknownScopePolicy, enabledGrants: enabled });
        const config = await discover(world);
        const { checks, url } = await beginLogin(config, { scope: asked });
        if (asked === "") url.searchParams.delete("scope");
        const pushed = await client.buildAuthorizationUrlWithPAR(config, url.searchParams);
        for (const start of [url, pushed]) {
          const tokens = await client.authorizationCodeGrant(config, await logIn(new Browser(), start), checks);
          expect(tokens.scope?.split(" ")).toContain("openid");
          expect(tokens.claims()?.sub).toBe(world.userId);
        }
        const device = await post(world, "/oauth2/device_authorize", asked === "" ? {} : { scope: asked });
        expect(await allow(world, String(device.user_code))).toBe("deviceDone");
        const tokens = await post(world, "/oauth2/token", { grant_type: deviceGrant, device_code: String(device.device_code) });
        expect(String(tokens.scope).split(" ")).toContain("openid");
      }
    });

requirement("openid.default-scope", "a client of whose scopes nothing is left learns it before the login", async () => {
  const { world } = await startStage({ unknownScopePolicy: "Remove" });
  const { url } = await beginLogin(await discover(world), { scope: "orders.read" });
  url.searchParams.delete("nonce");
  expect((await new Browser().follow(url)).url.searchParams.get("error")).toBe("invalid_scope");
  expect(await post(world, "/oauth2/device_authorize", { scope: "orders.read" })).toMatchObject({ error: "invalid_scope" });
});

interface DevicePage {
  readonly kind: string;
  readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
}

/** Types the code of a device and logs in; returns the page at the end. */
async function allow({ publicUrl, tenantId }: ProviderWorld, user_code: string): Promise<string> {
  const browser = new Browser();
  const url = new URL(`${publicUrl}/${tenantId}/oauth2/device`);
  const send = async ({ form }: DevicePage, fields: Readonly<Record<string, string>>) =>
    browser.send(new URL(form.action, publicUrl), { ...form.fields, ...fields });
  const entered = (await (
    await send((await (await browser.send(url)).json()) as DevicePage, { user_code })
  ).json()) as DevicePage;
  const begun = await send(entered, {});
  const ended = await logInFrom(browser, new URL(begun.headers.get("location") ?? "", url));
  return ((await ended.json()) as DevicePage).kind;
}

async function logInFrom(browser: Browser, url: URL): Promise<Response> {
  const page = await browser.follow(url);
  const answer = await browser.send(page.url, { loginId: ada.email, password: ada.password });
  return (await browser.follow(new URL(answer.headers.get("location") ?? "", page.url))).response;
}
