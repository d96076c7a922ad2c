import type { ProtocolHost } from "latchkey/ports";
import type { Application, OpenIdHost } from "latchkey/types";
import { samlVisitor } from "./visitor.js";

/** The SAML settings of an application. */
export type SamlSettings = NonNullable<Application["samlv2Configuration"]>;

/** An application with SAML logins. */
export interface SamlApplication {
  readonly application: Application;
  readonly settings: SamlSettings;
  /** Its entity id. */
  readonly issuer: string;
}

/** The cache lifetime: another process may miss a change for this long. */
const lifetimeMs = 1_000;

/** Caches the SAML applications of tenants for at most a second, or until a change in this process. */
export class SamlApplications {
  readonly #host: ProtocolHost;
  readonly #known = new Map<string, { readonly until: number; readonly found: Promise<readonly SamlApplication[]> }>();

  constructor(host: ProtocolHost, core: OpenIdHost) {
    this.#host = host;
    core.whenChanged(() => this.#known.clear());
  }

  /** Returns the application of a tenant with an entity id; undefined for an unknown or ambiguous id. */
  async findByIssuer(tenantId: string, issuer: string): Promise<SamlApplication | undefined> {
    const [first, second] = (await this.list(tenantId)).filter((one) => one.issuer === issuer);
    return second === undefined ? first : undefined;
  }

  /** Returns an application of any tenant by id; undefined without SAML. */
  async findById(applicationId: string): Promise<SamlApplication | undefined> {
    const found = await this.#host
      .as(samlVisitor)
      .applications.retrieve({ applicationId })
      .catch(() => undefined);
    return found && toSamlApplication(found.application);
  }

  list(tenantId: string): Promise<readonly SamlApplication[]> {
    const now = this.#host.clock();
    const known = this.#known.get(tenantId);
    if (known !== undefined && known.until > now) return known.found;
    const found = this.#read(tenantId);
    this.#known.delete(tenantId);
    const entry = { until: now + lifetimeMs, found };
    this.#known.set(tenantId, entry);
    // Evict the oldest entries: a Map keeps the insertion order.
    for (const [id] of this.#known) if (this.#known.size > maxTenants) this.#known.delete(id);
    found.catch(() => this.#known.get(tenantId) === entry && this.#known.delete(tenantId));
    return found;
  }

  async #read(tenantId: string): Promise<readonly SamlApplication[]> {
    const { applications } = await this.#host.as(samlVisitor).applications.list({}, { tenantId });
    return applications.flatMap((application) => toSamlApplication(application) ?? []);
  }
}

const maxTenants = 1_000;

function toSamlApplication(application: Application): SamlApplication | undefined {
  const { active, samlv2Configuration: settings } = application;
  const issuer = settings?.issuer;
  return active && settings?.enabled === true && issuer !== undefined ? { application, settings, issuer } : undefined;
}
