import { assertProducer } from "../../delivery/integrations/broker-connections.js";
import type { Draft, DraftContext, Family, OutboundUrl } from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import type { WriteCall } from "../../operations/operation.js";
import type { Names } from "../../ports/names.js";
import { messengerFamily } from "../../records/messengers/family.js";
import type { Messenger, MessengerFields, MessengerRequest, ParsedMessengerRequest } from "../../records/messengers/schema.js";
import { foldText } from "../../shared/text.js";

/** The family of messengers (docs/messengers.md). */
export const messengers: Family<Messenger, ParsedMessengerRequest> = { ...messengerFamily, rules: { toDraft, outboundUrls } };

function outboundUrls({ url }: Messenger): readonly OutboundUrl[] {
  return [{ setting: "url", url, loss: "sends nothing" }];
}

function toDraft(
  { service }: WriteCall,
  { messenger }: ParsedMessengerRequest,
  { id, now, current }: DraftContext<Messenger>,
): Draft<Messenger> {
  if (messenger.type === "broker") assertProducer(service, messenger.producer ?? {}, "messenger.producer");
  const insertInstant = current?.record.insertInstant ?? now;
  return {
    record: { ...toOwnFields(service.names, messenger), id, insertInstant, lastUpdateInstant: now },
    columns: { nameFolded: foldText(messenger.name) },
  };
}

// Drops members of other types: their secrets would stay stored without use.
function toOwnFields(names: Names, fields: MessengerFields): MessengerFields {
  const { data, debug, messageTypes, name, transport, type, url = "" } = fields;
  const common = { data, debug, messageTypes: [...new Set(messageTypes)], name, transport, type };
  if (type === "sms") {
    const { accountSID, authToken, fromPhoneNumber, messagingServiceSid } = fields;
    const address = url.trim() === "" ? `https://api.${names.sms}.com` : url;
    return { ...common, accountSID, authToken, fromPhoneNumber, messagingServiceSid, url: address };
  }
  if (type === "broker") return { ...common, defaultTopic: fields.defaultTopic, producer: fields.producer };
  const { connectTimeout, headers = {}, httpAuthenticationPassword, httpAuthenticationUsername, readTimeout } = fields;
  const credentials = { httpAuthenticationPassword, httpAuthenticationUsername };
  return { ...common, connectTimeout, headers, ...credentials, readTimeout, sslCertificate: fields.sslCertificate, url };
}

export const example: FamilyExample<MessengerRequest> = ({ number }) => ({
  messenger: {
    name: `Messenger ${number}`,
    type: "Generic",
    url: "https://example.com/messages",
    connectTimeout: 1_000,
    readTimeout: 2_000,
  },
});
