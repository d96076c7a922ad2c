// The second step of a login by a passkey: what the script of the page does, an authenticator in software does here.
import { expect } from "vitest";
import { SoftwareAuthenticator } from "../support/authenticator.js";
import { ids, password } from "../support/logins.js";
import { register } from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { login, type Stage, startStage, uid } from "./support/stage.js";

const right = { loginId: "ann@example.com", password };
const page = { origin: "http://localhost", rpId: "localhost" };

interface PasskeyStage extends Stage {
  readonly authenticator: SoftwareAuthenticator;
  /** The answer of the authenticator to the options of the page. */
  readonly sign: (changes?: { readonly signCount?: number }) => { readonly credential: string };
}

async function startWithPasskey(): Promise<PasskeyStage> {
  const stage = await startStage();
  const secondFactorWorkflow = { enabled: true };
  await stage.setTenant({ webAuthnConfiguration: { enabled: true, relyingPartyId: page.rpId, secondFactorWorkflow } });
  const authenticator = new SoftwareAuthenticator("ES256", page);
  await register(stage.world.caller, authenticator, { page });
  const sign: PasskeyStage["sign"] = (changes = {}) => {
    const options: unknown = JSON.parse(stage.visitor.page.find(/data-options="([^"]*)"/));
    return { credential: JSON.stringify(authenticator.get(options as { readonly challenge: string }, changes)) };
  };
  return { ...stage, authenticator, sign };
}

requirement("passkey.second-step", "the page asks for it at once where it is the only method", async () => {
  const { ended, sign, visitor } = await startWithPasskey();
  await visitor.open(login);
  const asked = await visitor.send(right);
  expect([asked.title, asked.url]).toEqual(["Second step", `${login}/two-factor-passkey`]);
  expect(asked.text).toContain("Passkeys need scripts");
  await visitor.send({ ...sign(), trust: "true" });
  const amr = ["pwd", "swk", "mfa"];
  expect(ended).toEqual([{ uid, login: { userId: ids.user, amr, authenticationType: "TWO_FACTOR", remember: true } }]);
});

requirement("passkey.second-step", "the page trusts the device that showed it", async () => {
  const { ask, ended, sign, visitor } = await startWithPasskey();
  await visitor.open(login);
  await visitor.send(right);
  await visitor.send({ ...sign(), trust: "true" });
  ask();
  await visitor.open(login);
  await visitor.send(right);
  expect(ended).toHaveLength(2);
});

requirement("passkey.second-step", "the page shows it beside the other methods", async () => {
  const stage = await startWithPasskey();
  const { ended, visitor, world } = stage;
  await stage.addAuthenticator();
  await visitor.open(login);
  const choice = await visitor.send(right);
  expect(choice.text).toContain("Passkey of this device or a security key Code of your authenticator app");
  const asked = await visitor.send({ methodId: "passkey" });
  const others = await visitor.open(asked.link("Use another way"));
  const [, app = ""] = [...others.response.body.matchAll(/name="methodId" value="([^"]*)"/g)].map(([, id]) => id);
  await visitor.send({ methodId: app });
  await visitor.send({ code: codeAt(secret, world.clock.instant) });
  expect(ended[0]?.login).toMatchObject({ amr: ["pwd", "otp", "mfa"] });
});

requirement("passkey.second-step-refused", "the page says that it failed, and the next try has another challenge", async () => {
  const { ended, sign, visitor, world } = await startWithPasskey();
  await visitor.open(login);
  await visitor.send(right);
  const used = sign();
  for (const wrong of [
    { credential: "" },
    { credential: "{}" },
    { credential: '{"error":"NotAllowedError"}' },
    { credential: "[" },
  ])
    expect((await visitor.send(wrong)).text).toContain("The passkey did not work.");
  const made = sign();
  const tampered = made.credential.replace(/"signature":"[^"]{9}/, '"signature":"AAAAAAAAA');
  expect((await visitor.send({ credential: tampered })).text).toContain("The passkey did not work.");
  expect((await visitor.send(made)).text).toContain("The passkey did not work.");
  expect(ended).toEqual([]);
  expect(sign().credential).not.toBe(used.credential);
  world.clock.advance(301_000);
  expect((await visitor.send(sign())).title).toBe("Sign in to Shop");
});

requirement("passkey.second-step-refused", "the page does not exist without a login that waits", async () => {
  const { visitor } = await startWithPasskey();
  expect((await visitor.open(`${login}/two-factor-passkey`)).title).toBe("Sign in to Shop");
});
