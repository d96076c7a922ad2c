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

/** Verifies that tokens come from the issuer that they name. */
export interface OriginCheck {
  /** Whether a key is one for access tokens where a token says that it comes from, and the issuer and the audience are right there. */
  isRight(key: NamedKey, principal: TokenPrincipal): Promise<boolean>;
  /** Clears the caches, so that changes made in this process take effect at once. */
  forget(): void;
}

/** What the verification of tokens needs of a service. */
interface TokenContext {
  readonly keys: KeySource;
  readonly origins: OriginCheck;
  readonly clock: Clock;
  /** Reads the monotonic time. */
  readonly monotonic: () => number;
  /** Whether what a token stands for has not ended (docs/reference/validity.md). */
  readonly isCurrent: (principal: TokenPrincipal) => Promise<boolean>;
  /** What the permissions of a client's token amount to on this API. */
  readonly toGrants: (claims: TokenClaims) => EndpointGrants;
  /** Whether a request proves that it holds the key that its token is bound to (RFC 9449). */
  readonly isProven: (request: ApiRequest, bound: BoundToken, isHostRoute: boolean) => Promise<boolean>;
}

const maxCachedTokens = 10_000;

/** The tolerated clock skew between issuer and verifier. */
const clockSkewMs = 5_000;

/** What the header of an access token says in `typ`: what is another kind of token, such as a proof of possession, says so. */
const accessTokenTypes: readonly unknown[] = [undefined, "JWT", "at+jwt"];

/** Whether the request at hand proves to hold the key of a bound token. */
type Prove = (bound: BoundToken) => Promise<boolean>;

/** Turns tokens into principals (docs/reference/authentication.md#schemes: JWT, client credentials, DPoP). */
export class TokenVerifier implements TokenAuthenticator {
  readonly #context: TokenContext;
  readonly #cache: TtlCache<TokenPrincipal>;
  /** Tokens that have been found current, for as long as others may go on using what was read. */
  readonly #current: TtlCache<TokenPrincipal>;

  constructor(context: TokenContext) {
    this.#context = context;
    this.#cache = new TtlCache(context.monotonic, maxCachedTokens);
    this.#current = new TtlCache(context.monotonic, maxCachedTokens);
  }

  /**
   * The caller that a request's token stands for: at once when the token is known and is not bound to a key. Routes of the host do not learn
   * whether the token has ended since it was issued: their guards ask with `fresh`.
   * @throws IdentityError 401; every reason looks alike.
   */
  authenticate(request: ApiRequest, credential: TokenCredential, isHostRoute: boolean): TokenPrincipal | Promise<TokenPrincipal> {
    const prove: Prove = (bound) => this.#context.isProven(request, bound, isHostRoute);
    const known = this.#toUnexpired((isHostRoute ? this.#cache : this.#current).get(credential.token));
    if (known !== undefined) return this.#accept(prove, credential, known);
    const found = isHostRoute ? this.verifySigned(credential.token) : this.verify(credential.token);
    return found.then((principal) => this.#accept(prove, credential, principal));
  }

  /** The principal of a token that may be used now, regardless of the presenter; undefined for any other text. */
  async verify(token: string): Promise<TokenPrincipal | undefined> {
    return this.#toUnexpired(await this.#current.find(token, () => this.#readCurrent(token)));
  }

  /** As {@link verify}, of a token that may have ended before its time: the signature alone says that it was issued. */
  async verifySigned(token: string): Promise<TokenPrincipal | undefined> {
    return this.#toUnexpired(await this.#cache.find(token, () => this.#read(token)));
  }

  /** Forgets every token, so that changes of keys in this process take effect at once. */
  forget(): void {
    this.#cache.invalidate();
    this.forgetSessions();
    this.#context.origins.forget();
  }

  /** Forgets which tokens were current, so that what ends in this process ends at once. */
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
    // A token that is bound is worth nothing without a proof, and a proof nothing without a token that is bound to its key.
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
    // Nothing vouches for the header yet: what no storage keeps is no name of a key.
    const key = typeof kid === "string" && isSafeText(kid) ? await this.#context.keys.byKid(kid) : undefined;
    // A key that only verifies here belongs to somebody else, whose tokens are not ours.
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

  // What else the service signs – proofs for receivers, identity tokens – is no access token.
  #toPrincipal({ header }: CompactJws, claims: TokenClaims): TokenPrincipal | undefined {
    const { sub, tid } = claims;
    if (!isId(tid)) return undefined;
    if (Array.isArray(header.gty) && header.gty.includes("client_credentials"))
      return { kind: "client", entityId: sub, tenantId: tid, grants: this.#context.toGrants(claims), claims };
    return claims.tty === "at" ? { kind: "user", userId: sub, tenantId: tid, claims } : undefined;
  }
}

// As the service writes ids.
function isId(value: unknown): value is string {
  return typeof value === "string" && parseUuid(value) === value;
}

/** The thumbprint of the key that a token is bound to (RFC 9449, 6.1). */
function thumbprintOf({ cnf }: TokenClaims): string | undefined {
  const thumbprint = isObjectOrList(cnf) && "jkt" in cnf ? cnf.jkt : undefined;
  return typeof thumbprint === "string" ? thumbprint : undefined;
}
