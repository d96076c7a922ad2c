import type { ProtocolHost } from "latchkey/ports";
import type { OpenIdHost } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

const reader = createVisitorPrincipal(["GET /api/tenant/search"]);

/** The cache lifetime: another process may miss a change for this long. */
const freshMilliseconds = 10_000;

const pageSize = 500;

/** The tenants for URLs without a tenant, by id. */
interface UnnamedTenants {
  /** The tenant with the service's own URL as its issuer. */
  readonly root?: string | undefined;
  /** The only tenant, if there is exactly one. */
  readonly only?: string | undefined;
}

/**
 * Finds the tenant for URLs without one. Anyone can request them, so the search of all tenants is cached for ten seconds, or
 * until a change.
 */
export class RootTenant {
  readonly #host: ProtocolHost;
  #known: { readonly until: number; readonly found: Promise<UnnamedTenants> } | undefined;

  constructor(host: ProtocolHost, core: OpenIdHost) {
    this.#host = host;
    core.whenChanged(() => this.#forget());
  }

  find(): Promise<UnnamedTenants> {
    const now = this.#host.clock();
    if (this.#known !== undefined && now < this.#known.until) return this.#known.found;
    const found = this.#read();
    const known = { until: now + freshMilliseconds, found };
    this.#known = known;
    found.catch(() => this.#known === known && this.#forget());
    return found;
  }

  #forget(): void {
    this.#known = undefined;
  }

  async #read(): Promise<UnnamedTenants> {
    const { tenants } = this.#host.as(reader);
    let nextResults: string | undefined;
    let only: string | undefined;
    do {
      const page = await tenants.search({ search: { numberOfResults: pageSize, nextResults } });
      if (page.total === 1) only = page.tenants[0]?.id;
      const found = page.tenants.find(({ issuer }) => toCanonical(issuer) === this.#host.publicUrl);
      if (found !== undefined) return { root: found.id, only };
      nextResults = page.nextResults;
    } while (nextResults !== undefined);
    return { only };
  }
}

// The core compares issuers in canonical form too.
function toCanonical(issuer: string | undefined): string | undefined {
  return issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).href.replace(/\/$/, "") : issuer;
}
