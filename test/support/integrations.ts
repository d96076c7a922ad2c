import { globalScope, type StoredRecord } from "latchkey/ports";
import type { Integrations, SmsIntegration } from "latchkey/types";
import { integrationsTable } from "../../src/records/integrations/family.js";
import { uuid, type World } from "./world.js";

/** The path of the integrations. */
export const integrationsPath = "/api/integration";

/** The initial integrations, since 1.26.0. */
export const noIntegrations: Integrations = {
  broker: { enabled: false, producer: {} },
  moderation: { enabled: false, usernameModeration: { enabled: false } },
};

/** Every field since 1.26.0. */
export const allIntegrations: Integrations = {
  broker: {
    defaultTopic: "identity.events",
    enabled: true,
    producer: {
      "bootstrap.servers": "localhost:9092",
      "max.block.ms": "5000",
      "request.timeout.ms": "2000",
      "sasl.password": "producer-secret",
    },
  },
  moderation: {
    apiKey: "moderation-secret",
    applicationIds: [uuid(2), uuid(3)],
    enabled: true,
    url: "https://moderation.example.com:9000/base",
    usernameModeration: { applicationId: uuid(1), enabled: true },
  },
};

/** The further fields of versions before 1.26.0. */
export const allSms: SmsIntegration = {
  accountSID: "AC123",
  authToken: "sms-secret",
  enabled: true,
  fromPhoneNumber: "+15550100",
  messagingServiceSid: "MG123",
  url: "https://sms.example.com",
};

/** The stored records: one. */
export function readStored({ storage }: World): Promise<readonly StoredRecord[]> {
  return storage.find(globalScope, integrationsTable, undefined);
}
