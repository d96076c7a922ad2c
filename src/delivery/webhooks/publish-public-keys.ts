import type { WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";

/** The keys that sign tokens of an application or of a tenant's applications. */
export interface SigningKeys {
  readonly accessTokenKeyId?: string | undefined;
  readonly idTokenKeyId?: string | undefined;
}

function areSame(one: SigningKeys, other: SigningKeys): boolean {
  return one.accessTokenKeyId === other.accessTokenKeyId && one.idTokenKeyId === other.idTokenKeyId;
}

interface Holder {
  readonly id: string;
  readonly jwtConfiguration: SigningKeys;
}

/**
 * Publishes `jwt.public-key.update` if the keys that sign an application's tokens have changed
 * (docs/reference/events.md#event-types).
 */
export async function publishApplicationKeys(
  call: WriteCall,
  application: Holder & { readonly tenantId: string },
  original: Holder | undefined,
): Promise<void> {
  if (original === undefined || areSame(application.jwtConfiguration, original.jwtConfiguration)) return;
  const { id, tenantId } = application;
  await tell(call, { id, tenantId }, [id]);
}

/** Like {@link publishApplicationKeys}, for the keys of a tenant: the event names all of its applications. */
export async function publishTenantKeys(call: WriteCall, { id, jwtConfiguration }: Holder, original?: Holder): Promise<void> {
  if (original === undefined || areSame(jwtConfiguration, original.jwtConfiguration)) return;
  const applications = await call.reader.find(tenantScope(id), applicationsTable, undefined);
  const applicationIds = applications.map((application) => application.id);
  await tell(call, { id, tenantId: id }, applicationIds);
}

async function tell(
  call: WriteCall,
  { id: linkedObjectId, tenantId }: { readonly id: string; readonly tenantId: string },
  applicationIds: readonly string[],
): Promise<void> {
  await publishEvent(call, { type: "jwt.public-key.update", tenantId, linkedObjectId, fields: { applicationIds } });
}
