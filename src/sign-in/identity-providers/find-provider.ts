import { fieldError, generalError } from "../../errors/identity-error.js";
import { openRecord } from "../../operations/family/wire-records.js";
import type { OperationCall } from "../../operations/operation.js";
import type { IdentityProviderClient, SignInRecord } from "../../ports/sign-in.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { identityProviderFamily, identityProvidersTable } from "../../records/identity-providers/family.js";
import type { IdentityProvider, IdentityProviderApplication } from "../../records/identity-providers/schema.js";
import { identityProviderTypeRows } from "../../records/identity-providers/types.js";
import { findFlowScope } from "../../sessions/subjects/flow-call.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { isObject } from "../../shared/objects.js";
import { findCurrent } from "./current-provider.js";

/** The provider of a login, and the login's tenant and application. */
export interface LoginContext {
  readonly client: IdentityProviderClient;
  readonly configuration: IdentityProviderApplication;
  readonly place: LoginScope;
  readonly provider: IdentityProvider;
  /** The provider as its client sees it: settings of the application override its own. */
  readonly record: SignInRecord;
}

interface NamedProvider {
  readonly applicationId: string;
  readonly identityProviderId: string;
}

/**
 * The provider of a login, with decrypted secrets.
 * @throws IdentityError 400 `[invalid]applicationId`; `[invalid]identityProviderId` for a provider that is unknown or of another
 * tenant, `[disabled]…` for one that does not serve the application, `[notConfigured]…` without a client for its type; 401 when
 * the application requires a credential.
 */
export async function findLoginProvider(
  call: OperationCall,
  { applicationId, identityProviderId }: NamedProvider,
): Promise<LoginContext> {
  const place = await findFlowScope(call, applicationId);
  if (call.principal === undefined && place.application?.loginConfiguration.requireAuthentication)
    throw generalError("unauthorized");
  const stored = await call.reader.retrieve(globalScope, identityProvidersTable, identityProviderId);
  if (stored === undefined || !serves(stored, place.tenant.id)) throw fieldError("invalid", "identityProviderId");
  const provider = await openProvider(call, stored);
  const configuration = provider.applicationConfiguration[applicationId];
  if (!provider.enabled || configuration?.enabled !== true) throw fieldError("disabled", "identityProviderId");
  call.service.availability.assertValues("identityProvider", { identityProvider: provider });
  const client = call.service.identityProviders.find(({ types }) => types.includes(provider.type));
  if (client === undefined) throw fieldError("notConfigured", "identityProviderId", missingClient(provider));
  return { client, configuration, place, provider, record: toSignInRecord(provider, configuration) };
}

function missingClient({ type }: IdentityProvider): string {
  return `The option identityProviders of the service has no client for providers of the type ${type}.`;
}

/** Whether a provider serves users of a tenant: it is global, or belongs to the tenant. */
export function serves({ tenantId }: StoredRecord, ofTenant: string): boolean {
  return tenantId === null || tenantId === ofTenant;
}

async function openProvider(call: OperationCall, stored: StoredRecord): Promise<IdentityProvider> {
  const toCurrent = await findCurrent(call, [stored.id]);
  return toCurrent(openRecord<IdentityProvider>(call.service.sealer, identityProviderFamily, stored));
}

// An empty text in the application's settings, as from an empty form field, overrides nothing.
function toSignInRecord(provider: IdentityProvider, configuration: IdentityProviderApplication): SignInRecord {
  const { applicationMembers } = identityProviderTypeRows[provider.type];
  const own = Object.entries(configuration).filter(([name, value]) => applicationMembers.includes(name) && value !== "");
  const members: Record<string, unknown> = { ...provider };
  for (const [name, value] of own) {
    const before = members[name];
    members[name] = isObject(value) && isObject(before) ? { ...before, ...value } : value;
  }
  return { ...members, id: provider.id, name: provider.name, type: provider.type };
}
