import { coseAlgorithms } from "../../records/passkeys/public-key.js";
import type { Passkey } from "../../records/passkeys/schema.js";
import type { PasskeyCreationOptions, PasskeyRequestOptions } from "../../records/passkeys/web-authn.js";
import type { PasskeyWorkflow } from "../../records/settings/passkey-settings.js";
import type { RelyingParty } from "./relying-party.js";

/** What both kinds of options are made of. */
export interface Ceremony {
  readonly challenge: string;
  /** The passkeys of the user that are known. */
  readonly known: readonly Passkey[];
  readonly relyingParty: RelyingParty;
  /** How long the challenge is valid. */
  readonly seconds: number;
  readonly workflow: PasskeyWorkflow;
}

const attachments = { any: undefined, crossPlatform: "cross-platform", platform: "platform" } as const;

/** The options that make a passkey, in the form of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export function toCreationOptions(
  { challenge, known, relyingParty: { id, name }, seconds, workflow }: Ceremony,
  user: PasskeyCreationOptions["user"],
): PasskeyCreationOptions {
  return {
    attestation: "none",
    authenticatorSelection: {
      authenticatorAttachment: attachments[workflow.authenticatorAttachmentPreference],
      requireResidentKey: true,
      residentKey: "required",
      userVerification: workflow.userVerificationRequirement,
    },
    challenge,
    excludeCredentials: known.map(describe),
    extensions: { credProps: true },
    pubKeyCredParams: Object.values(coseAlgorithms).map((alg) => ({ alg, type: "public-key" })),
    rp: { id, name },
    timeout: seconds * 1_000,
    user,
  };
}

/** The options that ask for a signature, in the form of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export function toRequestOptions({ challenge, known, relyingParty, seconds, workflow }: Ceremony): PasskeyRequestOptions {
  return {
    allowCredentials: known.map(describe),
    challenge,
    rpId: relyingParty.id,
    timeout: seconds * 1_000,
    userVerification: workflow.userVerificationRequirement,
  };
}

function describe({ credentialId: id, transports }: Passkey): PasskeyRequestOptions["allowCredentials"][number] {
  return { id, transports, type: "public-key" };
}

/** The user handle of new passkeys: the 16 bytes of the user's id, in base64url. It says nothing about the user. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url");
}
