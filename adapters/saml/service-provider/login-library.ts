import type { SAML, SamlConfig } from "@node-saml/node-saml";
import { SignInError } from "latchkey";
import type { SignInHost, SignInKey } from "latchkey/ports";
import { loadNodeSaml } from "./load-node-saml.js";
import type { ProviderSettings } from "./provider-settings.js";

/** One login at one identity provider. */
export interface LoginSettings {
  readonly settings: ProviderSettings;
  /** Where the provider posts its response. */
  readonly consumerUrl: string;
  /** The entity id of this service. */
  readonly entityId: string;
  /** The id of the request; undefined for a login that the provider started. */
  readonly requestId: string | undefined;
}

/**
 * Returns the library, set up for one login. Its loose defaults are closed: a response must answer the request, an assertion must name this
 * service, and signatures are required. Instants are checked by our own code, by the clock of the service.
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

// The service remembers which login it began, and for how long: of all requests, the library knows that of this login alone, as one that never ends.
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

/** An RSA key. */
export type RsaKey = SignInKey & { readonly verificationKey: NonNullable<SignInKey["verificationKey"]> };

/** Returns an RSA key of the service. @throws SignInError `refused` where there is none. */
export async function findRsaKey(keyId: string, host: SignInHost): Promise<RsaKey> {
  const key = await host.findKey(keyId);
  if (key?.verificationKey?.asymmetricKeyType !== "rsa")
    throw new SignInError("refused", `The key ${keyId} of the identity provider is no RSA key.`);
  return key as RsaKey;
}

/** Returns the private half of an RSA key as PEM. @throws SignInError `refused` where there is none. */
export async function findPrivateKey(keyId: string, host: SignInHost): Promise<string> {
  const { signingKey } = await findRsaKey(keyId, host);
  if (signingKey === undefined) throw new SignInError("refused", `The key ${keyId} has no private half.`);
  return signingKey.export({ type: "pkcs8", format: "pem" }).toString();
}
