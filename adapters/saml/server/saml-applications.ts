import type { ProtocolHost } from "latchkey/ports";
import type { Application, OpenIdHost } from "latchkey/types";
import { samlVisitor } from "./visitor.js";

/** The settings of an application for SAML. */
export type SamlSettings = NonNullable<Application["samlv2Configuration"]>;

/** An application that users log in to by SAML. */
export interface SamlApplication {
  readonly application: Application;
  readonly settings: SamlSettings;
  /** Its entity id. */
  readonly issuer: string;
}

/** So long another process may go on with what it read. */
const lifetimeMs = 1_000;

/** Finds the applications of tenants that use SAML, read at most once in a second, and after a change. */
export class SamlApplications {
  readonly #host: ProtocolHost;
  readonly #known = new Map<string, { readonly until: number; readonly found: Promise<readonly SamlApplication[]> }>();

  constructor(host: ProtocolHost, core: OpenIdHost) {
    this.#host = host;
    core.whenChanged(() => this.#known.clear());
  }

  /** Returns the application of a tenant with an entity id; undefined for none, and for an id that two of them have. */
  async findByIssuer(tenantId: string, issuer: string): Promise<SamlApplication | undefined> {
    const [first, second] = (await this.list(tenantId)).filter((one) => one.issuer === issuer);
    return second === undefined ? first : undefined;
  }

  /** Returns an application of any tenant by its id; undefined where it does not use SAML. */
  async findById(applicationId: string): Promise<SamlApplication | undefined> {
    const found = await this.#host
      .as(samlVisitor)
      .applications.retrieve({ applicationId })
      .catch(() => undefined);
    return found && toSamlApplication(found.application);
  }

  /** Returns the applications of a tenant that use SAML. */
  list(tenantId: string): Promise<readonly SamlApplication[]> {
    const now = this.#host.clock();
    const known = this.#known.get(tenantId);
    if (known !== undefined && known.until > now) return known.found;
    const found = this.#read(tenantId);
    this.#known.delete(tenantId);
    this.#known.set(tenantId, { until: now + lifetimeMs, found });
    // The oldest go first, as a Map has its entries in order.
    for (const [id] of this.#known) if (this.#known.size > maxTenants) this.#known.delete(id);
    found.catch(() => this.#known.delete(tenantId));
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
