import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { holderOf } from "../../operations/references/key-purposes.js";
import { globalScope, type StorageReader, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { entitiesTable } from "../../records/entities/family.js";
import type { Entity } from "../../records/entities/schema.js";
import { entityTypesTable } from "../../records/entity-types/family.js";
import type { EntityType } from "../../records/entity-types/schema.js";
import { type HiddenTenant, issuerOf, tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";

/** A tenant, an application or an entity type: it can name a key for access tokens. */
export interface SigningKeyHolder {
  /** Its identifier in the table of key purposes. */
  readonly holder: string;
  /** The key that it names now. */
  readonly keyId: string | undefined;
}

/** The settings of a tenant that its tokens are checked against. */
export interface SigningTenant extends SigningKeyHolder {
  readonly id: string;
  readonly isActive: boolean;
  /** The configured issuer; undefined without one. */
  readonly issuer: string | undefined;
  readonly issuers: readonly string[];
  /** Whether a lambda writes the claims of client tokens. */
  readonly populatesClients: boolean;
}

/** The settings of an application that its tokens are checked against. */
export interface SigningApplication extends SigningKeyHolder {
  /** Whether a lambda writes the claims of access tokens. */
  readonly populates: boolean;
}

/** Returns the parts of a tenant that signing needs; undefined for an unknown id. */
export async function readTenant(reader: StorageReader, tenantId: string): Promise<SigningTenant | undefined> {
  const stored = await reader.retrieve(globalScope, tenantsTable, tenantId);
  if (stored === undefined) return undefined;
  const tenant = parseRecord<Tenant>(stored);
  const former = parseHidden<HiddenTenant>(stored)?.formerIssuers ?? [];
  return {
    id: tenant.id,
    holder: holderOf(tenantsTable.name, tenant.id),
    isActive: tenant.state === "Active",
    issuer: tenant.issuer,
    issuers: [issuerOf(tenant), ...former],
    keyId: tenant.jwtConfiguration.accessTokenKeyId,
    populatesClients: tenant.oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId !== undefined,
  };
}

/** The applications of a tenant with these ids. */
export async function readApplications(
  reader: StorageReader,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly SigningApplication[]> {
  const found = await reader.find(tenantScope(tenantId), applicationsTable, { op: "in", column: "id", values: ids });
  return found.map((stored) => {
    const application = parseRecord<Application>(stored);
    const populates = application.lambdaConfiguration.accessTokenPopulateId !== undefined;
    return { ...toPlace(applicationsTable.name, application), populates };
  });
}

/** The entity type of an entity. */
export async function readTypeOf(
  reader: StorageReader,
  tenantId: string,
  entityId: string,
): Promise<SigningKeyHolder | undefined> {
  const entity = await reader.retrieve(tenantScope(tenantId), entitiesTable, entityId);
  const typeId = entity && parseRecord<Entity>(entity).type.id;
  const type = typeId === undefined ? undefined : await reader.retrieve(globalScope, entityTypesTable, typeId);
  return type && toPlace(entityTypesTable.name, parseRecord<EntityType>(type));
}

function toPlace(
  table: string,
  { id, jwtConfiguration }: Pick<Application | EntityType, "id" | "jwtConfiguration">,
): SigningKeyHolder {
  const { accessTokenKeyId, enabled } = jwtConfiguration;
  return { holder: holderOf(table, id), keyId: enabled ? accessTokenKeyId : undefined };
}
