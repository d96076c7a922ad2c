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

/** Whether text messages are sent by messengers (from 1.26.0 on): before, by the integration. */
function hasMessengers({ availability }: ServiceContext): boolean {
  return availability.absentFields("integrations").some(([name]) => name === "sms");
}

/**
 * How this service sends text messages: by the host's function, else over HTTP as the messenger or the integration says; undefined when
 * there is none of them.
 */
async function findSmsSender(service: ServiceContext, reader: StorageReader, messengerId?: string): Promise<SendSms | undefined> {
  if (service.sendSms !== undefined) return service.sendSms;
  if (hasMessengers(service)) return messengerId === undefined ? undefined : findMessenger(service, reader, messengerId);
  const { enabled, ...account } = (await loadIntegrations(service, reader)).sms;
  return enabled ? createProviderSender(service, account) : undefined;
}

/** The messenger of a tenant's own texts: that of its account flows, else that of second factors, which is all that versions before 1.59.0 have. */
export function messengerIdOf(tenant: StoredRecord): string | undefined {
  const { multiFactorConfiguration, phoneConfiguration } = parseRecord<Partial<Tenant>>(tenant);
  return phoneConfiguration?.messengerId ?? multiFactorConfiguration?.sms?.messengerId;
}

/** Whether this service can send text messages by this messenger, or by the host's function or the integration, which need none. */
export async function canSendSms(
  { reader, service }: Pick<OperationCall, "reader" | "service">,
  messengerId: string | undefined,
): Promise<boolean> {
  return (await findSmsSender(service, reader, messengerId)) !== undefined;
}

/** How this service sends text messages. @throws IdentityError 400 `[notConfigured]` when it has no way to (docs/reference/two-factor.md). */
export async function requireSmsSender({ reader, service }: OperationCall, messengerId?: string): Promise<SendSms> {
  const send = await findSmsSender(service, reader, messengerId);
  if (send === undefined) throw fieldError("notConfigured", `integrations.${service.names.sms}`);
  return send;
}

/** Sends a message as the service does by then: what was configured when it was queued may be another account. */
export function sendByGateway(service: ServiceContext): SendSms {
  return async (message) => {
    const send = await findSmsSender(service, service.storage, message.messengerId);
    return send === undefined ? { kind: "failed", reason: "notConfigured" } : send(message);
  };
}

/** Sends a text message for somebody who waits, unless the call is a dry run. @throws IdentityError 503 `[smsFailed]` when it was not taken. */
export async function sendAtOnce(call: OperationCall, send: SendSms, message: SmsMessage): Promise<void> {
  if (call.isDryRun) return;
  const outcome = await trySend(call.service.runtime.timers, send, () => message);
  if (outcome.kind === "ok") return;
  throw generalError("smsFailed", undefined, { cause: new Error(`The text message was not sent: ${outcome.reason}`) });
}
