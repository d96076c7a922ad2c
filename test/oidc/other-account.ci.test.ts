// A login page that stays open while its browser logs in elsewhere: who proves who he is there gets in, whatever session there is by then.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage, submitPage } from "./support/forms.js";
import { receiveLogouts } from "./support/logouts.js";
import { ada, beginLogin, discover, type PendingLogin, type ProviderWorld, startProvider } from "./support/provider.js";

const bob = { email: "bob@example.com", password: "another good password" } as const;
const people = { ada, bob } as const;
type Person = keyof typeof people;

interface Stage {
  readonly world: ProviderWorld;
  readonly config: client.Configuration;
  readonly browser: Browser;
  readonly ids: Readonly<Record<Person, string>>;
  readonly wait: () => void;
}

interface Tab extends PendingLogin {
  readonly page: ShownPage;
}

async function startStage(settings: object = {}, options: object = {}): Promise<Stage> {
  const time = { now: Date.UTC(2030, 0, 1) };
  const given = { protocols: [oidc()], clock: () => time.now, ...options };
  const world = await startProvider(memoryStorage(), settings, given);
  const { user } = await world.identity.users.create({ user: bob });
  const wait = (): void => {
    time.now += 90_000;
  };
  return { world, config: await discover(world), browser: new Browser(), ids: { ada: world.userId, bob: user.id }, wait };
}

async function openTab({ browser, config }: Stage, parameters: Readonly<Record<string, string>> = {}): Promise<Tab> {
  const pending = await beginLogin(config, parameters);
  return { ...pending, page: await browser.follow(pending.url) };
}

/** Enters a password in a tab, a moment later; returns who is logged in at the application. */
async function enter(stage: Stage, { checks, page }: Tab, person: Person, remember = "true"): Promise<string | undefined> {
  stage.wait();
  const { email, password } = people[person];
  const ended = await submitPage(stage.browser, page, { loginId: email, password, remember });
  if (!ended.url.searchParams.has("code")) throw new Error(`No code: ${ended.url} ${(await readPage(ended)).text}`);
  return (await client.authorizationCodeGrant(stage.config, ended.url, checks)).claims()?.sub;
}

async function findLoggedIn(stage: Stage): Promise<string | undefined> {
  const { checks, page } = await openTab(stage, { prompt: "none" });
  return (await client.authorizationCodeGrant(stage.config, page.url, checks)).claims()?.sub;
}

const logouts = async (stage: Stage): Promise<void> => {
  const page = await stage.browser.follow(client.buildEndSessionUrl(stage.config));
  await submitPage(stage.browser, page, { logout: "yes" });
};

/** What happened in the browser before its tabs were opened, and how they were. */
const starts: readonly (readonly [Person | undefined, Readonly<Record<string, string>>])[] = [
  [undefined, {}],
  [undefined, { prompt: "login" }],
  ["ada", { prompt: "login" }],
  ["ada", { max_age: "10" }],
  ["bob", { prompt: "login" }],
];

const orders: readonly (readonly Person[])[] = [
  ["bob", "ada"],
  ["ada", "bob"],
  ["ada", "ada"],
  ["bob", "ada", "bob"],
];

const stories = starts.flatMap(([first, parameters]) =>
  ["true", ""].flatMap((remember) => orders.map((order) => ({ first, parameters, remember, order }))),
);

for (const { first, parameters, remember, order } of stories)
  requirement(
    "openid.other-account",
    `${first ?? "nobody"} first, ${JSON.stringify(parameters)}, ${order.join(", ")}${remember && ", remembered"}`,
    async () => {
      const stage = await startStage();
      if (first !== undefined) await enter(stage, await openTab(stage), first, remember);
      stage.wait();
      const tabs: Tab[] = [];
      for (const _ of order) tabs.push(await openTab(stage, parameters));
      for (const [index, person] of order.entries()) {
        const tab = tabs.at(-1 - index);
        if (tab === undefined) throw new Error("There is a tab for each.");
        expect(await enter(stage, tab, person, remember)).toBe(stage.ids[person]);
        expect(await findLoggedIn(stage)).toBe(stage.ids[person]);
      }
    },
  );

requirement("openid.other-account", "a login page outlives the session that it was opened with", async () => {
  for (const next of ["ada", "bob"] as const) {
    const stage = await startStage();
    await enter(stage, await openTab(stage), "ada");
    const tab = await openTab(stage, { prompt: "login" });
    await logouts(stage);
    await enter(stage, await openTab(stage), "bob");
    expect(await enter(stage, tab, next)).toBe(stage.ids[next]);
  }
});

requirement("openid.other-account", "a login that meets another one on its way back gets in", async () => {
  const stage = await startStage();
  const { browser } = stage;
  const [first, second] = [await openTab(stage), await openTab(stage)];
  const { action, fields } = await readPage(first.page);
  const answer = await browser.send(action, { ...fields, loginId: ada.email, password: ada.password });
  await enter(stage, second, "bob");
  const ended = await browser.follow(new URL(answer.headers.get("location") ?? "", action));
  const tokens = await client.authorizationCodeGrant(stage.config, ended.url, first.checks);
  expect(tokens.claims()?.sub).toBe(stage.ids.ada);
});

requirement("openid.other-account", "a session that ends with the browser ends, and says so to its applications", async () => {
  const { bodies, url } = await receiveLogouts();
  const settings = { backchannelLogoutURL: url, logoutURL: "https://app.example.com/signed-out" };
  const stage = await startStage(settings, { allowPrivateNetwork: true });
  const tab = await openTab(stage);
  await enter(stage, await openTab(stage), "bob", "");
  expect(await enter(stage, tab, "ada")).toBe(stage.ids.ada);
  await stage.world.identity.settle();
  expect(bodies).toHaveLength(1);
});

requirement(
  "openid.other-account",
  "a device is connected by the user of its page, after another login in the browser",
  async () => {
    const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
    const stage = await startStage({ enabledGrants: ["authorization_code", deviceGrant] });
    const { browser, world } = stage;
    const { applicationId: client_id, clientSecret: client_secret, publicUrl } = world;
    const body = new URLSearchParams({ client_id, client_secret, scope: "openid" });
    const begun = await fetch(`${publicUrl}/oauth2/device_authorize`, { method: "POST", body });
    const device = (await begun.json()) as Readonly<Record<"device_code" | "user_code", string>>;
    const url = new URL(`${publicUrl}/${world.tenantId}/oauth2/device`);
    const entered = await submitPage(browser, await browser.follow(url), { user_code: device.user_code });
    const page = await submitPage(browser, entered, {});
    await enter(stage, await openTab(stage), "bob");
    stage.wait();
    const ended = await submitPage(browser, page, { loginId: ada.email, password: ada.password, remember: "true" });
    expect((await readPage(ended)).text).toContain("Device connected");
    const grant = { grant_type: deviceGrant, device_code: device.device_code, client_id, client_secret };
    const answer = await fetch(`${publicUrl}/oauth2/token`, { method: "POST", body: new URLSearchParams(grant) });
    const { access_token = "" } = (await answer.json()) as { readonly access_token?: string };
    expect(JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()).sub).toBe(stage.ids.ada);
  },
);

requirement("openid.other-account", "a consent counts for the user who was asked alone", async () => {
  const stage = await startStage({ relationship: "ThirdParty" });
  const { browser } = stage;
  const tab = await openTab(stage);
  const consent = await submitPage(browser, tab.page, { loginId: ada.email, password: ada.password, remember: "true" });
  const { action, fields } = await readPage(consent);
  await submitPage(browser, await openTab(stage, { prompt: "login" }).then(({ page }) => page), {
    loginId: bob.email,
    password: bob.password,
    remember: "true",
  });
  const answer = await browser.send(action, { ...fields, decision: "allow" });
  expect([answer.status, answer.headers.get("location")]).toEqual([410, null]);
});
