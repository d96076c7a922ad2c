// RSA keys of identity providers and of this service, made once in a process.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { SignInHost, SignInKey } from "latchkey";

/** A pair of RSA keys. */
export interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The private half in PEM. */
  readonly pem: string;
  /** The public half in PEM. */
  readonly publicPem: string;
}

/** Makes a pair of RSA keys. */
export function makePair(): Pair {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { ...pair, pem, publicPem: pair.publicKey.export({ type: "spki", format: "pem" }).toString() };
}

/** The keys of the identity provider. */
export const providerPair: Pair = makePair();
/** The keys of this service. */
export const servicePair: Pair = makePair();
/** The keys of somebody else. */
export const strangerPair: Pair = makePair();

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
