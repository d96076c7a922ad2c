import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import { optionalId } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { identityProviderDomainsTable, identityProvidersTable } from "../../records/identity-providers/family.js";
import type { IdentityProvider } from "../../records/identity-providers/schema.js";
import { formsOfDomain } from "../../shared/email-address.js";
import { findCurrent } from "./current-provider.js";

/**
 * GET: the provider for the domain of an address (docs/reference/identity-providers.md#domains): the tenant's before a global
 * one.
 * @throws IdentityError 400 `[missing]domain`; 404 without an enabled provider.
 */
export async function findProviderOfDomain(call: OperationCall): Promise<OperationResult> {
  const { domain = "" } = call.params;
  const names = formsOfDomain(domain.slice(domain.lastIndexOf("@") + 1));
  if (names.length === 0) throw fieldError("missing", "domain");
  const tenantId = call.scope.kind === "tenant" ? call.scope.tenantId : optionalId(call, "tenantId");
  const values = tenantId === undefined ? [""] : [tenantId, ""];
  const filters = [
    { op: "in", column: "domain", values: names },
    { op: "in", column: "owner", values },
  ] as const;
  const found = await call.reader.find(globalScope, identityProviderDomainsTable, { op: "and", filters });
  const rows = found.map(({ json }) => JSON.parse(json) as { readonly identityProviderId: string; readonly owner: string });
  for (const { identityProviderId } of rows.toSorted((a, b) => (a.owner > b.owner ? -1 : 1))) {
    const provider = await findEnabled(call, identityProviderId);
    if (provider !== undefined) return { status: 200, json: toCanonicalJson({ identityProvider: describe(provider, call) }) };
  }
  throw generalError("notFound");
}

async function findEnabled(call: OperationCall, id: string): Promise<IdentityProvider | undefined> {
  const stored = await call.reader.retrieve(globalScope, identityProvidersTable, id);
  if (stored === undefined) return undefined;
  const provider = (await findCurrent(call, [id]))(parseRecord<IdentityProvider>(stored));
  return provider.enabled ? provider : undefined;
}

function describe(provider: IdentityProvider, { principal }: OperationCall): object {
  const { applicationConfiguration, id, name, oauth2, tenantId, type } = provider;
  const enabled = Object.entries(applicationConfiguration).filter(([, { enabled: isEnabled }]) => isEnabled);
  // A caller without a credential must not learn the applications.
  const applicationIds = principal === undefined ? [] : enabled.map(([applicationId]) => applicationId);
  const { authorization_endpoint, token_endpoint } = oauth2 ?? {};
  return {
    applicationIds,
    id,
    name,
    tenantId,
    type,
    ...(type === "ExternalJWT" && { oauth2: { authorization_endpoint, token_endpoint } }),
  };
}
