import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type Table } from "../../ports/storage.js";
import { identityProviderApplicationsTable, identityProviderTenantsTable } from "../../records/identity-providers/family.js";
import type { IdentityProvider } from "../../records/identity-providers/schema.js";

/** Removes the configuration of deleted applications and tenants from providers. Two statements, for any number of providers. */
export async function findCurrent(
  call: OperationCall,
  ids: readonly string[],
): Promise<(provider: IdentityProvider) => IdentityProvider> {
  const applications = await findLinked(call, identityProviderApplicationsTable, ids);
  const tenants = await findLinked(call, identityProviderTenantsTable, ids);
  const only = <Value>(map: Readonly<Record<string, Value>>, known: ReadonlySet<string> = new Set()) =>
    Object.fromEntries(Object.entries(map).filter(([id]) => known.has(id)));
  return (provider) => ({
    ...provider,
    applicationConfiguration: only(provider.applicationConfiguration, applications.get(provider.id)),
    tenantConfiguration: only(provider.tenantConfiguration, tenants.get(provider.id)),
  });
}

interface StoredLink {
  readonly identityProviderId: string;
  readonly tenantId: string;
  readonly applicationId?: string;
}

async function findLinked(
  call: OperationCall,
  table: Table,
  values: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const records = await call.reader.find(globalScope, table, { op: "in", column: "identityProviderId", values });
  const links = Map.groupBy(
    records.map((record) => JSON.parse(record.json) as StoredLink),
    (link) => link.identityProviderId,
  );
  return new Map([...links].map(([id, own]) => [id, new Set(own.map((link) => link.applicationId ?? link.tenantId))]));
}
