// Logins by identity providers, with a client that speaks a protocol of its own.

import { SignInError } from "latchkey";
import type { IdentityProviderClient } from "latchkey/ports";
import { expect, test } from "vitest";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { login, type Stage, startStage } from "./support/stage.js";
import { Visitor } from "./support/visitor.js";

const upstream = "https://upstream.example/authorize?client_id=x&state=";

/** Sends browsers to a URL, or a form; a login with the code `good` is Ann's. */
const client = (formFields?: Readonly<Record<string, string>>): IdentityProviderClient => ({
  types: ["OpenIDConnect"],
  start: async ({ state }) => ({ url: formFields ? "https://upstream.example/post" : upstream + state, memory: {}, formFields }),
  complete: async ({ parameters }) => {
    if (parameters.code === "nameless") return { id: "upstream-2", profile: {}, lambdaArguments: {}, isEmailVerified: false };
    if (parameters.code !== "good") throw new SignInError("refused", "The code is not valid.");
    return { id: "upstream-1", email: "ann@example.com", isEmailVerified: true, profile: {}, lambdaArguments: {} };
  },
});

interface ProviderStage extends Stage {
  readonly providerId: string;
}

async function start(settings: object = {}, formFields?: Readonly<Record<string, string>>): Promise<ProviderStage> {
  const stage = await startStage({}, { identityProviders: [client(formFields)] });
  await stage.world.identity.verifications.verifyEmail({ userId: ids.user });
  const { identityProvider } = await stage.world.identity.identityProviders.create({
    identityProvider: {
      name: "Upstream",
      type: "OpenIDConnect",
      enabled: true,
      buttonText: "Sign in with Upstream",
      applicationConfiguration: { [ids.application]: { enabled: true } },
      oauth2: { client_id: "x", client_secret: "y", issuer: "https://upstream.example" },
      ...settings,
    },
  });
  return { ...stage, providerId: identityProvider.id };
}

async function leave({ providerId, visitor }: ProviderStage): Promise<string> {
  await visitor.open(login);
  const { action = "", fields } = visitor.page.forms.at(-1) ?? {};
  const page = await visitor.post(action, { ...fields, provider: providerId });
  expect(page.text).toContain("You continue at Upstream.");
  return new URL(page.find(/content="0;url=([^"]*)"/)).searchParams.get("state") ?? "";
}

test("a button leads to the provider, and its answer ends the interaction", async () => {
  const stage = await start({ buttonText: "Continue with <Upstream>" });
  const page = await stage.visitor.open(login);
  expect(page.response.body).toContain("Continue with &lt;Upstream&gt;");
  const state = await leave(stage);
  const end = await stage.visitor.open(`/oauth2/callback?code=good&state=${state}`);
  expect(end.location).toContain("https://app.example/");
  expect(stage.ended[0]?.login?.userId).toBe(ids.user);
});

requirement("pages.state", "an answer counts once, in the browser that began, with the state that was sent", async () => {
  const stage = await start();
  const state = await leave(stage);
  const { ended, visitor, world } = stage;
  expect((await new Visitor(world.identity).open(`/oauth2/callback?code=good&state=${state}`)).status).toBe(410);
  expect((await visitor.open("/oauth2/callback?code=good&state=other")).status).toBe(410);
  expect((await visitor.open(`${login}/callback?code=good&state=other`)).status).toBe(410);
  expect((await visitor.open(`${login}/callback?code=good`)).status).toBe(410);
  expect(ended).toEqual([]);
  await visitor.open(`/oauth2/callback?code=good&state=${state}`);
  expect(ended).toHaveLength(1);
  stage.ask();
  expect((await visitor.open(`${login}/callback?code=good&state=${state}`)).status).toBe(410);
});

test("a provider that refuses, or whose answer is not valid, leads back to the login", async () => {
  for (const [answer, text] of [
    ["error=access_denied", "You canceled the sign-in."],
    ["error=server_error&error_description=<script>", "Upstream did not confirm the sign-in."],
    ["code=bad", "Upstream did not confirm the sign-in."],
  ] as const) {
    const stage = await start();
    const state = await leave(stage);
    const page = await stage.visitor.open(`/oauth2/callback?${answer}&state=${state}`);
    expect(page.text).toContain(text);
    expect(page.title).toBe("Sign in to Shop");
    expect(stage.ended).toEqual([]);
  }
});

const failures: Readonly<
  Record<string, { readonly text: string; readonly code?: string; readonly settings?: object; readonly change?: Change }>
> = {
  "no address": { code: "nameless", text: "Upstream did not say your email address or username" },
  "nobody who is linked": {
    settings: { linkingStrategy: "Disabled" },
    text: "There is no account here that your account at Upstream may use.",
  },
  "an inactive user": {
    change: async ({ world }) => void (await world.identity.users.remove({ userId: ids.user })),
    text: "There is no account here that your account at Upstream may use.",
  },
  "an expired user": {
    change: async ({ world }) => void (await world.identity.users.patch({ userId: ids.user, patch: { user: { expiry: 1 } } })),
    text: "This account has expired.",
  },
  "a user whom an action bars": {
    change: ban,
    text: "You cannot sign in at the moment: Ban.",
  },
  "an application that needs a registration": {
    settings: { applicationConfiguration: { [ids.application]: { enabled: true, createRegistration: false } } },
    change: async (stage) => {
      await stage.setApplication({
        oauthConfiguration: { requireRegistration: true },
        registrationConfiguration: { enabled: false },
      });
      await stage.world.identity.registrations.remove({ applicationId: ids.application, userId: ids.user });
    },
    text: "Your account has no access to this application.",
  },
};

type Change = (stage: ProviderStage) => Promise<void>;

async function ban({ world: { identity } }: ProviderStage): Promise<void> {
  const { userAction } = await identity.userActions.create({ userAction: { name: "Ban", temporal: true, preventLogin: true } });
  const action = { actioneeUserId: ids.user, actionerUserId: ids.user, applicationIds: [], expiry: Date.UTC(2090, 0, 1) };
  await identity.userActionLogs.create({ action: { ...action, userActionId: userAction.id }, broadcast: false });
}

for (const [name, { change, code = "good", settings, text }] of Object.entries(failures))
  requirement("pages.provider-failures", `a login by a provider says what is so: ${name}`, async () => {
    const stage = await start(settings);
    const state = await leave(stage);
    await change?.(stage);
    const page = await stage.visitor.open(`/oauth2/callback?code=${code}&state=${state}`);
    expect([page.title, page.text]).toEqual(["Sign in to Shop", expect.stringContaining(text)]);
    expect(page.text).not.toContain("did not confirm");
    expect(stage.ended).toEqual([]);
  });

test("an answer by a form of another site is sent again by a page, which brings the cookies", async () => {
  const stage = await start();
  const state = await leave(stage);
  const { ended, visitor, world } = stage;
  const cross = { "sec-fetch-site": "cross-site", origin: "https://upstream.example" };
  const again = await new Visitor(world.identity).post("/oauth2/callback", { code: "good", state, user: '{"a":"<b>"}' }, cross);
  expect(again.response.headers["content-security-policy"]).toContain("script-src 'self'");
  const [form] = again.forms;
  expect(form?.fields).toMatchObject({ code: "good", state, user: '{"a":"<b>"}' });
  const moved = await visitor.post(form?.action ?? "", form?.fields ?? {});
  expect(moved.status).toBe(307);
  const end = await visitor.post(moved.location, form?.fields ?? {});
  expect(end.find(/content="0;url=([^"]*)"/)).toContain("https://app.example/callback");
  expect(ended).toHaveLength(1);
});

requirement("pages.leads-out", "a provider that wants a form gets one, which may lead on to any origin", async () => {
  const { providerId, visitor } = await start({}, { SAMLRequest: 'x"y', RelayState: "z" });
  await visitor.open(login);
  const { action = "", fields } = visitor.page.forms.at(-1) ?? {};
  const page = await visitor.post(action, { ...fields, provider: providerId });
  expect(page.forms[0]).toEqual({ action: "https://upstream.example/post", fields: { SAMLRequest: 'x"y', RelayState: "z" } });
  expect(page.response.headers["content-security-policy"]).not.toContain("form-action");
});

test("the domain of an address leads to its provider; others enter a password", async () => {
  const { ended, visitor } = await start({ domains: ["corp.example"] });
  const page = await visitor.open(login);
  expect(page.response.body).not.toContain('type="password"');
  const away = await visitor.send({ loginId: "bob@corp.example" });
  expect(away.text).toContain("You continue at Upstream.");
  await visitor.open(login);
  await visitor.send({ other: "yes" });
  const asked = await visitor.send({ loginId: "ann@example.com" });
  expect(asked.text).toContain("You sign in as ann@example.com.");
  await visitor.send({ password });
  expect(ended).toHaveLength(1);
});

test("an application can name the provider, which is tried once", async () => {
  const { ask, providerId, visitor } = await start();
  ask({ params: { idp_hint: providerId, redirect_uri: "https://app.example/callback" } });
  expect((await visitor.open(login)).text).toContain("You continue at Upstream.");
  expect((await visitor.open(login)).title).toBe("Sign in to Shop");
  ask({ params: { idp_hint: "other" } });
  expect((await new Visitor(visitor.identity).open(login)).title).toBe("Sign in to Shop");
});

test("an account that is linked to nobody is linked by the login that follows", async () => {
  const stage = await start({ linkingStrategy: "CreatePendingLink" });
  const state = await leave(stage);
  const { ended, visitor, world } = stage;
  const page = await visitor.open(`/oauth2/callback?code=good&state=${state}`);
  expect(page.title).toBe("Link your account");
  await visitor.open(page.link("Sign in"));
  await visitor.send({ loginId: "ann@example.com", password });
  expect(ended).toHaveLength(1);
  const links = await world.identity.identityProviderLinks.find({ userId: ids.user });
  expect(JSON.stringify(links)).toContain("upstream-1");
});
