import { toCanonicalJson } from "../../json/canonical-json.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  type OutboundUrl,
  parseRecord,
} from "../../operations/family/family.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import { openRecord, sealFields } from "../../operations/family/wire-records.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { Names } from "../../ports/names.js";
import { globalScope, type StorageReader, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { integrationFamily, integrationsTable } from "../../records/integrations/family.js";
import type { Integrations, IntegrationsRecord, ParsedIntegrationsRequest } from "../../records/integrations/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { assertProducer } from "./broker-connections.js";
import { brokerId, saveEarlierPart } from "./earlier-receivers.js";

/** The settings before any are stored. */
const defaultIntegrations: Required<Integrations> = {
  moderation: { enabled: false, usernameModeration: { enabled: false } },
  broker: { enabled: false, producer: {} },
  sms: { enabled: false },
};

/** The id of the only record: fixed, so that a storage cannot hold two. Never on the wire. */
const onlyId = "00000000-0000-0000-0000-000000000001";

/** The family of the single integrations object (docs/reference/integrations.md#object). */
export const integrations: Family<IntegrationsRecord, ParsedIntegrationsRequest> = {
  ...integrationFamily,
  locate: () => equalsFilter("id", onlyId),
  rules: {
    toDraft: (call, request, context) => {
      assertBroker(call.service, request);
      return toIntegrationsDraft(call.service.names, request, context);
    },
    afterWrite: keepBroker,
    outboundUrls,
    toRequestDocument: async (_call, _stored, record) => ({ integrations: withoutBase(record) }),
    present,
  },
};

function outboundUrls({ moderation, sms }: IntegrationsRecord): readonly OutboundUrl[] {
  const moderationUrl = moderation.enabled ? moderation.url : undefined;
  const smsUrl = sms.enabled ? sms.url : undefined;
  return [
    { setting: "moderation.url", url: moderationUrl, subject: "The integration for moderation", loss: "decides on no username" },
    { setting: "sms.url", url: smsUrl, subject: "The integration for texts", loss: "sends none" },
  ];
}

function assertBroker(service: ServiceContext, { integrations: { broker } }: ParsedIntegrationsRequest): void {
  if (broker.enabled) assertProducer(service, broker.producer, `integrations.${service.names.broker}.producer`);
}

function toIntegrationsDraft(
  names: Names,
  { integrations: { moderation, broker, sms } }: ParsedIntegrationsRequest,
  { id, now, current }: Pick<DraftContext<IntegrationsRecord>, "id" | "now" | "current">,
): Draft<IntegrationsRecord> {
  const insertInstant = current?.record.insertInstant ?? now;
  const smsUrl = sms.url ?? `https://api.${names.sms}.com`;
  return {
    record: { moderation, broker, sms: { ...sms, url: smsUrl }, id, insertInstant, lastUpdateInstant: now },
    columns: {},
  };
}

async function keepBroker({ service, tx }: WriteCall, { draft, original }: Change<IntegrationsRecord, unknown>): Promise<void> {
  const isBrokerEnabled = original?.broker.enabled ?? false;
  if (isBrokerEnabled === draft.record.broker.enabled) return;
  tx.afterCommit(service.eventSettings.invalidate);
  await saveEarlierPart(service, tx, { isBrokerEnabled });
  if (isBrokerEnabled) tx.afterCommit(() => service.endDeliveries(brokerId));
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  return records.map((stored) => toCanonicalJson(withoutBase(openRecord(call.service.sealer, integrations, stored))));
}

function withoutBase({ moderation, broker, sms }: IntegrationsRecord): Required<Integrations> {
  return { moderation, broker, sms };
}

/** All integrations, with open secrets, even those that the service's version lacks. */
export async function loadIntegrations(
  { sealer }: Pick<ServiceContext, "sealer">,
  reader: StorageReader,
): Promise<Required<Integrations>> {
  const stored = await reader.retrieve(globalScope, integrationsTable, onlyId);
  return stored === undefined ? defaultIntegrations : openRecord<IntegrationsRecord>(sealer, integrations, stored);
}

/** The integration that moderates usernames, with its open secret; undefined, without opening any, when disabled. */
export async function findUsernameModeration(
  { sealer }: Pick<ServiceContext, "sealer">,
  reader: StorageReader,
): Promise<Required<Integrations>["moderation"] | undefined> {
  const stored = await reader.retrieve(globalScope, integrationsTable, onlyId);
  if (stored === undefined) return undefined;
  const { enabled, usernameModeration } = parseRecord<IntegrationsRecord>(stored).moderation;
  if (!enabled || !usernameModeration.enabled) return undefined;
  return openRecord<IntegrationsRecord>(sealer, integrations, stored).moderation;
}

/** Whether events go to a broker: determined without opening any secret. */
export async function readBrokerState(reader: StorageReader): Promise<boolean> {
  const stored = await reader.retrieve(globalScope, integrationsTable, onlyId);
  const { broker }: Partial<Integrations> = stored === undefined ? {} : parseRecord<IntegrationsRecord>(stored);
  return broker?.enabled === true;
}

/** The integrations of every service from its first start: none is enabled. */
export async function makeBuiltIn(tx: Transaction, { names, runtime, sealer }: ServiceContext): Promise<void> {
  const context = { id: onlyId, now: runtime.clock(), current: undefined };
  const draft = toIntegrationsDraft(names, { integrations: defaultIntegrations }, context);
  const record = toRecordToStore(sealFields(sealer, integrations, draft), null, 1);
  await tx.insert(globalScope, integrationsTable, [record]);
}
