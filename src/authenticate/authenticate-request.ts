import { generalError } from "../errors/identity-error.js";
import type { Clock } from "../ports/runtime.js";
import type { ApiRequest } from "../ports/transport.js";
import { digestSecret } from "../secrets/digest.js";
import type { CredentialStore } from "./credential-store.js";
import type { ApiKeyPrincipal } from "./principal.js";
import { readApiKey } from "./read-credential.js";

/** How long another process may go on using a key that was changed or revoked (decisions.md: within 1 s). */
const maxKeyAgeMs = 900;
const maxCachedKeys = 10_000;

interface CachedKey {
  readonly principal: ApiKeyPrincipal;
  readonly readInstant: number;
}

/** Turns the credential of a request into a principal (reference 5.1). */
export class Authenticator {
  readonly #store: CredentialStore;
  readonly #clock: Clock;
  readonly #addressOf: (request: ApiRequest) => string | undefined;
  readonly #cache = new Map<string, CachedKey>();
  #generation = 0;

  constructor(store: CredentialStore, clock: Clock, addressOf: (request: ApiRequest) => string | undefined) {
    this.#store = store;
    this.#clock = clock;
    this.#addressOf = addressOf;
  }

  /** @throws IdentityError 401 without a valid credential; every reason looks alike. */
  async authenticate(request: ApiRequest): Promise<ApiKeyPrincipal> {
    const key = readApiKey(request);
    const principal = key === undefined ? undefined : await this.findPrincipal(key);
    if (principal === undefined) throw generalError("unauthorized");
    this.#store.noteUse(principal.keyId, this.#clock(), this.#addressOf(request));
    return principal;
  }

  /** The principal that holds this key value, unless the key has expired. */
  async findPrincipal(key: string): Promise<ApiKeyPrincipal | undefined> {
    const now = this.#clock();
    const cached = this.#cache.get(key);
    const isFresh = cached !== undefined && Math.abs(performance.now() - cached.readInstant) < maxKeyAgeMs;
    const principal = isFresh ? cached.principal : await this.#read(key);
    const isExpired = principal?.expirationInstant !== undefined && principal.expirationInstant <= now;
    return isExpired ? undefined : principal;
  }

  /** Forgets every key, so that changes made in this process take effect at once. */
  forget(): void {
    this.#generation++;
    this.#cache.clear();
  }

  // Only keys that are valid are remembered, by what was presented: the digest is what costs most of a known key.
  async #read(key: string): Promise<ApiKeyPrincipal | undefined> {
    const readInstant = performance.now();
    const generation = this.#generation;
    const principal = await this.#store.findApiKey(digestSecret(key));
    if (principal === undefined) {
      this.#cache.delete(key);
      return undefined;
    }
    // What was read before a change must not be remembered after it.
    if (generation !== this.#generation) return principal;
    if (this.#cache.size >= maxCachedKeys) this.#cache.clear();
    this.#cache.set(key, { principal, readInstant });
    return principal;
  }
}
