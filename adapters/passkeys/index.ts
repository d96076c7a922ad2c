import { assertKnownOptions } from "latchkey";
import type { PasskeyFailure, PasskeyVerifier } from "latchkey/ports";
import { algorithms, fromCose, toCose } from "./cose-key.js";
import { assertInstalled, type Helpers, type Library, loadLibrary } from "./library.js";

/** Options of {@link simpleWebAuthn}. */
export interface SimpleWebAuthnOptions {
  /**
   * Allowed page origins beside `https://<relying party id>` and the origin of `publicUrl`, such as `https://login.example.com`
   * and `android:apk-key-hash:…`. Default: none.
   */
  readonly origins?: readonly string[] | undefined;
}

/**
 * Verifies passkeys with `@simplewebauthn/server`: `createIdentityService({ passkeys: simpleWebAuthn(), … })`. Loads the library
 * at the first verification.
 * @throws TypeError when the library is not installed, with the command that installs it; for an unknown or invalid option.
 */
export function simpleWebAuthn(options: SimpleWebAuthnOptions = {}): PasskeyVerifier {
  assertKnownOptions("", options, { origins: "list" });
  const { origins = [] } = options;
  for (const origin of origins) assertOrigin(origin);
  assertInstalled();
  return {
    origins: [...origins],
    verifyAssertion: async (...given) => checkAssertion(loadLibrary())(...given),
    verifyAttestation: async (...given) => checkAttestation(loadLibrary(), ...given),
  };
}

function assertOrigin(origin: unknown): void {
  const url = typeof origin === "string" ? URL.parse(origin) : null;
  const isApp = url !== null && !/^https?:$/.test(url.protocol);
  const isPage = url?.protocol === "https:" && url.origin === origin;
  if (!isApp && !isPage)
    throw new TypeError("origins must hold origins such as https://login.example.com or android:apk-key-hash:….");
}

type Arguments<Name extends "verifyAssertion" | "verifyAttestation"> = Parameters<PasskeyVerifier[Name]>;
type Answer<Name extends "verifyAssertion" | "verifyAttestation"> = Awaited<ReturnType<PasskeyVerifier[Name]>>;

async function checkAttestation(
  library: Library & Helpers,
  { attestationObject, clientDataJSON, id }: Arguments<"verifyAttestation">[0],
  expected: Arguments<"verifyAttestation">[1],
): Promise<Answer<"verifyAttestation">> {
  try {
    if (isEmbedded(library, clientDataJSON)) return refused(embedded);
    const attestationType = readAttestation(library, attestationObject);
    if (attestationType === undefined) return refused("The attestation is neither none nor self. Ask for none.");
    const { registrationInfo, verified } = await library.verifyRegistrationResponse({
      ...toExpectation(expected),
      response: { ...common(id), response: { attestationObject, clientDataJSON } },
      supportedAlgorithmIDs: [...algorithms.keys()],
    });
    if (!verified) return refused("The attestation is not valid.");
    const { credential, userVerified: isUserVerified } = registrationInfo;
    if (credential.id !== id) return refused("The id is not that of the authenticator.");
    const flags = { ...toFlags(registrationInfo), isUserVerified, signCount: credential.counter };
    return { kind: "ok", passkey: { ...fromCose(library, credential.publicKey), ...flags, attestationType } };
  } catch (error) {
    return refused(messageOf(error));
  }
}

// The service needs nothing from certificates, and the library would call the addresses in them.
function readAttestation({ decodeAttestationObject }: Helpers, text: string): "none" | "self" | undefined {
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(text, "base64url")));
  const format = attestation.get("fmt");
  if (format === "none") return "none";
  return format === "packed" && attestation.get("attStmt").get("x5c") === undefined ? "self" : undefined;
}

function checkAssertion(library: Library & Helpers): PasskeyVerifier["verifyAssertion"] {
  return async ({ authenticatorData, clientDataJSON, id, signature }, expected, { algorithm, publicKey }) => {
    try {
      if (isEmbedded(library, clientDataJSON)) return refused(embedded);
      const { authenticationInfo, verified } = await library.verifyAuthenticationResponse({
        ...toExpectation(expected),
        // The caller compares the sign count in the transaction that stores it.
        credential: { counter: 0, id, publicKey: toCose(library, algorithm, publicKey) },
        response: { ...common(id), response: { authenticatorData, clientDataJSON, signature } },
      });
      if (!verified) return refused("The signature is not valid.");
      const { newCounter: signCount, userVerified: isUserVerified } = authenticationInfo;
      return { flags: { ...toFlags(authenticationInfo), isUserVerified, signCount }, kind: "ok" };
    } catch (error) {
      return refused(messageOf(error));
    }
  };
}

const embedded = "The page was embedded in one of another origin.";

// The browser reports embedding (Web Authentication, 5.8.1), but the library ignores it: another site could trick a user into
// confirming an action here.
function isEmbedded({ decodeClientDataJSON }: Helpers, clientDataJSON: string): boolean {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON) as { crossOrigin?: boolean; topOrigin?: string };
  return crossOrigin === true || topOrigin !== undefined;
}

function toExpectation({ challenge, origin, relyingPartyId, requiresUserVerification }: Arguments<"verifyAssertion">[1]) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: relyingPartyId,
    requireUserVerification: requiresUserVerification,
  };
}

function common(id: string) {
  return { clientExtensionResults: {}, id, rawId: id, type: "public-key" } as const;
}

interface BackupFlags {
  readonly credentialBackedUp: boolean;
  readonly credentialDeviceType: string;
}

function toFlags({ credentialBackedUp: isBackedUp, credentialDeviceType }: BackupFlags) {
  return { isBackedUp, isBackupEligible: credentialDeviceType === "multiDevice" };
}

function refused(reason: string): PasskeyFailure {
  return { kind: "refused", reason };
}

// The library quotes its input: one line of readable text is enough for a log.
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : "";
  const line = text.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, 500);
  return line === "" ? "The answer cannot be read." : line;
}
