// The offer of a passkey after a login with a password: what the script of the page does, an authenticator in software does here.
import { simpleWebAuthn } from "latchkey/passkeys";
import { expect, test } from "vitest";
import { SoftwareAuthenticator } from "../support/authenticator.js";
import { ids, password } from "../support/logins.js";
import { type Options, register } from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { login, type Stage, startStage } from "./support/stage.js";

const right = { loginId: "ann@example.com", password };
const page = { origin: "http://localhost", rpId: "localhost" };
const title = "Sign in faster next time";

async function startOffers(settings: object = { bootstrapWorkflow: { enabled: true } }, publicUrl = page.origin): Promise<Stage> {
  const stage = await startStage({}, { passkeys: simpleWebAuthn(), findPublicUrl: () => publicUrl });
  await stage.setTenant({ webAuthnConfiguration: { enabled: true, relyingPartyId: page.rpId, ...settings } });
  return stage;
}

async function enter({ ask, visitor }: Stage): Promise<string> {
  ask();
  await visitor.open(login);
  return (await visitor.send(right)).title;
}

const loggedIn = { userId: ids.user, amr: ["pwd"], authenticationType: "PASSWORD", remember: true };

/** Creates a passkey for the options of the page. */
function create({ visitor }: Stage): { readonly credential: string; readonly rpId: string } {
  const options = JSON.parse(visitor.page.find(/data-options="([^"]*)"/)) as Options;
  return { credential: JSON.stringify(new SoftwareAuthenticator("ES256", page).create(options)), rpId: page.rpId };
}

requirement("pages.passkey-offer", "a created passkey is the user's, and the login goes on", async () => {
  const stage = await startOffers();
  expect(await enter(stage)).toBe(title);
  expect(stage.ended).toEqual([]);
  await stage.visitor.send(create(stage));
  expect(stage.ended[0]?.login).toMatchObject(loggedIn);
  expect(stage.ended[0]?.login?.authTime).toBe(stage.world.clock.instant / 1_000);
  const { credentials } = await stage.world.identity.passkeys.list({ userId: ids.user });
  expect(credentials).toHaveLength(1);
  await enter(stage);
  expect(stage.ended).toHaveLength(2);
});

requirement("pages.passkey-offer", "who declines is not asked again in the browser", async () => {
  const stage = await startOffers();
  expect(await enter(stage)).toBe(title);
  await stage.visitor.send({ skip: "yes" });
  expect(stage.ended[0]?.login).toMatchObject(loggedIn);
  expect(await stage.world.identity.passkeys.list({ userId: ids.user })).toEqual({ credentials: [] });
  await enter(stage);
  expect(stage.ended).toHaveLength(2);
});

requirement("pages.passkey-offer", "nobody is asked who has a passkey, or whom the tenant allows none", async () => {
  for (const settings of [
    {},
    { bootstrapWorkflow: { enabled: false } },
    { bootstrapWorkflow: { enabled: true }, enabled: false },
  ]) {
    const stage = await startOffers(settings);
    await enter(stage);
    expect(stage.ended).toHaveLength(1);
  }
  const stage = await startOffers();
  await register(stage.world.caller, new SoftwareAuthenticator("ES256", page), { page });
  await enter(stage);
  expect(stage.ended).toHaveLength(1);
});

requirement("pages.passkey-offer", "no page at an IP address names passkeys, which browsers do not have there", async () => {
  for (const publicUrl of ["http://127.0.0.1:9011", "http://[::1]:9011", "https://203.0.113.7"]) {
    const stage = await startOffers(undefined, publicUrl);
    stage.ask();
    expect((await stage.visitor.open(login)).text).not.toContain("passkey");
    await stage.visitor.send(right);
    expect(stage.ended).toHaveLength(1);
  }
  const stage = await startOffers();
  stage.ask();
  expect((await stage.visitor.open(login)).text).toContain("Sign in with a passkey");
});

requirement("pages.passkey-offer", "says that the passkey becomes a second factor, where it does", async () => {
  const factor = "you will be asked for the passkey too";
  const bootstrapWorkflow = { enabled: true };
  const both = await startOffers({ bootstrapWorkflow, secondFactorWorkflow: { enabled: true } });
  await enter(both);
  expect(both.visitor.page.text).toContain(factor);
  const one = await startOffers({ bootstrapWorkflow });
  await enter(one);
  expect(one.visitor.page.text).not.toContain(factor);
});

test("a login with a second factor ends after the offer with all that was proved", async () => {
  const stage = await startOffers();
  await stage.addAuthenticator();
  await enter(stage);
  const offered = await stage.visitor.send({ code: codeAt(secret, stage.world.clock.instant) });
  expect(offered.title).toBe(title);
  await stage.visitor.send({ skip: "yes" });
  expect(stage.ended[0]?.login).toMatchObject({ amr: ["pwd", "otp", "mfa"], authenticationType: "TWO_FACTOR" });
});

test("a refused passkey is said, and the user can try again or go on", async () => {
  const stage = await startOffers();
  await enter(stage);
  const made = create(stage);
  for (const wrong of [
    { credential: "" },
    { credential: "{}" },
    { credential: '{"error":"NotAllowedError"}' },
    { ...made, rpId: "x" },
  ])
    expect((await stage.visitor.send(wrong)).text).toContain("The passkey was not created.");
  await stage.visitor.send(create(stage));
  expect(stage.ended).toHaveLength(1);
});

test("the page does not exist without a login that waits", async () => {
  const stage = await startOffers();
  expect((await stage.visitor.open(`${login}/new-passkey`)).title).toBe("Sign in to Shop");
  const token = stage.visitor.page.forms[0]?.fields.token ?? "";
  const answer = await stage.visitor.post(`${login}/new-passkey`, { token, skip: "yes", userId: ids.user });
  expect(answer.title).toBe("Sign in to Shop");
  expect(stage.ended).toEqual([]);
});

/** What secures an account while the page waits. */
const endings: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "another password": ({ world }) =>
    world.identity.users.patch({ userId: ids.user, patch: { user: { password: "another good password" } } }),
  "all tokens revoked": ({ world }) => world.identity.jwt.revoke({ userId: ids.user }),
  "another address": ({ world }) =>
    world.identity.users.patch({ userId: ids.user, patch: { user: { email: "other@example.com" } } }),
  deactivation: ({ world }) => world.identity.users.remove({ userId: ids.user }),
  "deactivation and return": async ({ world }) => {
    await world.identity.users.remove({ userId: ids.user });
    await world.caller.put(`/api/user/${ids.user}?reactivate=true`, {});
  },
  "removal and another user": async ({ world }) => {
    await world.identity.users.remove({ userId: ids.user, hardDelete: true });
    await world.identity.users.create({ userId: ids.user, user: { email: right.loginId, password } });
  },
};

for (const [name, end] of Object.entries(endings))
  requirement("pages.passkey-offer", `after ${name} the page that waits makes no passkey, and its user logs in`, async () => {
    for (const isReloaded of [true, false]) {
      const stage = await startOffers();
      const { visitor, world } = stage;
      expect(await enter(stage)).toBe(title);
      const made = create(stage);
      world.clock.advance(1_000);
      await end(stage);
      const next = isReloaded ? await visitor.open(`${login}/new-passkey`) : await visitor.send(made);
      expect(next.title).toBe("Sign in to Shop");
      const kept = await world.caller.get(`/api/webauthn?userId=${ids.user}`);
      expect([kept.at("credentials"), stage.ended]).toEqual([[], []]);
    }
  });

requirement("pages.passkey-offer", "a password alone is offered none beside a second factor, and the login goes on", async () => {
  const stage = await startOffers();
  await stage.addAuthenticator();
  await stage.setApplication({ multiFactorConfiguration: { loginPolicy: "Disabled" } });
  await enter(stage);
  expect(stage.ended[0]?.login).toMatchObject({ userId: ids.user, amr: ["pwd"] });
  const waiting = await startOffers();
  await waiting.setApplication({ multiFactorConfiguration: { loginPolicy: "Disabled" } });
  expect(await enter(waiting)).toBe(title);
  const made = create(waiting);
  await waiting.addAuthenticator();
  await waiting.visitor.send(made);
  expect(waiting.ended).toHaveLength(1);
  expect(await waiting.world.identity.passkeys.list({ userId: ids.user })).toEqual({ credentials: [] });
});
