import { generalError } from "../../errors/identity-error.js";
import type { Clock } from "../../ports/runtime.js";
import type { ApiRequest } from "../../ports/transport.js";
import { digestSecret } from "../../security/seal.js";
import { TtlCache } from "../../shared/ttl-cache.js";
import type { CrossSiteCheck } from "./cookies.js";
import type { ApiKeyPrincipal, ClientPrincipal, UserPrincipal } from "./principal.js";
import { type Credential, hasHeader, hasPasswordHeader, readCredential, type TokenCredential } from "./read-credential.js";
import type { AddressResolver } from "./source-address.js";

const maxKeptKeys = 10_000;

/** Authenticates tokens. Injected, so that a process without tokens loads no code for them. */
export interface TokenAuthenticator {
  /** `isHostRoute`: the request is for a route of the host, beside the service. */
  authenticate(
    request: ApiRequest,
    credential: TokenCredential,
    isHostRoute: boolean,
  ): CallerPrincipal | Promise<CallerPrincipal>;
  forget(): void;
}

type CallerPrincipal = ApiKeyPrincipal | UserPrincipal | ClientPrincipal;

/** The parts of a service that authentication needs. */
export interface AuthenticationContext {
  readonly store: CredentialStore;
  readonly clock: Clock;
  readonly monotonic: () => number;
  readonly addressOf: AddressResolver;
  readonly tokens: TokenAuthenticator;
  readonly absentSchemes: ReadonlySet<Credential["scheme"]>;
  readonly isCrossSite: CrossSiteCheck;
}

/** Authenticates requests (docs/reference/authentication.md#schemes). */
export class Authenticator {
  readonly #context: AuthenticationContext;
  readonly #keys: TtlCache<ApiKeyPrincipal>;

  constructor(context: AuthenticationContext) {
    this.#context = context;
    this.#keys = new TtlCache(context.monotonic, maxKeptKeys);
  }

  /**
   * Returns the caller, synchronously when the credential is cached, as for nearly every request. `isHostRoute`: a guard protects
   * a route of the host, beside the service and not below its `publicUrl`.
   * @throws IdentityError 401 without a valid credential; the answer does not reveal the reason.
   */
  authenticate(request: ApiRequest, isHostRoute = false): CallerPrincipal | Promise<CallerPrincipal> {
    const credential = readCredential(request);
    if (credential === undefined || this.#context.absentSchemes.has(credential.scheme)) throw generalError("unauthorized");
    if (credential.kind === "token") return this.#authenticateToken(request, credential, isHostRoute);
    const { key } = credential;
    const known = this.#keys.get(key);
    if (known !== undefined) return this.#accept(known, request);
    return this.#find(key).then((principal) => this.#accept(principal, request));
  }

  /** The caller of a public route; undefined without a credential. @throws IdentityError 401 for an invalid credential. */
  authenticateOptional(request: ApiRequest): CallerPrincipal | Promise<CallerPrincipal> | undefined {
    // Browsers send cookies with every request, so a cookie does not count here.
    return hasHeader(request) ? this.authenticate(request) : undefined;
  }

  /**
   * The caller of a route that OAuth clients call too, such as introspection. Undefined for the id and secret of a client, which
   * the operation checks.
   * @throws IdentityError 401.
   */
  authenticateUnlessClient(request: ApiRequest): CallerPrincipal | Promise<CallerPrincipal> | undefined {
    const isClient = hasPasswordHeader(request) && readCredential(request) === undefined;
    return isClient ? undefined : this.authenticateOptional(request);
  }

  /** The principal of an API key, unless the key has expired or does not work from this address. */
  async findPrincipal(key: string, address: string | undefined): Promise<ApiKeyPrincipal | undefined> {
    const principal = await this.#find(key);
    return principal !== undefined && works(principal, this.#context.clock(), address) ? principal : undefined;
  }

  get knownKeys(): number {
    return this.#keys.size;
  }

  /** Forgets every key and token, so that changes in this process take effect at once. */
  forget(): void {
    this.#keys.invalidate();
    this.#context.tokens.forget();
  }

  // A cookie proves the user's identity, not the intent: another site can make a browser send it, so writes are checked.
  #authenticateToken(
    request: ApiRequest,
    credential: TokenCredential,
    isHostRoute: boolean,
  ): CallerPrincipal | Promise<CallerPrincipal> {
    const isWrite = request.method !== "GET" && request.method !== "HEAD";
    if (credential.scheme === "cookie" && isWrite && this.#context.isCrossSite(request)) throw generalError("unauthorized");
    return this.#context.tokens.authenticate(request, credential, isHostRoute);
  }

  #accept(principal: ApiKeyPrincipal | undefined, request: ApiRequest): ApiKeyPrincipal {
    const now = this.#context.clock();
    const address = this.#context.addressOf(request)?.text;
    if (principal === undefined || !works(principal, now, address)) throw generalError("unauthorized");
    this.#context.store.noteUse(principal.keyId, now, address);
    return principal;
  }

  // Caches only valid keys, by the presented value: hashing is most of the cost of a known key.
  #find(key: string): Promise<ApiKeyPrincipal | undefined> {
    return this.#keys.find(key, () => this.#context.store.findApiKey(digestSecret(key)));
  }
}

function works({ expirationInstant, source }: ApiKeyPrincipal, now: number, address: string | undefined): boolean {
  return (expirationInstant === undefined || expirationInstant > now) && (source === undefined || source.includes(address));
}

/** Finds credentials. The service provides it, so that authentication depends on no resource. */
interface CredentialStore {
  /** The key with this digest (see `security/seal.ts`), expired or not. */
  findApiKey(digest: string): Promise<ApiKeyPrincipal | undefined>;
  /** Records the use of a key. Must not wait for anything. */
  noteUse(keyId: string, instant: number, address: string | undefined): void;
}

interface KeyUse {
  readonly keyId: string;
  readonly instant: number;
  readonly address: string | undefined;
}

/** Buffers the last use of each key: a request costs a Map entry, never a write. */
export class KeyUses {
  #latest = new Map<string, KeyUse>();

  note(keyId: string, instant: number, address: string | undefined): void {
    this.#latest.set(keyId, { keyId, instant, address });
  }

  drain(): readonly KeyUse[] {
    const uses = [...this.#latest.values()];
    this.#latest = new Map();
    return uses;
  }

  /** Puts back uses that could not be written; later ones win. */
  restore(uses: readonly KeyUse[]): void {
    for (const use of uses) if (!this.#latest.has(use.keyId)) this.#latest.set(use.keyId, use);
  }
}
