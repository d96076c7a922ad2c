import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import { TtlCache } from "../../shared/ttl-cache.js";
import { type SealedLocation, type Sealer, sealedLocationOf } from "../seal.js";
import { type KeyAlgorithm, type KeyType, toJoseAlgorithm } from "./algorithms.js";
import type { KeyMaterial } from "./public-key-data.js";
import { toSecretBytes } from "./secret-bytes.js";

/** A key, and whether a webhook has named it to sign what it is sent. */
export interface NamedKey extends LoadedKey {
  readonly isForWebhooks: boolean;
}

/** A key that signs tokens. */
export type TokenKey = NamedKey & {
  readonly alg: string;
  readonly signingKey: NonNullable<LoadedKey["signingKey"]>;
  readonly verificationKey: NonNullable<LoadedKey["verificationKey"]>;
};

/**
 * Whether a key can sign tokens and verify them: it has its private half or secret here, and receivers of events, who are given the
 * secrets that webhooks sign with, do not have it.
 */
export function isTokenKey(key: NamedKey | undefined): key is TokenKey {
  if (key?.alg === undefined || key.signingKey === undefined || key.verificationKey === undefined) return false;
  return key.type !== "HMAC" || !key.isForWebhooks;
}

/** Finds keys in the storage and opens them. */
export interface KeySource {
  byId(id: string): Promise<NamedKey | undefined>;
  byKid(kid: string): Promise<NamedKey | undefined>;
}

/** Keys that were opened, kept for a moment: opening one costs more than a signature. */
export class OpenKeys implements KeySource {
  readonly #source: KeySource;
  readonly #kept: TtlCache<NamedKey>;

  constructor(source: KeySource, monotonic: () => number) {
    this.#source = source;
    this.#kept = new TtlCache(monotonic);
  }

  byId(id: string): Promise<NamedKey | undefined> {
    return this.#kept.find(`id ${id}`, () => this.#source.byId(id));
  }

  byKid(kid: string): Promise<NamedKey | undefined> {
    return this.#kept.find(`kid ${kid}`, () => this.#source.byKid(kid));
  }

  /** Forgets every key, so that changes made in this process take effect at once. */
  forget(): void {
    this.#kept.invalidate();
  }
}

/** The part of a key that nobody is shown, sealed. */
export interface SealedKey {
  readonly privateKey?: string | undefined;
  readonly secret?: string | undefined;
}

/** Seals the private half or the secret of the key with this id. */
export function sealKey(sealer: Sealer, id: string, material: KeyMaterial): SealedKey {
  const { privateKey, secret } = material;
  return {
    privateKey: privateKey === undefined ? undefined : sealer.seal(privateKey, placeOf(id, "privateKey")),
    secret: secret === undefined ? undefined : sealer.seal(secret, placeOf(id, "secret")),
  };
}

/** What is known of a stored key without opening it. */
interface KeyMetadata {
  readonly id: string;
  readonly kid: string;
  readonly type: KeyType;
  readonly algorithm: KeyAlgorithm;
  readonly publicKey?: string | undefined;
  readonly certificate?: string | undefined;
}

/** A key that is ready to sign and to verify. Opening costs more than a signature: keep it while the key is used. */
export interface LoadedKey {
  readonly id: string;
  readonly kid: string;
  readonly type: KeyType;
  /** The `alg` of what the key signs, and the only one to verify by; undefined for a `Secret`. */
  readonly alg: string | undefined;
  /** The private half, or the secret of an HMAC key; undefined for a key that can only verify, and for a `Secret`. */
  readonly signingKey: KeyObject | undefined;
  /** The public half, or the secret of an HMAC key. */
  readonly verificationKey: KeyObject | undefined;
  /** X.509 in PEM. */
  readonly certificate: string | undefined;
}

/** Opens a stored key. @throws Error when it was sealed with a secret that is not known. */
export function loadKey(sealer: Sealer, key: KeyMetadata, sealed: SealedKey): LoadedKey {
  const { id, kid, type, algorithm, publicKey, certificate } = key;
  const alg = type === "Secret" ? undefined : toJoseAlgorithm(algorithm);
  const base = { id, kid, type, alg, certificate };
  if (type === "Secret") return { ...base, signingKey: undefined, verificationKey: undefined };
  if (type === "HMAC") {
    const secret = createSecretKey(toSecretBytes(sealer.open(sealed.secret ?? "", placeOf(id, "secret"))));
    return { ...base, signingKey: secret, verificationKey: secret };
  }
  const privateKey =
    sealed.privateKey === undefined ? undefined : createPrivateKey(sealer.open(sealed.privateKey, placeOf(id, "privateKey")));
  return { ...base, signingKey: privateKey, verificationKey: createPublicKey(publicKey ?? "") };
}

// What is sealed opens only in the place that it was sealed for: no key's secret can be put into another's record.
function placeOf(id: string, part: keyof SealedKey): SealedLocation {
  return sealedLocationOf("keys", id, part);
}
