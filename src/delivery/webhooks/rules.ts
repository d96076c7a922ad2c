import { isDeepStrictEqual } from "node:util";
import { FieldErrorList } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseRecord,
  type Reference,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { globalDirectoryContext, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { insertLinks } from "../../operations/references/links.js";
import type { DirectoryApplication } from "../../ports/directory.js";
import { globalScope, type StoredRecord, type Table } from "../../ports/storage.js";
import { webhookApplicationsTable, webhookFamily, webhookTenantsTable } from "../../records/webhooks/family.js";
import type { ParsedWebhookRequest, Webhook, WebhookRequest } from "../../records/webhooks/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";
import { readListener, saveEarlierPart, toListener } from "../integrations/earlier-receivers.js";
import { testWebhook } from "./test-webhook.js";

/** The family of webhooks (docs/reference/webhooks.md#fields). */
export const webhooks: Family<Webhook, ParsedWebhookRequest> = {
  ...webhookFamily,
  referencesOf,
  rules: {
    toDraft,
    check,
    afterWrite,
    outboundUrls: ({ url }) => [{ setting: "url", url, loss: "gets no events" }],
    beforeRemove: keepListener,
    toRequestDocument,
    present,
  },
};

const signaturePath = "webhook.signatureConfiguration.signingKeyId";
const certificatePath = "webhook.sslCertificateKeyId";

function toDraft(_call: WriteCall, request: ParsedWebhookRequest, context: DraftContext<Webhook>): Draft<Webhook> {
  const { id, now, current } = context;
  const { webhook } = request;
  const insertInstant = current?.record.insertInstant ?? now;
  // A webhook for the events of all tenants has no lists of tenants or applications.
  const lists = webhook.global ? { tenantIds: [], applicationIds: [] } : {};
  return {
    record: { ...webhook, ...lists, id, insertInstant, lastUpdateInstant: now },
    columns: {
      urlFolded: foldText(webhook.url),
      descriptionFolded: webhook.description === undefined ? null : foldText(webhook.description),
      global: webhook.global,
    },
  };
}

function referencesOf({ signatureConfiguration, sslCertificateKeyId }: Webhook): readonly Reference[] {
  const keys = { [signaturePath]: signatureConfiguration.signingKeyId, [certificatePath]: sslCertificateKeyId };
  return Object.entries(keys).flatMap(([path, id]) => (id === undefined ? [] : [{ path, table: "keys", id }]));
}

async function check(call: WriteCall, { draft }: Change<Webhook, ParsedWebhookRequest>): Promise<void> {
  const { tenantIds, applicationIds = [] } = draft.record;
  const errors = new FieldErrorList();
  const tenants = await findByIds(call, call.service.tenantsTable, tenantIds);
  if (tenants.length < tenantIds.length) errors.add("invalid", "webhook.tenantIds");
  const applications = await findApplications(call, applicationIds);
  if (applications.length < applicationIds.length) errors.add("invalid", "webhook.applicationIds");
  errors.throwIfAny();
}

function findByIds(call: OperationCall, table: Table, ids: readonly string[]): Promise<readonly StoredRecord[]> {
  return ids.length === 0 ? Promise.resolve([]) : call.reader.find(globalScope, table, { op: "in", column: "id", values: ids });
}

async function findApplications(call: WriteCall, ids: readonly string[]): Promise<readonly DirectoryApplication[]> {
  return ids.length === 0 ? [] : call.service.directory.findApplications(globalDirectoryContext(call), ids);
}

async function afterWrite(call: WriteCall, change: Change<Webhook, ParsedWebhookRequest>): Promise<void> {
  const { draft, original } = change;
  call.tx.afterCommit(call.service.eventSettings.invalidate);
  if (original === undefined) await saveEarlierPart(call.service, call.tx, { webhook: { id: draft.record.id } });
  else {
    const listener = await readListener(call.tx, original);
    const next = toListener(draft.record, draft.record.tenantIds.toSorted());
    if (!isDeepStrictEqual(listener, next))
      await saveEarlierPart(call.service, call.tx, { webhook: { id: original.id, listener } });
    if (listener.types.some((type) => !next.types.includes(type)))
      call.tx.afterCommit(() => call.service.endDeliveries(original.id));
  }
  await replaceLinks(call, change);
}

async function keepListener({ service, tx }: WriteCall, webhook: Webhook): Promise<void> {
  await saveEarlierPart(service, tx, { webhook: { id: webhook.id, listener: await readListener(tx, webhook) } });
  tx.afterCommit(() => service.endDeliveries(webhook.id));
  tx.afterCommit(service.eventSettings.invalidate);
}

async function replaceLinks(call: WriteCall, { draft, kind }: Change<Webhook, ParsedWebhookRequest>): Promise<void> {
  const { id: webhookId, tenantIds, applicationIds = [] } = draft.record;
  const own = equalsFilter("webhookId", webhookId);
  if (kind === "update")
    for (const table of [webhookTenantsTable, webhookApplicationsTable]) await call.tx.remove(globalScope, table, own);
  const tenants = tenantIds.map((tenantId) => ({ tenantId, columns: { webhookId } }));
  await insertLinks(call, webhookTenantsTable, tenants);
  const applications = await findApplications(call, applicationIds);
  const links = applications.map(({ id, tenantId }) => ({ tenantId, columns: { webhookId, applicationId: id } }));
  await insertLinks(call, webhookApplicationsTable, links);
}

async function toRequestDocument(call: OperationCall, { id }: StoredRecord, webhook: Webhook): Promise<Record<string, unknown>> {
  const listsOf = await findLists(call, [id]);
  return { webhook: { ...webhook, ...listsOf(webhook) } };
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const ids = records.map((record) => record.id);
  const listsOf = await findLists(call, ids);
  const shown = records.map((record) => parseRecord<Webhook>(record));
  return shown.map((webhook) => toCanonicalJson({ ...webhook, ...listsOf(webhook) }));
}

type Lists = Pick<Webhook, "tenantIds" | "applicationIds">;

/**
 * The current tenants and applications of webhooks, in their listed order: some may have been removed, and a tenant may have
 * added itself. Two statements for all webhooks.
 */
async function findLists(call: OperationCall, ids: readonly string[]): Promise<(webhook: Webhook) => Lists> {
  const tenants = await findLinked(call, webhookTenantsTable, ids);
  const applications = await findLinked(call, webhookApplicationsTable, ids);
  return ({ id, tenantIds, applicationIds = [] }) => ({
    tenantIds: inOrderOf(tenantIds, tenants.get(id)),
    applicationIds: inOrderOf(applicationIds, applications.get(id)),
  });
}

interface StoredLink {
  readonly webhookId: string;
  readonly tenantId: string;
  readonly applicationId?: string;
}

async function findLinked(
  call: OperationCall,
  table: Table,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const records = await call.reader.find(globalScope, table, { op: "in", column: "webhookId", values: webhookIds });
  const links = records.map((record) => JSON.parse(record.json) as StoredLink);
  const byWebhook = Map.groupBy(links, (link) => link.webhookId);
  return new Map([...byWebhook].map(([id, own]) => [id, new Set(own.map((link) => link.applicationId ?? link.tenantId))]));
}

function inOrderOf(listed: readonly string[], linked: ReadonlySet<string> = new Set()): string[] {
  return [...new Set([...listed.filter((id) => linked.has(id)), ...linked])];
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = {
  test: testWebhook,
};

export const example: FamilyExample<WebhookRequest> = ({ number }) => ({
  webhook: { url: `https://webhook.example/${number}`, connectTimeout: 1_000, readTimeout: 2_000, global: true },
});
