import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { simpleWebAuthn } from "latchkey/passkeys";
import { findPackage, loadPackage } from "latchkey/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { SoftwareAuthenticator, testPage } from "../support/authenticator.js";
import { requirement } from "../support/requirement.js";

const challenge = Buffer.alloc(32).toString("base64url");
const expected = { challenge, origin: testPage.origin, relyingPartyId: testPage.rpId, requiresUserVerification: true };

describe("simpleWebAuthn", () => {
  test("refuses options that cannot be right", () => {
    expect(() => simpleWebAuthn({ origin: "https://example.com" } as never)).toThrow("Did you mean origins?");
    for (const origin of ["example.com", "https://example.com/", "http://example.com", "https://example.com/path", 7])
      expect(() => simpleWebAuthn({ origins: [origin as string] })).toThrow(TypeError);
    const origins = ["https://login.example.com:8443", "android:apk-key-hash:AAAA"];
    expect(simpleWebAuthn({ origins }).origins).toEqual(origins);
  });

  test("checks a passkey, and what it signs", async () => {
    const authenticator = new SoftwareAuthenticator("ES384");
    const { id, response } = authenticator.create({ challenge, rp: { id: testPage.rpId }, user: { id: "AAAA" } });
    const verifier = simpleWebAuthn();
    const made = await verifier.verifyAttestation({ id, ...response }, expected);
    const flags = { isBackedUp: false, isBackupEligible: false, isUserVerified: true, signCount: 0 };
    expect(made).toEqual({
      kind: "ok",
      passkey: { algorithm: "ES384", attestationType: "none", publicKey: authenticator.pem, ...flags },
    });
    const signed = authenticator.get({ challenge }, { signCount: 3 });
    const key = { algorithm: "ES384", publicKey: authenticator.pem } as const;
    const answer = await verifier.verifyAssertion({ id, ...signed.response }, expected, key);
    expect(answer).toEqual({ flags: { ...flags, signCount: 3 }, kind: "ok" });
    const other = { algorithm: "ES384", publicKey: new SoftwareAuthenticator("ES384").pem } as const;
    expect(await verifier.verifyAssertion({ id, ...signed.response }, expected, other)).toMatchObject({ kind: "refused" });
  });

  requirement("passkey.embedded", "refuses what was made in a page that another site has embedded", async () => {
    const authenticator = new SoftwareAuthenticator();
    const verifier = simpleWebAuthn();
    const rp = { challenge, rp: { id: testPage.rpId }, user: { id: "AAAA" } };
    const refused = { kind: "refused", reason: "The page was embedded in one of another origin." };
    const made = authenticator.create(rp, { crossOrigin: true });
    expect(await verifier.verifyAttestation({ id: made.id, ...made.response }, expected)).toEqual(refused);
    const { id } = authenticator.create(rp);
    const signed = authenticator.get({ challenge }, { crossOrigin: true });
    const key = { algorithm: "ES256", publicKey: authenticator.pem } as const;
    expect(await verifier.verifyAssertion({ id, ...signed.response }, expected, key)).toEqual(refused);
  });

  test("says in one line why it refuses", async () => {
    const { id, response } = new SoftwareAuthenticator().create(
      { challenge, rp: { id: testPage.rpId }, user: { id: "AAAA" } },
      { origin: `https://evil.example/\n${"é".repeat(9_000)}` },
    );
    const answer = await simpleWebAuthn().verifyAttestation({ id, ...response }, expected);
    expect(answer).toMatchObject({ kind: "refused", reason: expect.stringMatching(/^[\x20-\x7e]{1,500}$/) });
  });
});

requirement("passkey.peer", "a missing library is named with the command that installs it", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-peer-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const from = pathToFileURL(join(folder, "module.js")).href;
  const advice = "latchkey/passkeys needs the package @simplewebauthn/server: npm install @simplewebauthn/server";
  for (const find of [findPackage, loadPackage])
    expect(() => find(from, "@simplewebauthn/server", "latchkey/passkeys")).toThrow(advice);
});
