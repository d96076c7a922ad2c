import { fieldError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { SendSms } from "../../ports/event-transport.js";
import type { StorageReader } from "../../ports/storage.js";
import { loadIntegrations } from "../../resources/integrations/rules.js";
import { createSmsSender, type SmsProvider } from "./sms-over-http.js";

/** Whether text messages could leave this process: by the host's function, or in a version that has the integration. */
export function canSendSms({ availability, sendSms }: ServiceContext): boolean {
  return sendSms !== undefined || !availability.absentFields("integrations").some(([name]) => name === "sms");
}

/** How this service sends text messages: by the host's function, else over HTTP as the integration says; undefined when there is neither. */
async function findSmsSender(service: ServiceContext, reader: StorageReader): Promise<SendSms | undefined> {
  if (service.sendSms !== undefined || !canSendSms(service)) return service.sendSms;
  const { enabled, accountSID, authToken, url, ...sender } = (await loadIntegrations(service, reader)).sms;
  if (!enabled || accountSID === undefined || authToken === undefined || url === undefined) return undefined;
  const provider: SmsProvider = { ...sender, accountSID, authToken, url };
  return createSmsSender(service.http, provider);
}

/** How this service sends text messages. @throws IdentityError 400 `[notConfigured]` when it has no way to (docs/reference/two-factor.md). */
export async function requireSmsSender({ reader, service }: OperationCall): Promise<SendSms> {
  const send = await findSmsSender(service, reader);
  if (send === undefined) throw fieldError("notConfigured", `integrations.${service.names.sms}`);
  return send;
}

/** Sends a message as the service does by then: what was configured when it was queued may be another account. */
export function sendByGateway(service: ServiceContext): SendSms {
  return async (message) => {
    const send = await findSmsSender(service, service.storage);
    return send === undefined ? { kind: "failed", reason: "notConfigured" } : send(message);
  };
}
