import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import type { StorageReader } from "../../ports/storage.js";
import { TtlCache } from "../../shared/ttl-cache.js";
import { type SealedLocation, type Sealer, sealedLocationOf } from "../seal.js";
import { type KeyAlgorithm, type KeyType, toJoseAlgorithm } from "./algorithms.js";
import type { KeyMaterial } from "./public-key-data.js";
import { toSecretBytes } from "./secret-bytes.js";

/** A key, and whether a webhook signs with it. */
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
 * Whether a key can sign and verify tokens: its private half or secret is stored, and it is not the secret of webhooks, which
 * their receivers know.
 */
export function isTokenKey(key: NamedKey | undefined): key is TokenKey {
  if (key?.alg === undefined || key.signingKey === undefined || key.verificationKey === undefined) return false;
  return key.type !== "HMAC" || !key.isForWebhooks;
}

/** Finds and loads stored keys. */
export interface KeySource {
  /** `reader` is the transaction of the call, if any: within it, other reads of the storage could wait for its end. */
  byId(id: string, reader?: StorageReader): Promise<NamedKey | undefined>;
  byKid(kid: string): Promise<NamedKey | undefined>;
}

/** A cache of loaded keys: loading one costs more than a signature. */
export class OpenKeys implements KeySource {
  readonly #source: KeySource;
  readonly #kept: TtlCache<NamedKey>;

  constructor(source: KeySource, monotonic: () => number) {
    this.#source = source;
    this.#kept = new TtlCache(monotonic);
  }

  byId(id: string, reader?: StorageReader): Promise<NamedKey | undefined> {
    return this.#kept.find(`id ${id}`, () => this.#source.byId(id, reader));
  }

  byKid(kid: string): Promise<NamedKey | undefined> {
    return this.#kept.find(`kid ${kid}`, () => this.#source.byKid(kid));
  }

  /** Invalidates the cache, so that changes in this process take effect at once. */
  forget(): void {
    this.#kept.invalidate();
  }
}

/** The sealed part of a key, never in responses. */
export interface SealedKey {
  readonly privateKey?: string | undefined;
  readonly secret?: string | undefined;
}

/** Seals the private half or the secret of a key. */
export function sealKey(sealer: Sealer, id: string, material: KeyMaterial): SealedKey {
  const { privateKey, secret } = material;
  return {
    privateKey: privateKey === undefined ? undefined : sealer.seal(privateKey, placeOf(id, "privateKey")),
    secret: secret === undefined ? undefined : sealer.seal(secret, placeOf(id, "secret")),
  };
}

/** The unsealed part of a stored key. */
interface KeyMetadata {
  readonly id: string;
  readonly kid: string;
  readonly type: KeyType;
  readonly algorithm: KeyAlgorithm;
  readonly publicKey?: string | undefined;
  readonly certificate?: string | undefined;
}

/** A key that is ready to sign and verify. Loading costs more than a signature: reuse it. */
export interface LoadedKey {
  readonly id: string;
  readonly kid: string;
  readonly type: KeyType;
  /** The `alg` of signatures, and the only one to verify with; undefined for a `Secret`. */
  readonly alg: string | undefined;
  /** The private half, or the secret of an HMAC key; undefined for a key that can only verify, and for a `Secret`. */
  readonly signingKey: KeyObject | undefined;
  /** The public half, or the secret of an HMAC key. */
  readonly verificationKey: KeyObject | undefined;
  /** An X.509 certificate in PEM. */
  readonly certificate: string | undefined;
}

/** Loads a stored key. @throws Error when it was sealed with an unknown secret. */
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

/** Whether a text is the secret of an HMAC key, in either format. */
export function isSecretOf({ signingKey }: LoadedKey, secret: string): boolean {
  return signingKey?.export().equals(toSecretBytes(secret)) === true;
}

// A sealed text opens only in its own place: the secret of one key cannot replace that of another.
function placeOf(id: string, part: keyof SealedKey): SealedLocation {
  return sealedLocationOf("keys", id, part);
}
