/** docs/passkeys.md: the code of a server, and that of a page with an authenticator in place of the browser's. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { simpleWebAuthn } from "latchkey/passkeys";
import type { AssertedCredential, CreatedCredential } from "latchkey/types";
import { createAuthenticator } from "../passkeys/authenticator.ts";

const storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const apiKey = "key-of-the-guide-with-32-characters";
const identity = await createIdentityService({ storage, secret, apiKey, passkeys: simpleWebAuthn() });

const { tenants } = await identity.tenants.list();
const tenantId = tenants[0]?.id ?? "";
await identity.tenants.patch({
  tenantId,
  patch: {
    tenant: {
      webAuthnConfiguration: {
        enabled: true,
        relyingPartyId: "example.com",
        relyingPartyName: "Example",
        bootstrapWorkflow: { enabled: true },
        reauthenticationWorkflow: { enabled: true },
        secondFactorWorkflow: { enabled: true },
      },
    },
  },
});
const { application } = await identity.applications.create({ application: { name: "Shop" } });
const applicationId = application.id;
const created = await identity.users.create({ user: { email: "ann@example.com", password: "correct horse battery" } });
const userId = created.user.id;
const origin = "https://example.com";
const rpId = "example.com";

// What a browser has.
const parse = <Options>(options: Options): Options => options;
const PublicKeyCredential = { parseCreationOptionsFromJSON: parse, parseRequestOptionsFromJSON: parse };
const navigator = { credentials: createAuthenticator("example.com") };
const sent: object[] = [];
const send = async (credential: object): Promise<void> => void sent.push(credential);

{
  const { options } = await identity.passkeys.startRegistration({ userId, displayName: "My phone" });
  {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const credential = await navigator.credentials.create({ publicKey });
    await send(credential.toJSON());
  }
  const credential = sent.pop() as CreatedCredential;
  await identity.passkeys.completeRegistration({ userId, credential, origin: "https://example.com", rpId: "example.com" });
}

async function signInBrowser(options: { readonly challenge: string }): Promise<AssertedCredential> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  await send(credential.toJSON());
  return sent.pop() as AssertedCredential;
}

{
  const { options } = await identity.passkeys.start({ applicationId, workflow: "bootstrap" });
  const credential = await signInBrowser(options);
  const answer = await identity.passkeys.login({ credential, origin: "https://example.com", rpId: "example.com" });
  assert("token" in answer);
}

{
  const waiting = await identity.logins.login({ applicationId, loginId: "ann@example.com", password: "correct horse battery" });
  assert("twoFactorId" in waiting && waiting.passkeyAllowed === true);
  const { twoFactorId } = waiting;
  const { options } = await identity.twoFactor.startPasskey({ twoFactorId });
  const credential = await signInBrowser(options);
  const answer = await identity.twoFactor.login({ twoFactorId, credential, origin: "https://example.com", rpId: "example.com" });
  assert("token" in answer);
}

{
  const { options } = await identity.passkeys.start({ userId, workflow: "reauthentication", state: { payment: 42 } });
  const credential = await signInBrowser(options);
  const { credential: passkey, state } = await identity.passkeys.assert({ credential, origin, rpId });
  if (passkey.userId !== userId || state?.payment !== 42) throw new Error("This is not the confirmation of the payment.");
}

{
  const { credentials } = await identity.passkeys.list({ userId });
  for (const { id } of credentials) await identity.passkeys.remove({ passkeyId: id });
  assert.equal(credentials.length, 1);
}

simpleWebAuthn({ origins: ["https://login.example.com", "android:apk-key-hash:…"] });

await identity.close();
