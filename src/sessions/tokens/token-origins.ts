import type { TokenPrincipal } from "../../http/authenticate/principal.js";
import { holderOf, isFor, keyPurposesTable } from "../../operations/references/key-purposes.js";
import { referencesTable } from "../../operations/references/references.js";
import { type Filter, globalScope, type StorageReader, tenantScope } from "../../ports/storage.js";
import { defaultSigningKeyId } from "../../records/keys/family.js";
import { lambdasTable } from "../../records/lambdas/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { NamedKey } from "../../security/keys/loaded-keys.js";
import { parseUuid } from "../../shared/text.js";
import { TtlCache } from "../../shared/ttl-cache.js";
import { readApplications, readTenant, readTypeOf, type SigningKeyHolder, type SigningTenant } from "./signing-key-holders.js";
import type { OriginCheck } from "./verify-token.js";

/** Checks for tokens of the OpenID provider. */
interface ProviderTokens {
  /** The issuer of a tenant; undefined without one. */
  readonly issuerOf: (tenant: { readonly id: string; readonly issuer?: string | undefined }) => string | undefined;
  /** Whether the session of a token still exists, if the provider issued it. */
  readonly isLive: (principal: UserToken) => Promise<boolean>;
}

type UserToken = Extract<TokenPrincipal, { readonly kind: "user" }>;

/**
 * Checks the origin of tokens (docs/reference/tokens.md#jwts-accepted): the key serves access tokens of the tenant, and issuer
 * and audience are the tenant's. Cached for a short time.
 */
export class TokenOrigins implements OriginCheck {
  readonly #reader: StorageReader;
  readonly #provider: ProviderTokens;
  readonly #tenants: TtlCache<SigningTenant>;
  readonly #applications: TtlCache<readonly SigningKeyHolder[]>;
  readonly #types: TtlCache<SigningKeyHolder>;
  readonly #answers: TtlCache<boolean>;

  constructor(reader: StorageReader, provider: ProviderTokens, monotonic: () => number) {
    this.#reader = reader;
    this.#provider = provider;
    this.#tenants = new TtlCache(monotonic);
    this.#applications = new TtlCache(monotonic);
    this.#types = new TtlCache(monotonic);
    this.#answers = new TtlCache(monotonic);
  }

  /** See {@link OriginCheck.isRight}. */
  async isRight(key: NamedKey, principal: TokenPrincipal): Promise<boolean> {
    const { tenantId } = principal;
    const tenant = await this.#tenants.find(tenantId, () => readTenant(this.#reader, tenantId));
    if (tenant?.isActive !== true) return false;
    if (principal.kind === "client") return this.#isOfClient(key, tenant, principal);
    return (await this.#isOfUser(key, tenant, principal.claims)) && this.#provider.isLive(principal);
  }

  /** See {@link OriginCheck.forget}. */
  forget(): void {
    for (const kept of [this.#tenants, this.#applications, this.#types, this.#answers]) kept.invalidate();
  }

  async #isOfUser(key: NamedKey, tenant: SigningTenant, { iss, aud }: TokenPrincipal["claims"]): Promise<boolean> {
    const ids = [aud].flat().flatMap((one) => (typeof one === "string" ? (parseUuid(one) ?? []) : []));
    const applications = await this.#findApplications(tenant.id, [...new Set(ids)]);
    if (!namesNow(key, [tenant, ...applications]) && !(await this.#wasNamed(key, tenant))) return false;
    const isOfProvider = iss !== undefined && iss === this.#provider.issuerOf(tenant);
    const isMeant = (isOfProvider || isIssuer(tenant, iss)) && (aud === undefined || applications.length > 0);
    // A lambda may have written both claims.
    return isMeant || this.#isPopulated(tenant.id);
  }

  async #isOfClient(key: NamedKey, tenant: SigningTenant, { claims, entityId }: ClientToken): Promise<boolean> {
    if (!isIssuer(tenant, claims.iss) && !tenant.populatesClients) return false;
    if (namesNow(key, [tenant])) return true;
    const type = await this.#types.find(`${tenant.id} ${entityId}`, () => readTypeOf(this.#reader, tenant.id, entityId));
    const places = type === undefined ? [tenant] : [tenant, type];
    return namesNow(key, places) || this.#wasNamed(key, tenant, places);
  }

  async #findApplications(tenantId: string, ids: readonly string[]): Promise<readonly SigningKeyHolder[]> {
    if (ids.length === 0) return [];
    const read = (): Promise<readonly SigningKeyHolder[]> => readApplications(this.#reader, tenantId, ids);
    return (await this.#applications.find([tenantId, ...ids].join(" "), read)) ?? [];
  }

  /**
   * Whether a key was ever named for access tokens, in the tenant or by these holders. A key that serves webhooks too counts only
   * while it is named.
   */
  async #wasNamed(
    { id, isForWebhooks }: NamedKey,
    tenant: SigningTenant,
    places?: readonly SigningKeyHolder[],
  ): Promise<boolean> {
    if (isForWebhooks) return false;
    const holders = places?.map(({ holder }) => holder) ?? [];
    const filters: Filter[] = [isFor(id, ["accessToken"])];
    if (places !== undefined) filters.push({ op: "in", column: "holder", values: holders });
    const scope = places === undefined ? tenantScope(tenant.id) : globalScope;
    const read = async (): Promise<boolean> =>
      (await this.#reader.find(scope, keyPurposesTable, { op: "and", filters }, { limit: 1 })).length > 0;
    return (await this.#answers.find(["named", id, tenant.id, ...holders].join(" "), read)) ?? false;
  }

  /** Whether an application of the tenant has a lambda that writes the claims of access tokens. */
  async #isPopulated(tenantId: string): Promise<boolean> {
    const read = async (): Promise<boolean> => {
      const lambdas = await this.#reader.findIds(globalScope, lambdasTable, "id", equalsFilter("type", "JWTPopulate"));
      const targets = lambdas.map((id) => holderOf(lambdasTable.name, id));
      const isTarget: Filter = { op: "in", column: "target", values: targets };
      const namers = await this.#reader.find(tenantScope(tenantId), referencesTable, isTarget);
      const ids = namers.map((stored) => (JSON.parse(stored.json) as { readonly id: string }).id);
      return (await readApplications(this.#reader, tenantId, ids)).some(({ populates }) => populates);
    };
    return (await this.#answers.find(`populated ${tenantId}`, read)) ?? false;
  }
}

type ClientToken = Extract<TokenPrincipal, { readonly kind: "client" }>;

function namesNow({ id }: NamedKey, places: readonly SigningKeyHolder[]): boolean {
  return id === defaultSigningKeyId || places.some(({ keyId }) => keyId === id);
}

function isIssuer({ issuers }: SigningTenant, iss: unknown): boolean {
  return typeof iss === "string" && issuers.includes(iss);
}
