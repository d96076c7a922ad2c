import { SignInError } from "latchkey";
import type { SignInRecord } from "latchkey/ports";

/** The settings of an identity provider of the types `SAMLv2` and `SAMLv2IdPInitiated`, with defaults. */
export interface ProviderSettings {
  readonly id: string;
  /** Whether logins can start here, with a request. */
  readonly hasRequests: boolean;
  /** Whether the identity provider can start a login, without a request. */
  readonly hasInitiatedLogins: boolean;
  /** The login URL; undefined for a provider with only IdP-initiated logins. */
  readonly endpoint: string | undefined;
  /** Whether the browser posts the request. */
  readonly isPosted: boolean;
  /** The keys that verify the provider's signatures: during a certificate rotation, the old and the new one. */
  readonly verificationKeyIds: readonly string[];
  /** The key that signs requests; undefined for unsigned requests. */
  readonly signingKeyId: string | undefined;
  readonly canonicalForm: string;
  /** The key that decrypts assertions; undefined where they must not be encrypted. */
  readonly decryptionKeyId: string | undefined;
  /** The entity id of this service, if the record has one. */
  readonly entityId: string | undefined;
  /** The required entity id of the provider; undefined for any, since its key identifies it. */
  readonly providerEntityId: string | undefined;
  readonly nameIdFormat: string | undefined;
  /** The redirect parameter for the login id that the user typed. */
  readonly loginHintParameter: string | undefined;
  /** Other acceptable destinations of a response. */
  readonly alternateDestinations: readonly string[];
  readonly ignoresDestination: boolean;
  readonly claims: ClaimNames;
}

/** The attributes that identify the user. */
export interface ClaimNames {
  readonly uniqueId: string | undefined;
  readonly email: string | undefined;
  readonly username: string | undefined;
  readonly isNameIdEmail: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** Reads the settings of a stored provider. @throws SignInError `refused` without a key. */
export function readProviderSettings(provider: SignInRecord): ProviderSettings {
  const keyId = textAt(provider, "keyId");
  if (keyId === undefined) throw new SignInError("refused", "The identity provider has no keyId.");
  const initiated = membersAt(provider, "idpInitiatedConfiguration");
  const hasRequests = provider.type !== "SAMLv2IdPInitiated";
  const destination = membersAt(membersAt(provider, "assertionConfiguration"), "destination");
  return {
    id: provider.id,
    hasRequests,
    hasInitiatedLogins: !hasRequests || initiated.enabled === true,
    endpoint: textAt(provider, "idpEndpoint"),
    isPosted: provider.postRequest === true,
    verificationKeyIds: [keyId, ...textsAt(provider, "verificationKeyIds")],
    signingKeyId: provider.signRequest === true ? textAt(provider, "requestSigningKeyId") : undefined,
    canonicalForm: textAt(provider, "xmlSignatureC14nMethod") ?? "exclusive_with_comments",
    decryptionKeyId: keyOf(membersAt(provider, "assertionDecryptionConfiguration")),
    entityId: hasRequests ? textAt(provider, "issuer") : undefined,
    providerEntityId: hasRequests ? textAt(initiated, "issuer") : textAt(provider, "issuer"),
    nameIdFormat: textAt(provider, "nameIdFormat"),
    loginHintParameter: hintOf(membersAt(provider, "loginHintConfiguration")),
    alternateDestinations: destination.policy === "AllowAlternates" ? textsAt(destination, "alternates") : [],
    ignoresDestination: destination.policy === "Disabled",
    claims: {
      uniqueId: textAt(provider, "uniqueIdClaim"),
      email: textAt(provider, "emailClaim"),
      username: textAt(provider, "usernameClaim"),
      isNameIdEmail: provider.useNameIdForEmail === true,
    },
  };
}

function keyOf(decryption: Members): string | undefined {
  return decryption.enabled === true ? textAt(decryption, "keyTransportDecryptionKeyId") : undefined;
}

function hintOf(hint: Members): string | undefined {
  return hint.enabled === false ? undefined : (textAt(hint, "parameterName") ?? "login_hint");
}

function textAt(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsAt(members: Members, name: string): readonly string[] {
  const value = members[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function membersAt(members: Members, name: string): Members {
  const value = members[name];
  return typeof value === "object" && value !== null ? (value as Members) : {};
}
