import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { BaseRecord, SearchableFamily } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type Criteria, globalScope, type StoredRecord } from "../../ports/storage.js";
import {
  webhookAttemptLogsTable,
  webhookEventLogFamily,
  webhookEventLogSearch,
  webhookEventLogsTable,
} from "../../records/webhook-event-logs/family.js";
import type { WebhookAttemptLog, WebhookEventLog } from "../../records/webhook-event-logs/schema.js";
import { equalsFilter, parseGivenCriteria, type RawCriteria } from "../../search/parse-criteria.js";
import { isObjectOrList, valueAt } from "../../shared/objects.js";
import { startDelivery } from "../engine/delivery-state.js";
import { readReceivers } from "../integrations/find-receivers.js";
import { type LeasedEvent, readEvent, showEventLog, toEventRecord } from "../queues/leased-event.js";

/** The family of event logs, which the API cannot create. */
export const webhookEventLogs: SearchableFamily<BaseRecord, unknown> = {
  ...webhookEventLogFamily,
  rules: { present: (_call, records) => records.map(showEventLog) },
};

async function retrieveEventLog(call: OperationCall): Promise<OperationResult> {
  return { status: 200, json: await showLog(call, await loadLog(call)) };
}

async function loadLog(call: OperationCall): Promise<StoredRecord> {
  const id = requireId(call, "webhookEventLogId");
  const stored = await call.reader.retrieve(call.scope, webhookEventLogsTable, id);
  if (stored === undefined) throw generalError("notFound");
  return stored;
}

async function showLog(call: OperationCall, stored: StoredRecord): Promise<string> {
  const ofLog = equalsFilter("webhookEventLogId", stored.id);
  const sort = [{ column: "insertInstant", direction: "asc" } as const];
  const found = await call.reader.find(call.scope, webhookAttemptLogsTable, ofLog, { sort, sizeLimit: call.service.answerSize });
  const attempts = found.map(({ json }) => {
    const { webhookEventLogId: _webhookEventLogId, ...attempt } = JSON.parse(json) as WebhookAttemptLog;
    return attempt;
  });
  return toCanonicalJson({ webhookEventLog: { ...JSON.parse(showEventLog(stored)), attempts } });
}

async function retrieveAttemptLog(call: OperationCall): Promise<OperationResult> {
  const id = requireId(call, "webhookAttemptLogId");
  const stored = await call.reader.retrieve(call.scope, webhookAttemptLogsTable, id);
  if (stored === undefined) throw generalError("notFound");
  return { status: 200, json: `{"webhookAttemptLog":${stored.json}}` };
}

/**
 * POST: resends an event to its receivers, with the same id; with `webhookId` only to that webhook, even if it was not a
 * receiver. @throws IdentityError 404; 400 for a webhook that does not receive such events.
 */
async function resendEvent(call: OperationCall): Promise<OperationResult> {
  const webhookId = optionalId(call, "webhookId");
  return call.write(async (write) => {
    const stored = await loadLog(write);
    if (webhookId !== undefined && !(await isReceiver(write, stored, webhookId))) throw fieldError("invalid", "webhookId");
    await storeResent(write, stored, webhookId);
    const fresh = await write.tx.retrieve(globalScope, webhookEventLogsTable, stored.id);
    return { status: 200, json: await showLog(write, fresh ?? stored) };
  });
}

// A caller must not send a webhook events of disabled types or other tenants.
async function isReceiver({ service, tx }: WriteCall, { hidden }: StoredRecord, webhookId: string): Promise<boolean> {
  const { event } = JSON.parse(hidden ?? "{}") as WebhookEventLog["event"];
  const findReceivers = await readReceivers(service, tx, [event]);
  return findReceivers(event).includes(webhookId);
}

async function storeResent(call: WriteCall, stored: StoredRecord, webhookId?: string): Promise<void> {
  const now = call.service.runtime.clock();
  const unit = readEvent(stored);
  const others = unit.state.filter(({ receiverId }) => receiverId !== webhookId);
  const all = unit.state.map(({ receiverId }) => receiverId);
  const state = webhookId === undefined ? startDelivery(all, now) : [...others, ...startDelivery([webhookId], now)];
  const log = { ...unit.log, lastUpdateInstant: now };
  const resent: LeasedEvent = { ...unit, log, state, version: stored.version + 1 };
  await call.tx.update(globalScope, webhookEventLogsTable, toEventRecord(resent, 0));
  call.tx.afterCommit(call.service.wakeDeliverer);
}

const replayBatch = 200;

/**
 * POST: resends all events that match the criteria of a search, each with its id, and returns their number; a dry run only counts
 * them. @throws IdentityError 400 `[missing]search.start`: a replay of all events ever is never intended.
 */
async function replayEvents(call: OperationCall): Promise<OperationResult> {
  const search = valueAt(call.body, "search");
  const raw: RawCriteria = isObjectOrList(search) ? { ...search } : {};
  if (raw.start === undefined || raw.start === null || raw.start === "") throw fieldError("missing", "search.start");
  const { filter } = parseGivenCriteria(call.service.availability.searchOf("webhookEventLog", webhookEventLogSearch), raw);
  const first: Criteria = { ...(filter && { filter }), sort: [], limit: replayBatch, offset: 0 };
  const { total } = await call.reader.search(call.scope, webhookEventLogsTable, { ...first, limit: 0 });
  for (let page = call.isDryRun ? undefined : first; page !== undefined; page = await replayPage(call, page));
  return { status: 200, json: toCanonicalJson({ total }) };
}

// Page by page, to keep transactions short. Changed records still match the criteria, but are before the next page.
async function replayPage(call: OperationCall, page: Criteria): Promise<Criteria | undefined> {
  const { last, records } = await call.reader.search(call.scope, webhookEventLogsTable, page);
  await call.write(async (write) => {
    for (const { id } of records) {
      const stored = await write.tx.retrieve(call.scope, webhookEventLogsTable, id);
      if (stored !== undefined) await storeResent(write, stored);
    }
  });
  return last === undefined || records.length < replayBatch ? undefined : { ...page, after: last };
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = {
  retrieve: retrieveEventLog,
  retrieveAttempt: retrieveAttemptLog,
  resend: resendEvent,
  replay: replayEvents,
};
