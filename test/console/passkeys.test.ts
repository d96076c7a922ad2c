// A real browser makes and uses a passkey, by the authenticator of its development tools.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { simpleWebAuthn } from "latchkey/passkeys";
import { chromium, type Page } from "playwright-core";
import { expect, inject, test } from "vitest";

const password = "correct horse battery";
const rpId = "localhost";

/** A server with the API and one empty page, on a port of its own. */
async function serve(identity: IdentityService): Promise<{ readonly origin: string; readonly server: Server }> {
  const answer = nodeHandler(identity);
  const server = createServer((request, response) => {
    if (request.url === "/") response.setHeader("content-type", "text/html").end("<!doctype html><title>Page</title>");
    else void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

/** A tenant with passkeys for localhost, and a user who has a password. */
async function startService(): Promise<{ readonly identity: IdentityService; readonly userId: string }> {
  const identity = await createIdentityService({
    apiKey: "key-of-the-browser-test-0123456789",
    passkeys: simpleWebAuthn(),
    storage: memoryStorage(),
  });
  const { tenants } = await identity.tenants.list();
  const workflow = { authenticatorAttachmentPreference: "any", enabled: true } as const;
  const webAuthnConfiguration = {
    bootstrapWorkflow: workflow,
    enabled: true,
    reauthenticationWorkflow: workflow,
    relyingPartyId: rpId,
  };
  const tenantId = tenants.find(({ name }) => name === "Default")?.id ?? "";
  await identity.tenants.patch({ patch: { tenant: { webAuthnConfiguration } }, tenantId });
  const { user } = await identity.users.create({ user: { email: "ann@example.com", password } });
  return { identity, userId: user.id };
}

/** An authenticator in the device, which verifies its user. */
async function addAuthenticator(page: Page): Promise<void> {
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
}

/** Does in the page what docs/passkeys.md says. */
async function create(page: Page, options: object): Promise<object> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return made.toJSON() as object;
  }, options);
}

async function sign(page: Page, options: object): Promise<object> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON);
    const made = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return made.toJSON() as object;
  }, options);
}

test("a person makes a passkey, logs in with it and confirms an action", async () => {
  const { identity, userId } = await startService();
  const { origin, server } = await serve(identity);
  const browser = await chromium.connect(inject("chromium"));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(origin);
    await addAuthenticator(page);
    const started = await identity.passkeys.startRegistration({ displayName: "Browser", userId });
    const made = (await create(page, started.options)) as never;
    const { credential } = await identity.passkeys.completeRegistration({ credential: made, origin, rpId, userId });
    expect(credential).toMatchObject({
      authenticatorSupportsUserVerification: true,
      discoverable: true,
      transports: ["internal"],
      userId,
    });

    // Nobody is named: the passkey says who it is. The page calls the API, as somebody without a key.
    const { options } = await identity.passkeys.start({ workflow: "bootstrap" });
    const signed = await sign(page, options);
    const login = await page.evaluate(
      async (body) => {
        const init = { body: JSON.stringify(body), headers: { "content-type": "application/json" }, method: "POST" };
        return (await fetch("/api/webauthn/login", init)).json() as Promise<{ token: string; user: { id: string } }>;
      },
      { credential: signed, origin, rpId },
    );
    expect(login.user.id).toBe(userId);
    expect(login.token).toEqual(expect.any(String));

    const again = await identity.passkeys.start({ state: { payment: 42 }, userId, workflow: "reauthentication" });
    const confirmed = (await sign(page, again.options)) as never;
    const answer = await identity.passkeys.assert({ credential: confirmed, origin, rpId });
    expect(answer).toMatchObject({ credential: { userId }, state: { payment: 42 } });
    expect(answer.credential.signCount).toBeGreaterThan(credential.signCount);

    // The authenticator makes no second passkey of the user.
    const excluded = await identity.passkeys.startRegistration({ displayName: "Once more", userId });
    await expect(create(page, excluded.options)).rejects.toThrow("InvalidStateError");
  } finally {
    await context.close();
    server.close();
    await identity.close();
  }
});
