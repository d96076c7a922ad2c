import { trySend } from "../../delivery/engine/try-send.js";
import { loadIntegrations } from "../../delivery/integrations/rules.js";
import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { SendSms, SmsMessage } from "../../ports/event-transport.js";
import type { StorageReader, StoredRecord } from "../../ports/storage.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { createProviderSender, findMessenger } from "./find-messenger.js";

/** Whether messengers send text messages (from 1.26.0 on), not the integration. */
function hasMessengers({ availability }: ServiceContext): boolean {
  return availability.absentFields("integrations").some(([name]) => name === "sms");
}

/**
 * Returns the sender of this service: the host's function, else the messenger or the integration over HTTP; undefined for none.
 */
async function findSmsSender(service: ServiceContext, reader: StorageReader, messengerId?: string): Promise<SendSms | undefined> {
  if (service.sendSms !== undefined) return service.sendSms;
  if (hasMessengers(service)) return messengerId === undefined ? undefined : findMessenger(service, reader, messengerId);
  const { enabled, ...account } = (await loadIntegrations(service, reader)).sms;
  return enabled ? createProviderSender(service, account) : undefined;
}

/** The messenger of a tenant's texts: that of its account flows, else that of second factors, the only one before 1.59.0. */
export function messengerIdOf(tenant: StoredRecord): string | undefined {
  const { multiFactorConfiguration, phoneConfiguration } = parseRecord<Partial<Tenant>>(tenant);
  return phoneConfiguration?.messengerId ?? multiFactorConfiguration?.sms?.messengerId;
}

/**
 * Whether this service can send text messages: by the messenger, or by the host's function or the integration, which need none.
 */
export async function canSendSms(
  { reader, service }: Pick<OperationCall, "reader" | "service">,
  messengerId: string | undefined,
): Promise<boolean> {
  return (await findSmsSender(service, reader, messengerId)) !== undefined;
}

/** Returns the sender of this service. @throws IdentityError 400 `[notConfigured]` without one (docs/reference/two-factor.md). */
export async function requireSmsSender({ reader, service }: OperationCall, messengerId?: string): Promise<SendSms> {
  const send = await findSmsSender(service, reader, messengerId);
  if (send === undefined) throw fieldError("notConfigured", `integrations.${service.names.sms}`);
  return send;
}

/**
 * Sends queued messages with the configuration at the time of sending, which may be another account than at the time of
 * queuing.
 */
export function sendByGateway(service: ServiceContext): SendSms {
  return async (message) => {
    const send = await findSmsSender(service, service.storage, message.messengerId);
    return send === undefined ? { kind: "failed", reason: "notConfigured" } : send(message);
  };
}

/**
 * Sends a text message for a waiting caller, unless the call is a dry run. @throws IdentityError 503 `[smsFailed]` when it was
 * not accepted.
 */
export async function sendAtOnce(call: OperationCall, send: SendSms, message: SmsMessage): Promise<void> {
  if (call.isDryRun) return;
  const outcome = await trySend(call.service.runtime.timers, send, () => message);
  if (outcome.kind === "ok") return;
  throw generalError("smsFailed", undefined, { cause: new Error(`The text message was not sent: ${outcome.reason}`) });
}
