// Passkeys on the pages: the authenticator is that of the browser's development tools.
import { expect } from "vitest";
import type { PasskeyCreationOptions } from "../../../src/records/passkeys/web-authn.js";
import { login } from "../../oidc-pages/support/stage.js";
import { expectOk } from "../../support/answer.js";
import { ids, password } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { type OpenPages, openPages } from "./open-pages.js";

/** Gives the browser an authenticator, and the user a passkey of it. */
async function registerPasskey({ page, stage, url }: OpenPages): Promise<void> {
  const { caller } = stage.world;
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      protocol: "ctap2",
      transport: "internal",
    },
  });
  const start = { displayName: "Browser", userId: ids.user };
  const options = expectOk(await caller.post("/api/webauthn/register/start", start)).at("options") as PasskeyCreationOptions;
  const credential = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return made.toJSON() as object;
  }, options as object);
  const made = { credential, origin: url, rpId: "localhost", userId: ids.user };
  expectOk(await caller.post("/api/webauthn/register/complete", made));
}

requirement("passkey.second-step", "a browser finishes a login with its passkey", async () => {
  await using opened = await openPages();
  const { appUrl, page, stage, url } = opened;
  const secondFactorWorkflow = { enabled: true };
  await stage.setTenant({ webAuthnConfiguration: { enabled: true, relyingPartyId: "localhost", secondFactorWorkflow } });
  await page.goto(url + login);
  await registerPasskey(opened);
  await page.fill('[name="loginId"]', "ann@example.com");
  await page.fill('[name="password"]', password);
  await Promise.all([page.waitForNavigation(), page.locator("form button").first().click()]);
  expect(await page.textContent("h1")).toBe("Second step");
  await page.locator("form button").first().click();
  await page.waitForURL(`${appUrl}/callback?**`);
  expect(stage.ended[0]?.login).toMatchObject({ amr: ["pwd", "swk", "mfa"], userId: ids.user });
});
