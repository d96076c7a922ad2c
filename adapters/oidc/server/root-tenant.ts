import type { ProtocolHost } from "latchkey/ports";
import type { OpenIdHost } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

const reader = createVisitorPrincipal(["GET /api/tenant/search"]);

/** So long another process may go on with what it read. */
const freshMilliseconds = 10_000;

const pageSize = 500;

/** Tenants that an address finds which names none, by their ids. */
interface UnnamedTenants {
  /** The one whose issuer is the service itself. */
  readonly root?: string | undefined;
  /** The one that there is, where it is the only one. */
  readonly only?: string | undefined;
}

/** Finds the tenant of an address that names none. Anybody can ask, so all tenants are read once in ten seconds, and after a change. */
export class RootTenant {
  readonly #host: ProtocolHost;
  #known: { readonly until: number; readonly found: Promise<UnnamedTenants> } | undefined;

  constructor(host: ProtocolHost, core: OpenIdHost) {
    this.#host = host;
    core.whenChanged(() => this.#forget());
  }

  /** Returns the ids of the tenants. */
  find(): Promise<UnnamedTenants> {
    const now = this.#host.clock();
    if (this.#known !== undefined && now < this.#known.until) return this.#known.found;
    const found = this.#read();
    this.#known = { until: now + freshMilliseconds, found };
    found.catch(() => this.#forget());
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

// The core takes an issuer for that of the service however it is written.
function toCanonical(issuer: string | undefined): string | undefined {
  return issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).href.replace(/\/$/, "") : issuer;
}
