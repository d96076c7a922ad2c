import { generalError } from "../../errors/identity-error.js";
import type { TokenAuthenticator } from "../../http/authenticate/authenticate-request.js";
import type { BoundToken, EndpointGrants, TokenClaims, TokenPrincipal } from "../../http/authenticate/principal.js";
import type { TokenCredential } from "../../http/authenticate/read-credential.js";
import type { Clock } from "../../ports/runtime.js";
import type { ApiRequest } from "../../ports/transport.js";
import { type CompactJws, isSignedBy, parseJws } from "../../security/compact-jws.js";
import { isTokenKey, type KeySource, type NamedKey } from "../../security/keys/loaded-keys.js";
import { isSafeText } from "../../shared/find-unsafe-value.js";
import { isObjectOrList } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";
import { TtlCache } from "../../shared/ttl-cache.js";

/** Verifies the origin of tokens. */
export interface OriginCheck {
  /** Whether the key serves access tokens at the stated origin, and issuer and audience match it. */
  isRight(key: NamedKey, principal: TokenPrincipal): Promise<boolean>;
  /** Clears the caches, so that changes in this process take effect at once. */
  forget(): void;
}

interface TokenContext {
  readonly keys: KeySource;
  readonly origins: OriginCheck;
  readonly clock: Clock;
  /** The monotonic time, in milliseconds. */
  readonly monotonic: () => number;
  /** Whether a token has not been invalidated (docs/reference/validity.md). */
  readonly isCurrent: (principal: TokenPrincipal) => Promise<boolean>;
  /** Converts the permissions of a client token to grants on this API. */
  readonly toGrants: (claims: TokenClaims) => EndpointGrants;
  /** Whether a request proves possession of the token's key (RFC 9449). */
  readonly isProven: (request: ApiRequest, bound: BoundToken, isHostRoute: boolean) => Promise<boolean>;
}

const maxCachedTokens = 10_000;

/** The tolerated clock skew between issuer and verifier. */
const clockSkewMs = 5_000;

/** The values of `typ` of access tokens. Other kinds, such as DPoP proofs, have another. */
const accessTokenTypes: readonly unknown[] = [undefined, "JWT", "at+jwt"];

/** Whether the current request proves possession of a token's key. */
type Prove = (bound: BoundToken) => Promise<boolean>;

/** Converts tokens to principals (docs/reference/authentication.md#schemes: JWT, client credentials, DPoP). */
export class TokenVerifier implements TokenAuthenticator {
  readonly #context: TokenContext;
  readonly #cache: TtlCache<TokenPrincipal>;
  /** Tokens that are known not to be invalidated; the cache is short-lived. */
  readonly #current: TtlCache<TokenPrincipal>;

  constructor(context: TokenContext) {
    this.#context = context;
    this.#cache = new TtlCache(context.monotonic, maxCachedTokens);
    this.#current = new TtlCache(context.monotonic, maxCachedTokens);
  }

  /**
   * The principal of a request's token: synchronous for a cached token without a bound key. For routes of the host it does not
   * check whether the token was invalidated: their guards do with `fresh`.
   * @throws IdentityError 401, the same for every reason.
   */
  authenticate(request: ApiRequest, credential: TokenCredential, isHostRoute: boolean): TokenPrincipal | Promise<TokenPrincipal> {
    const prove: Prove = (bound) => this.#context.isProven(request, bound, isHostRoute);
    const known = this.#toUnexpired((isHostRoute ? this.#cache : this.#current).get(credential.token));
    if (known !== undefined) return this.#accept(prove, credential, known);
    const found = isHostRoute ? this.verifySigned(credential.token) : this.verify(credential.token);
    return found.then((principal) => this.#accept(prove, credential, principal));
  }

  /** The principal of a currently valid token, presented by any caller; undefined for any other text. */
  async verify(token: string): Promise<TokenPrincipal | undefined> {
    return this.#toUnexpired(await this.#current.find(token, () => this.#readCurrent(token)));
  }

  /** As {@link verify}, but checks only the signature and the expiry: the token may have been invalidated. */
  async verifySigned(token: string): Promise<TokenPrincipal | undefined> {
    return this.#toUnexpired(await this.#cache.find(token, () => this.#read(token)));
  }

  /** Clears all cached tokens, so that key changes in this process take effect at once. */
  forget(): void {
    this.#cache.invalidate();
    this.forgetSessions();
    this.#context.origins.forget();
  }

  /** Clears the cache of current tokens, so that invalidations in this process take effect at once. */
  forgetSessions(): void {
    this.#current.invalidate();
  }

  async #readCurrent(token: string): Promise<TokenPrincipal | undefined> {
    const principal = await this.verifySigned(token);
    return principal !== undefined && (await this.#context.isCurrent(principal)) ? principal : undefined;
  }

  #accept(
    prove: Prove,
    { token, scheme }: TokenCredential,
    principal: TokenPrincipal | undefined,
  ): TokenPrincipal | Promise<TokenPrincipal> {
    if (principal === undefined) throw generalError("unauthorized");
    const thumbprint = thumbprintOf(principal.claims);
    // A bound token needs a proof, and a proof needs a bound token.
    if ((thumbprint === undefined) === (scheme === "dpop")) throw generalError("unauthorized");
    return thumbprint === undefined ? principal : this.#acceptProven(prove, { token, thumbprint }, principal);
  }

  async #acceptProven(prove: Prove, bound: BoundToken, principal: TokenPrincipal): Promise<TokenPrincipal> {
    if (!(await prove(bound))) throw generalError("unauthorized");
    return principal;
  }

  #toUnexpired(principal: TokenPrincipal | undefined): TokenPrincipal | undefined {
    return principal === undefined || this.#hasExpired(principal.claims) ? undefined : principal;
  }

  async #read(token: string): Promise<TokenPrincipal | undefined> {
    const jws = await parseJws(token);
    return jws && this.#verifySigned(jws);
  }

  async #verifySigned(jws: CompactJws): Promise<TokenPrincipal | undefined> {
    const principal = this.#hasSoundClaims(jws.payload) ? this.#toPrincipal(jws, jws.payload) : undefined;
    const { alg, crit, kid, typ } = jws.header;
    if (principal === undefined || crit !== undefined || !accessTokenTypes.includes(typ)) return undefined;
    // The header is not verified yet: refuse a `kid` that no storage can hold.
    const key = typeof kid === "string" && isSafeText(kid) ? await this.#context.keys.byKid(kid) : undefined;
    // A verify-only key belongs to another issuer, and its tokens are not ours.
    if (!isTokenKey(key) || alg !== key.alg || !(await isSignedBy(key.alg, key.verificationKey, jws))) return undefined;
    return (await this.#context.origins.isRight(key, principal)) ? principal : undefined;
  }

  #hasSoundClaims(claims: CompactJws["payload"]): claims is TokenClaims {
    const { exp, sub, nbf, iat } = claims;
    const latest = (this.#context.clock() + clockSkewMs) / 1_000;
    const hasBegun = (instant: unknown): boolean => instant === undefined || (typeof instant === "number" && instant <= latest);
    if (typeof exp !== "number" || !isId(sub)) return false;
    return !this.#hasExpired(claims as TokenClaims) && hasBegun(nbf) && hasBegun(iat);
  }

  #hasExpired({ exp }: TokenClaims): boolean {
    return !(this.#context.clock() < exp * 1_000);
  }

  // Other JWTs of the service, such as webhook signatures and ID tokens, are no access tokens.
  #toPrincipal({ header }: CompactJws, claims: TokenClaims): TokenPrincipal | undefined {
    const { sub, tid } = claims;
    if (!isId(tid)) return undefined;
    if (Array.isArray(header.gty) && header.gty.includes("client_credentials"))
      return { kind: "client", entityId: sub, tenantId: tid, grants: this.#context.toGrants(claims), claims };
    return claims.tty === "at" ? { kind: "user", userId: sub, tenantId: tid, claims } : undefined;
  }
}

// Ids in the service's own spelling.
function isId(value: unknown): value is string {
  return typeof value === "string" && parseUuid(value) === value;
}

/** The thumbprint of the key that binds a token (RFC 9449, 6.1). */
function thumbprintOf({ cnf }: TokenClaims): string | undefined {
  const thumbprint = isObjectOrList(cnf) && "jkt" in cnf ? cnf.jkt : undefined;
  return typeof thumbprint === "string" ? thumbprint : undefined;
}
