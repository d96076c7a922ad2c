import { writeEventLog } from "../../audit/event-logs/rules.js";
import type { OperationCall } from "../../operations/operation.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";

interface Refusal {
  /** Needs an administrator's attention, such as a copied passkey. */
  readonly isSevere: boolean;
  /** Absent for a new passkey. */
  readonly passkeyId?: string | undefined;
  /** A sentence for the event log. */
  readonly reason: string;
}

/** Writes the reason of a refusal to the event log: severe ones always, others when the tenant's `debug` is on. */
export async function recordPasskeyFailure(
  call: OperationCall,
  tenant: Tenant,
  { isSevere, passkeyId, reason }: Refusal,
): Promise<void> {
  if (call.isDryRun || !(isSevere || accountSettingsOf(tenant).webAuthnConfiguration.debug)) return;
  const subject = passkeyId === undefined ? "A new passkey" : `Passkey ${passkeyId}`;
  const message = `${subject} of the tenant ${tenant.id} was refused. ${reason}`.slice(0, 2_000);
  await call.write((write) => writeEventLog(write, { message, type: isSevere ? "Error" : "Debug" }));
}
