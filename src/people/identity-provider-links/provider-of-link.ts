import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { identityProviderLinksTable } from "../../records/identity-provider-links/family.js";
import type { IdentityProviderLink } from "../../records/identity-provider-links/schema.js";
import { identityProvidersTable } from "../../records/identity-providers/family.js";
import type { IdentityProvider } from "../../records/identity-providers/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";

/**
 * Checks that users of a tenant can be linked to accounts at a provider.
 * @throws IdentityError 400 `[invalid]identityProviderLink.identityProviderId` for one that is unknown or of another tenant.
 */
export async function assertProviderOfTenant(call: OperationCall, identityProviderId: string, tenantId: string): Promise<void> {
  const stored = await call.reader.retrieve(globalScope, identityProvidersTable, identityProviderId);
  const isKnown = stored !== undefined && (stored.tenantId === null || stored.tenantId === tenantId);
  if (!isKnown) throw fieldError("invalid", "identityProviderLink.identityProviderId");
}

/**
 * @throws IdentityError 400 `[tooMany]identityProviderLink.userId` for a user with as many links to the provider as its tenant
 * allows.
 */
export async function assertLinkLimit(call: OperationCall, link: IdentityProviderLink): Promise<void> {
  const { identityProviderId, tenantId, userId } = link;
  const stored = await call.reader.retrieve(globalScope, identityProvidersTable, identityProviderId);
  const limit = stored && parseRecord<IdentityProvider>(stored).tenantConfiguration[tenantId]?.limitUserLinkCount;
  if (limit?.enabled !== true) return;
  const filters = [equalsFilter("identityProviderId", identityProviderId), equalsFilter("userId", userId)];
  const limited = { limit: limit.maximumLinks };
  const found = await call.reader.find(tenantScope(tenantId), identityProviderLinksTable, { op: "and", filters }, limited);
  if (found.length < limit.maximumLinks) return;
  throw new FieldErrorList().add("tooMany", "identityProviderLink.userId").toError();
}

/** The members of a link about its provider; empty for a removed provider and one that never had a record. */
export type ProviderOfLink = Pick<IdentityProviderLink, "identityProviderName" | "identityProviderType">;

/** The members of links about their providers. One statement for all. */
export async function findProvidersOf(
  call: OperationCall,
  links: readonly IdentityProviderLink[],
): Promise<(link: IdentityProviderLink) => ProviderOfLink> {
  const values = [...new Set(links.map(({ identityProviderId }) => identityProviderId))];
  const found =
    values.length === 0 ? [] : await call.reader.find(globalScope, identityProvidersTable, { op: "in", column: "id", values });
  const known = new Map(found.map((stored) => [stored.id, parseRecord<IdentityProvider>(stored)]));
  return ({ identityProviderId }) => {
    const { name, type } = known.get(identityProviderId) ?? {};
    return { identityProviderName: name, identityProviderType: type };
  };
}

/** The wire texts of links. */
export async function presentLinks(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const links = records.map((record) => parseRecord<IdentityProviderLink>(record));
  const providerOf = await findProvidersOf(call, links);
  return links.map((link) => toCanonicalJson({ ...link, ...providerOf(link) }));
}
