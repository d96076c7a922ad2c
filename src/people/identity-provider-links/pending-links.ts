import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import { pendingLinksTable } from "../../records/identity-provider-links/family.js";
import type { PendingIdPLink } from "../../records/identity-provider-links/schema.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { digestSecret } from "../../security/seal.js";

/**
 * Stores an account until its user is known, at most for the tenant's lifetime of pending links; returns an id that works once.
 */
export async function createPendingLink(call: OperationCall, tenant: Tenant, pendingIdPLink: PendingIdPLink): Promise<string> {
  const { pendingAccountLinkTimeToLiveInSeconds: seconds } = accountSettingsOf(tenant).externalIdentifierConfiguration;
  const { clock, newId, random } = call.service.runtime;
  const pendingIdPLinkId = Buffer.from(random(32)).toString("base64url");
  const now = clock();
  const columns = { digest: digestSecret(pendingIdPLinkId), expirationInstant: now + 1_000 * seconds };
  const texts = { json: toCanonicalJson(pendingIdPLink), hidden: null };
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const record = { id: newId(), tenantId: tenant.id, version: 1, ...instants, ...texts, columns };
  await call.write((write) => write.tx.insert(tenantScope(tenant.id), pendingLinksTable, [record]));
  return pendingIdPLinkId;
}
