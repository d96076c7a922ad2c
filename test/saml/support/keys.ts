// RSA keys of identity providers and of this service, made once in a process.
import type { KeyObject, KeyPairKeyObjectResult } from "node:crypto";
import type { SignInHost, SignInKey } from "latchkey/ports";
import { sharedRsaPair } from "../../support/keys.js";

/** A pair of RSA keys. */
export interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The private half in PEM. */
  readonly pem: string;
  /** The public half in PEM. */
  readonly publicPem: string;
}

function toPair(pair: KeyPairKeyObjectResult): Pair {
  const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { ...pair, pem, publicPem: pair.publicKey.export({ type: "spki", format: "pem" }).toString() };
}

/** The keys of the identity provider. */
export const providerPair: Pair = toPair(sharedRsaPair(0));
/** The keys of this service. */
export const servicePair: Pair = toPair(sharedRsaPair(1));
/** The keys of somebody else. */
export const strangerPair: Pair = toPair(sharedRsaPair(2));
/** The keys that an application of this service signs with. */
export const signingPair: Pair = toPair(sharedRsaPair(3));

const toKey = (id: string, { publicKey, privateKey }: Pair, hasPrivateKey: boolean): SignInKey => ({
  id,
  kid: id,
  alg: "RS256",
  certificate: undefined,
  signingKey: hasPrivateKey ? privateKey : undefined,
  verificationKey: publicKey,
});

const keys: Readonly<Record<string, SignInKey>> = {
  provider: toKey("provider", providerPair, false),
  service: toKey("service", servicePair, true),
};

/** What the service offers, at an instant. */
export function hostAt(now: number): SignInHost {
  const nothing = (): void => {};
  const refuse = async (): Promise<never> => Promise.reject(new Error("SAML calls nobody."));
  return {
    fetch: refuse,
    assertAddress: refuse,
    findKey: async (id) => keys[id],
    publicUrl: "https://id.example.com",
    clock: () => now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  };
}
