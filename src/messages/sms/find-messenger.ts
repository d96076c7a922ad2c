import { writeEventLog } from "../../audit/event-logs/rules.js";
import { openRecord } from "../../operations/family/wire-records.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { SendSms } from "../../ports/event-transport.js";
import { globalScope, type StorageReader } from "../../ports/storage.js";
import { messengerFamily, messengersTable } from "../../records/messengers/family.js";
import type { Messenger, MessengerType } from "../../records/messengers/schema.js";
import { createBrokerSender, createJsonSender, createSmsSender, type SmsProvider } from "./create-sender.js";

/** Sends through an account of the provider; undefined for an incomplete one. */
export function createProviderSender({ http }: ServiceContext, account: Partial<SmsProvider>): SendSms | undefined {
  const { accountSID, authToken, fromPhoneNumber, messagingServiceSid, url } = account;
  if (accountSID === undefined || authToken === undefined || url === undefined) return undefined;
  return createSmsSender(http, { accountSID, authToken, fromPhoneNumber, messagingServiceSid, url });
}

/** Returns the sender of a messenger; undefined for a deleted one. */
export async function findMessenger(service: ServiceContext, reader: StorageReader, id: string): Promise<SendSms | undefined> {
  const stored = await reader.retrieve(globalScope, messengersTable, id);
  if (stored === undefined) return undefined;
  const messenger = openRecord<Messenger>(service.sealer, messengerFamily, stored);
  const send = createSender[messenger.type](service, messenger);
  return send && messenger.debug ? withLog(service, messenger, send) : send;
}

const createSender: Readonly<Record<MessengerType, (service: ServiceContext, messenger: Messenger) => SendSms | undefined>> = {
  Generic: ({ http }, messenger) => createJsonSender(http, messenger),
  broker: ({ brokers }, messenger) => createBrokerSender(brokers, messenger),
  sms: createProviderSender,
};

// The entry contains neither the number nor the text.
function withLog(service: ServiceContext, { id, name }: Messenger, send: SendSms): SendSms {
  return async (message) => {
    const outcome = await send(message);
    const result = outcome.kind === "ok" ? "taken" : `${outcome.kind}: ${outcome.reason}`;
    const entry = `The messenger ${name} (${id}) was sent the text message ${message.id}. It was ${result}.`;
    await service.storage.transaction((tx) => writeEventLog({ service, tx }, { message: entry, type: "Debug" }));
    return outcome;
  };
}
