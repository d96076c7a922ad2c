import { IdentityError, type InProcessApi } from "latchkey";
import type { Application, Tenant } from "latchkey/types";
import type { Interaction, InteractionHost } from "../../http/interactions.js";

/** The tenant and application of a page. */
export interface Place {
  readonly tenant?: Tenant | undefined;
  readonly application?: Application | undefined;
}

/** The target of a page without an interaction. */
export interface NamedPlace {
  readonly tenantId?: string | undefined;
  readonly applicationId?: string | undefined;
}

/** Finds the tenant and the application of an interaction, or of a URL; without these, the only tenant. */
export async function findPlace({ api }: InteractionHost, named: NamedPlace | Interaction): Promise<Place> {
  const application = await ifFound(async () => {
    if (named.applicationId === undefined) return undefined;
    const found = await api.applications.retrieve({ applicationId: named.applicationId });
    return found.application.active ? found.application : undefined;
  });
  // An application determines its tenant, regardless of the URL.
  const tenantId = application?.tenantId ?? named.tenantId ?? (await findOnlyTenant(api));
  const tenant = await ifFound(async () =>
    tenantId === undefined ? undefined : (await api.tenants.retrieve({ tenantId })).tenant,
  );
  return { application, tenant: tenant?.state === "Active" ? tenant : undefined };
}

async function findOnlyTenant(api: InProcessApi): Promise<string | undefined> {
  const { tenants } = await api.tenants.search({ search: { numberOfResults: 2 } });
  const [tenant, another] = tenants;
  return another === undefined ? tenant?.id : undefined;
}

/** Returns the result of a call; undefined for an unknown record or an invalid id. */
export async function ifFound<Found>(find: () => Promise<Found | undefined>): Promise<Found | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof IdentityError && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}
