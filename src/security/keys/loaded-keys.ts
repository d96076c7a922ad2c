import { TtlCache } from "../../shared/ttl-cache.js";
import type { LoadedKey } from "./sealed-key.js";

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
  readonly #kept = new TtlCache<NamedKey>();

  constructor(source: KeySource) {
    this.#source = source;
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
