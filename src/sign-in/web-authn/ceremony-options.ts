import { coseAlgorithms } from "../../records/passkeys/public-key.js";
import type { Passkey } from "../../records/passkeys/schema.js";
import type { PasskeyCreationOptions, PasskeyRequestOptions } from "../../records/passkeys/web-authn.js";
import type { PasskeyWorkflow } from "../../records/settings/passkey-settings.js";
import type { RelyingParty } from "./relying-party.js";

/** The input of creation options and request options. */
export interface Ceremony {
  readonly challenge: string;
  readonly known: readonly Passkey[];
  readonly relyingParty: RelyingParty;
  /** The lifetime of the challenge, in seconds. */
  readonly seconds: number;
  readonly workflow: PasskeyWorkflow;
}

const attachments = { any: undefined, crossPlatform: "cross-platform", platform: "platform" } as const;

/** Creation options in the form of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
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

/** Request options in the form of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
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

/** The user handle of new passkeys: the 16 bytes of the user's id, in base64url. It reveals nothing about the user. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url");
}
