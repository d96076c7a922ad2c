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

/** Turns tokens into principals. Supplied by the service, so that a process without tokens loads no code for them. */
export interface TokenAuthenticator {
  /** `isHostRoute`: the request is for a route of the host, beside the service. */
  authenticate(
    request: ApiRequest,
    credential: TokenCredential,
    isHostRoute: boolean,
  ): CallerPrincipal | Promise<CallerPrincipal>;
  forget(): void;
}

/** Who can send a request. */
type CallerPrincipal = ApiKeyPrincipal | UserPrincipal | ClientPrincipal;

/** What authentication needs of a service. */
export interface AuthenticationContext {
  readonly store: CredentialStore;
  readonly clock: Clock;
  /** Reads the monotonic time. */
  readonly monotonic: () => number;
  readonly addressOf: AddressResolver;
  readonly tokens: TokenAuthenticator;
  /** Schemes that the service's version does not have. */
  readonly absentSchemes: ReadonlySet<Credential["scheme"]>;
  readonly isCrossSite: CrossSiteCheck;
}

/** Turns the credential of a request into a principal (docs/reference/authentication.md#schemes). */
export class Authenticator {
  readonly #context: AuthenticationContext;
  readonly #keys: TtlCache<ApiKeyPrincipal>;

  constructor(context: AuthenticationContext) {
    this.#context = context;
    this.#keys = new TtlCache(context.monotonic, maxKeptKeys);
  }

  /**
   * The caller: at once when the credential is known, as for nearly every request. `isHostRoute`: the request is for a route of the host that a
   * guard protects, beside the service and not below its `publicUrl`.
   * @throws IdentityError 401 without a valid credential; every reason looks alike.
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

  /** The caller of what everybody may call: undefined for who does not say. @throws IdentityError 401 when what is said is wrong. */
  authenticateOptional(request: ApiRequest): CallerPrincipal | Promise<CallerPrincipal> | undefined {
    // A cookie, which browsers send along unasked, says nothing here.
    return hasHeader(request) ? this.authenticate(request) : undefined;
  }

  /** The caller of what clients and keys may call: undefined for who may be a client, which the operation finds out. @throws IdentityError 401. */
  authenticateBesideClients(request: ApiRequest): CallerPrincipal | Promise<CallerPrincipal> | undefined {
    const isClient = hasPasswordHeader(request) && readCredential(request) === undefined;
    return isClient ? undefined : this.authenticateOptional(request);
  }

  /** The principal that holds this key value, unless the key has expired or does not work from this address. */
  async findPrincipal(key: string, address: string | undefined): Promise<ApiKeyPrincipal | undefined> {
    const principal = await this.#find(key);
    return principal !== undefined && works(principal, this.#context.clock(), address) ? principal : undefined;
  }

  /** How many keys are remembered. */
  get knownKeys(): number {
    return this.#keys.size;
  }

  /** Forgets every key and token, so that changes made in this process take effect at once. */
  forget(): void {
    this.#keys.invalidate();
    this.#context.tokens.forget();
  }

  // A cookie says who the user is and not that the user wants this: what another site makes a browser send changes nothing.
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

  // Only valid keys are cached, by the presented value: hashing is most of the cost of a known key.
  #find(key: string): Promise<ApiKeyPrincipal | undefined> {
    return this.#keys.find(key, () => this.#context.store.findApiKey(digestSecret(key)));
  }
}

function works({ expirationInstant, source }: ApiKeyPrincipal, now: number, address: string | undefined): boolean {
  return (expirationInstant === undefined || expirationInstant > now) && (source === undefined || source.includes(address));
}

/** Looks up what was presented. Supplied by the service, so that authentication knows no resource. */
interface CredentialStore {
  /** The key with this digest (see `security/seal.ts`), expired or not. */
  findApiKey(digest: string): Promise<ApiKeyPrincipal | undefined>;
  /** Notes that a key was used. Must not wait for anything. */
  noteUse(keyId: string, instant: number, address: string | undefined): void;
}

/** When and from where a key was last used. */
interface KeyUse {
  readonly keyId: string;
  readonly instant: number;
  readonly address: string | undefined;
}

/** Remembers the last use of each key until it is written: a request pays for a Map entry, never for a write. */
export class KeyUses {
  #latest = new Map<string, KeyUse>();

  note(keyId: string, instant: number, address: string | undefined): void {
    this.#latest.set(keyId, { keyId, instant, address });
  }

  /** What was noted since the last call. */
  drain(): readonly KeyUse[] {
    const uses = [...this.#latest.values()];
    this.#latest = new Map();
    return uses;
  }
}
