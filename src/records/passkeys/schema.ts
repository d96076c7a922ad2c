import type * as z from "zod";
import {
  data,
  flag,
  id,
  instant,
  integer,
  ipAddress,
  list,
  maxNameLength,
  object,
  option,
  requiredText,
  type Schema,
  text,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { PasskeyAlgorithm } from "../../ports/passkeys.js";
import { relyingPartyId } from "../settings/passkey-schema.js";
import { maxPasskeysPerUser } from "../settings/passkey-settings.js";
import { loginIdTypes } from "../users/login-id-types.js";
import type { LoginIdType } from "../users/schema.js";
import { passkeyAlgorithms, toPasskeyPem } from "./public-key.js";
import type { AssertedCredential, CreatedCredential } from "./web-authn.js";

// Other families import these types from this module.
export type { AssertedCredential, PasskeyRequestOptions } from "./web-authn.js";

/** The purpose of a passkey ceremony: a login on any device, a repeated login on a known device, or both. */
export type PasskeyWorkflowName = "bootstrap" | "general" | "reauthentication";

const workflowNames: readonly PasskeyWorkflowName[] = ["bootstrap", "general", "reauthentication"];

/** The attestation of a new passkey. This service requests `none`; the others come from imports. */
export type AttestationType = "attestationCa" | "basic" | "ecdaa" | "none" | "self";

const attestationTypes: readonly AttestationType[] = ["attestationCa", "basic", "ecdaa", "none", "self"];

/** The stored fields of a passkey (docs/reference/passkeys.md#records). */
export interface PasskeyFields {
  /** The algorithm of the key, by its COSE name. */
  readonly algorithm: PasskeyAlgorithm;
  /** Default `none`. */
  readonly attestationType: AttestationType;
  /** Whether the authenticator can verify the user, such as with a PIN or a fingerprint. Default false. */
  readonly authenticatorSupportsUserVerification: boolean;
  /** Whether the passkey can be copied to other devices. Default false. */
  readonly backupEligible: boolean;
  /** Whether the passkey is copied to other devices. Default false. */
  readonly backupState: boolean;
  /** The credential id of the authenticator, in base64url: at most 1,364 characters, unique in the tenant. */
  readonly credentialId: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Whether the authenticator finds the passkey without its id. Default false. */
  readonly discoverable: boolean;
  /** The name that the user gave it, such as `My phone`. */
  readonly displayName?: string | undefined;
  /** The last use, in epoch milliseconds; absent before the first one. */
  readonly lastUseInstant?: number | undefined;
  /** The name that the authenticator shows. Default: a login id of the user. */
  readonly name?: string | undefined;
  /** The public key: SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
  /** The RP ID. Default: that of the tenant. */
  readonly relyingPartyId: string;
  /** The signature counter; 0 for authenticators that do not count. Default 0. */
  readonly signCount: number;
  /** The transports of the authenticator: `internal`, `hybrid`, `usb`, `nfc`, `ble`. */
  readonly transports: readonly string[];
  /** The browser that created it. */
  readonly userAgent?: string | undefined;
  /** The user of the passkey. */
  readonly userId: string;
}

/** A passkey of a user (docs/reference/passkeys.md#records). */
export interface Passkey extends BaseRecord, PasskeyFields {
  /** The tenant of the user. */
  readonly tenantId: string;
}

type NeededField = "algorithm" | "credentialId" | "publicKey" | "userId";

/** A passkey from another system. */
export interface ImportedPasskey extends Partial<Omit<PasskeyFields, NeededField>>, Pick<PasskeyFields, NeededField> {
  /** The UUID of the record. Default: a new one. */
  readonly id?: string | undefined;
  /** The creation, in epoch milliseconds. Default: now. */
  readonly insertInstant?: number | undefined;
  /** The user handle in the authenticator, in base64url. Default: the user's id, as 16 bytes or as text. */
  readonly userHandle?: string | undefined;
}

/** A passkey of an imported user: like an imported passkey, but with a required RP ID. */
export interface ImportedUserPasskey
  extends Partial<Omit<PasskeyFields, NeededField | "relyingPartyId">>,
    Pick<PasskeyFields, "algorithm" | "credentialId" | "publicKey" | "relyingPartyId">,
    Pick<ImportedPasskey, "id" | "insertInstant" | "userHandle"> {}

/** A passkey of an imported user with defaults applied. */
export type ParsedUserPasskey = Omit<ParsedPasskeyRequest["credential"], "relyingPartyId" | "userId"> &
  Pick<PasskeyFields, "relyingPartyId">;

/** The body of an import. */
export interface PasskeyImportRequest {
  /** The passkeys, limited by the size of the body only. */
  readonly credentials: readonly ImportedPasskey[];
  /** Ignored: constraints always apply. */
  readonly validateDbConstraints?: boolean | undefined;
}

/** A passkey to store, with defaults applied. */
export interface ParsedPasskeyRequest {
  readonly credential: Omit<ImportedPasskey, DefaultedField> & Pick<PasskeyFields, DefaultedField>;
}

type DefaultedField =
  | "attestationType"
  | "authenticatorSupportsUserVerification"
  | "backupEligible"
  | "backupState"
  | "data"
  | "discoverable"
  | "signCount"
  | "transports";

/** The body that starts a registration. */
export interface PasskeyRegistrationStartRequest {
  /** The name that the user gives the passkey, such as `My phone`: 1 to 191 characters. */
  readonly displayName: string;
  /** The name that the authenticator shows. Default: the user's email, username or phone number. */
  readonly name?: string | undefined;
  /** The browser's `navigator.userAgent`. Default: the header `User-Agent` of a call with a user's token. */
  readonly userAgent?: string | undefined;
  /** The user. With a user's token: the user of the token. */
  readonly userId?: string | undefined;
  /** Default `general`. */
  readonly workflow?: PasskeyWorkflowName | undefined;
}

/** The page that created the response. */
interface PasskeyPage {
  /** The page's `location.origin`. */
  readonly origin: string;
  /** The RP ID of the options. */
  readonly rpId: string;
}

/** The body that completes a registration. */
export interface PasskeyRegistrationRequest extends PasskeyPage {
  /** The result of `navigator.credentials.create()`, by its `toJSON()`. */
  readonly credential: CreatedCredential;
  /** The user. With a user's token: the user of the token. */
  readonly userId?: string | undefined;
}

/** The body that starts a login or a step-up. */
export interface PasskeyStartRequest {
  /** The application that the user logs in to. */
  readonly applicationId?: string | undefined;
  /** The id of the only passkey that may respond. */
  readonly credentialId?: string | undefined;
  /** The login id of the user. Default: any user; the response then identifies the user. */
  readonly loginId?: string | undefined;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** Returned by the completion. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** The user. With a user's token: the user of the token. */
  readonly userId?: string | undefined;
  /** Default `general`. */
  readonly workflow?: PasskeyWorkflowName | undefined;
}

/** The body of a step-up: the response to a start. */
export interface PasskeyAssertRequest extends PasskeyPage {
  /** The result of `navigator.credentials.get()`, by its `toJSON()`. */
  readonly credential: AssertedCredential;
}

/** The body of a login with a passkey: the response to a start. */
export interface PasskeyLoginRequest extends PasskeyAssertRequest {
  /** The IP address of the user. Ignored from callers without a credential. */
  readonly ipAddress?: string | undefined;
  /** Metadata of the device, stored with the refresh token. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** As for a login with a password. */
  readonly newDevice?: boolean | undefined;
  /** Whether to issue no tokens. Default false. */
  readonly noJWT?: boolean | undefined;
  /** Replaces the second factor on a trusted device, if the authenticator did not verify the user. */
  readonly twoFactorTrustId?: string | undefined;
}

/** The maximum lengths in characters. A credential id has at most 1,023 bytes (Web Authentication, 5.8.3). */
const longest = { attestation: 65_536, credentialId: 1_364, part: 8_192, publicKey: 4_096, token: 1_000, userAgent: 1_000 };
const maxSignCount = 4_294_967_295;

const base64url = (maximum: number): z.ZodString => requiredText(maximum).regex(/^[\w-]*$/, { error: "invalid" });

const transports = (): Schema<string[] | undefined> =>
  list(text().regex(/^[a-z-]{1,32}$/, { error: "invalid" }))
    .max(10, { error: "tooMany" })
    .optional();

const workflow = (): Schema<PasskeyWorkflowName> => option(workflowNames).default("general");

const page = () => ({ origin: requiredText(longest.token), rpId: requiredText(longest.token) });

const passkeyMembers = () => ({
  algorithm: option(passkeyAlgorithms),
  attestationType: option(attestationTypes).default("none"),
  authenticatorSupportsUserVerification: flag().default(false),
  backupEligible: flag().default(false),
  backupState: flag().default(false),
  credentialId: base64url(longest.credentialId),
  data: data().default({}),
  discoverable: flag().default(false),
  displayName: text().max(maxNameLength, { error: "tooLong" }).optional(),
  id: id().optional(),
  insertInstant: instant().optional(),
  lastUseInstant: instant().optional(),
  name: text().max(maxNameLength, { error: "tooLong" }).optional(),
  publicKey: requiredText(longest.publicKey),
  signCount: integer(0, maxSignCount).default(0),
  transports: transports().default([]),
  userAgent: text().max(longest.userAgent, { error: "tooLong" }).optional(),
  userHandle: base64url(88).optional(),
});

const importedPasskey = (): Schema<ParsedPasskeyRequest["credential"]> =>
  object({ ...passkeyMembers(), relyingPartyId: relyingPartyId().optional(), userId: id() });

/** The schema of the passkeys of an imported user. */
export const userPasskeys = (): Schema<readonly ParsedUserPasskey[]> =>
  list(
    object({ ...passkeyMembers(), relyingPartyId: relyingPartyId() }).refine(
      ({ algorithm, publicKey }) => toPasskeyPem(algorithm, publicKey) !== undefined,
      { error: "invalid", path: ["publicKey"] },
    ),
  )
    .max(maxPasskeysPerUser, { error: "tooMany" })
    .default([]);

export const passkeyRequest: Schema<ParsedPasskeyRequest> = object({ credential: importedPasskey() });

export const passkeyImportRequest: Schema<{ readonly credentials: readonly ParsedPasskeyRequest["credential"][] }> = object({
  credentials: list(importedPasskey()),
});

export const registrationStartRequest: Schema<PasskeyRegistrationStartRequest & { readonly workflow: PasskeyWorkflowName }> =
  object({
    displayName: requiredText(maxNameLength),
    name: text().max(maxNameLength, { error: "tooLong" }).optional(),
    userAgent: text().max(longest.userAgent, { error: "tooLong" }).optional(),
    userId: id().optional(),
    workflow: workflow(),
  });

export const registrationRequest: Schema<PasskeyRegistrationRequest> = object({
  ...page(),
  credential: object({
    clientExtensionResults: data().optional(),
    id: base64url(longest.credentialId),
    response: object({
      attestationObject: base64url(longest.attestation),
      clientDataJSON: base64url(longest.part),
      transports: transports(),
    }),
    transports: transports(),
    type: option(["public-key"]).optional(),
  }),
  userId: id().optional(),
});

export const startRequest: Schema<PasskeyStartRequest & { readonly workflow: PasskeyWorkflowName }> = object({
  applicationId: id().optional(),
  credentialId: id().optional(),
  loginId: requiredText(maxNameLength).optional(),
  loginIdTypes: list(option(loginIdTypes)).min(1, { error: "empty" }).max(3, { error: "tooMany" }).optional(),
  state: data().optional(),
  userId: id().optional(),
  workflow: workflow(),
});

/** The fields of an assertion response. */
export const assertion = (): { readonly [Name in keyof PasskeyAssertRequest]: Schema<PasskeyAssertRequest[Name]> } => ({
  ...page(),
  credential: object({
    id: base64url(longest.credentialId),
    response: object({
      authenticatorData: base64url(longest.part),
      clientDataJSON: base64url(longest.part),
      signature: base64url(longest.part),
      userHandle: base64url(88).optional(),
    }),
    type: option(["public-key"]).optional(),
  }),
});

export const assertRequest: Schema<PasskeyAssertRequest> = object(assertion());

export const loginRequest: Schema<PasskeyLoginRequest & { readonly noJWT: boolean }> = object({
  ...assertion(),
  ipAddress: ipAddress().optional(),
  metaData: data().optional(),
  newDevice: flag().optional(),
  noJWT: flag().default(false),
  twoFactorTrustId: requiredText(longest.token).optional(),
});
