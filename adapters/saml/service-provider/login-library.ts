import type { SAML, SamlConfig } from "@node-saml/node-saml";
import { SignInError } from "latchkey";
import type { SignInHost, SignInKey } from "latchkey/ports";
import { loadNodeSaml } from "./load-node-saml.js";
import type { ProviderSettings } from "./provider-settings.js";

/** One login at one identity provider. */
export interface LoginSettings {
  readonly settings: ProviderSettings;
  /** The URL that receives the provider's response. */
  readonly consumerUrl: string;
  /** The entity id of this service. */
  readonly entityId: string;
  /** The id of the request; undefined for an IdP-initiated login. */
  readonly requestId: string | undefined;
}

/**
 * Returns the library configured for one login, with its loose defaults closed: a response must answer the request, an assertion
 * must name this service, and signatures are required. Instants are checked elsewhere, with the service's clock.
 */
export async function createLibrary(login: LoginSettings, host: SignInHost, more: Partial<SamlConfig>): Promise<SAML> {
  const { settings, consumerUrl, entityId, requestId } = login;
  const { SAML, ValidateInResponseTo } = loadNodeSaml();
  return new SAML({
    callbackUrl: consumerUrl,
    entryPoint: settings.endpoint,
    issuer: entityId,
    audience: entityId,
    idpCert: await findVerificationKeys(settings, host),
    identifierFormat: settings.nameIdFormat ?? null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: -1,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    validateInResponseTo: requestId === undefined ? ValidateInResponseTo.never : ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
    generateUniqueId: () => requestId ?? "",
    ...more,
  });
}

// The service stores pending logins itself: the library only knows the request of this login, without an end.
function onlyRequest(requestId: string | undefined): SamlConfig["cacheProvider"] {
  return {
    saveAsync: async () => null,
    getAsync: async (id) => (id === requestId ? "9999-12-31T00:00:00Z" : null),
    removeAsync: async (id) => id,
  };
}

async function findVerificationKeys({ verificationKeyIds }: ProviderSettings, host: SignInHost): Promise<string[]> {
  const keys = await Promise.all(verificationKeyIds.map((id) => findRsaKey(id, host)));
  return keys.map(({ verificationKey }) => verificationKey.export({ type: "spki", format: "pem" }).toString());
}

/** An RSA key with its public half. */
export type RsaKey = SignInKey & { readonly verificationKey: NonNullable<SignInKey["verificationKey"]> };

/** Returns an RSA key of the service. @throws SignInError `refused` for any other key. */
export async function findRsaKey(keyId: string, host: SignInHost): Promise<RsaKey> {
  const key = await host.findKey(keyId);
  if (key?.verificationKey?.asymmetricKeyType !== "rsa")
    throw new SignInError("refused", `The key ${keyId} of the identity provider is no RSA key.`);
  return key as RsaKey;
}

/** Returns the private half of an RSA key as PEM. @throws SignInError `refused` for a key without one. */
export async function findPrivateKey(keyId: string, host: SignInHost): Promise<string> {
  const { signingKey } = await findRsaKey(keyId, host);
  if (signingKey === undefined) throw new SignInError("refused", `The key ${keyId} has no private half.`);
  return signingKey.export({ type: "pkcs8", format: "pem" }).toString();
}
