import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";

/** The lifetimes of tokens, and the key that signs them. */
export interface TokenSettings {
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  /** Whether each use replaces the refresh token. */
  readonly isOneTimeUse: boolean;
  /** How long a replaced refresh token still gets the same answer. */
  readonly graceSeconds: number;
  /** The key of the application; undefined for the tenant's. */
  readonly keyId: string | undefined;
}

/**
 * The token settings of an application if it enables its own, else those of its tenant (docs/reference/tenants.md#tenants,
 * docs/reference/tenants.md#applications).
 */
export function tokenSettingsOf(
  tenant: Pick<Tenant, "jwtConfiguration">,
  application: Pick<Application, "jwtConfiguration"> | undefined,
): TokenSettings {
  const own = application?.jwtConfiguration.enabled === true ? application.jwtConfiguration : undefined;
  const { timeToLiveInSeconds, refreshTokenTimeToLiveInMinutes } = tenant.jwtConfiguration;
  // Tenants stored by an earlier release lack these two.
  const { refreshGraceSeconds = 60, refreshTokenUsagePolicy = "Reusable" } = tenant.jwtConfiguration;
  return {
    accessSeconds: own?.timeToLiveInSeconds ?? timeToLiveInSeconds,
    refreshSeconds: (own?.refreshTokenTimeToLiveInMinutes ?? refreshTokenTimeToLiveInMinutes) * 60,
    isOneTimeUse: (own?.refreshTokenUsagePolicy ?? refreshTokenUsagePolicy) === "OneTimeUse",
    graceSeconds: own?.refreshGraceSeconds ?? refreshGraceSeconds,
    keyId: own?.accessTokenKeyId,
  };
}

/** The lifetimes of access tokens in seconds, by the id of each existing application. */
export async function findLifetimes(
  call: OperationCall,
  tenantId: string,
  applicationIds: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const tenant = await call.reader.retrieve(globalScope, tenantsTable, tenantId);
  if (tenant === undefined || applicationIds.length === 0) return {};
  const found = await call.reader.find(globalScope, applicationsTable, { op: "in", column: "id", values: applicationIds });
  const lifetimeOf = (application: StoredRecord): number =>
    tokenSettingsOf(parseRecord<Tenant>(tenant), parseRecord<Application>(application)).accessSeconds;
  return Object.fromEntries(found.map((application) => [application.id, lifetimeOf(application)]));
}
