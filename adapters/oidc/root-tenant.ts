import type { OpenIdHost, ProtocolHost } from "latchkey/types";
import { createVisitorPrincipal } from "../internal/visitor-principal.js";

const reader = createVisitorPrincipal(["GET /api/tenant/search"]);

/** So long another process may go on with what it read. */
const freshMilliseconds = 10_000;

const pageSize = 500;

/** Finds the tenant whose issuer is the service itself. Anybody can ask, so all tenants are read once in ten seconds, and after a change. */
export class RootTenant {
  readonly #host: ProtocolHost;
  #known: { readonly until: number; readonly found: Promise<string | undefined> } | undefined;

  constructor(host: ProtocolHost, core: OpenIdHost) {
    this.#host = host;
    core.whenChanged(() => this.#forget());
  }

  /** Returns the id of the tenant; undefined for none. */
  find(): Promise<string | undefined> {
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

  async #read(): Promise<string | undefined> {
    const { tenants } = this.#host.as(reader);
    let nextResults: string | undefined;
    do {
      const page = await tenants.search({ search: { numberOfResults: pageSize, nextResults } });
      const found = page.tenants.find(({ issuer }) => issuer === this.#host.publicUrl);
      if (found !== undefined) return found.id;
      nextResults = page.nextResults;
    } while (nextResults !== undefined);
    return undefined;
  }
}
