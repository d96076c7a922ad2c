import { toCanonicalJson } from "../../json/canonical-json.js";
import type { ServiceContext } from "../../operations/service-context.js";
import {
  globalScope,
  type LogRecord,
  type RecordToStore,
  StaleVersion,
  type StorageReader,
  type StoredRecord,
  type Transaction,
  UniqueViolation,
} from "../../ports/storage.js";
import { auditChainTable, auditDigestsTable, auditQueueTable } from "../../records/audit-logs/family.js";
import { type AuditLink, digestOfLink, type QueuedEntry } from "../../security/audit-digests.js";

const batchSize = 500;

const headId = "00000000-0000-0000-0000-000000000000";

/** The last link of the chain. */
export interface ChainHead {
  /** Its digest, in hexadecimal digits; empty before the first link. */
  readonly digest: string;
  /** The number of links. */
  readonly position: number;
}

/** Appends committed audit log entries to the chain. After a conflict, the other process continues. */
export async function appendAuditLinks({ runtime, storage }: ServiceContext): Promise<void> {
  if ((await storage.findPositions(auditQueueTable)).length === 0) return;
  try {
    while ((await storage.transaction((tx) => addLinks(tx, runtime.newId))) === batchSize);
  } catch (error) {
    if (!(error instanceof StaleVersion || error instanceof UniqueViolation)) throw error;
  }
}

async function addLinks(tx: Transaction, newId: () => string): Promise<number> {
  const taken = await tx.take(auditQueueTable, batchSize);
  if (taken.length === 0) return 0;
  const stored = await tx.retrieve(globalScope, auditChainTable, headId);
  const links = toLinks(taken, toHead(stored));
  const last = links.at(-1) as AuditLink;
  const records = links.map((link) => toRecord(newId(), link, { number: link.number, position: link.position }));
  await tx.insert(globalScope, auditDigestsTable, records);
  const head = toRecord(headId, last, {});
  if (stored === undefined) await tx.insert(globalScope, auditChainTable, [head]);
  else await tx.update(globalScope, auditChainTable, { ...head, version: stored.version + 1 });
  return taken.length;
}

/** Returns the last link of the chain. */
export async function readChainHead(reader: StorageReader): Promise<ChainHead> {
  return toHead(await reader.retrieve(globalScope, auditChainTable, headId));
}

function toHead(stored: StoredRecord | undefined): ChainHead {
  return stored === undefined ? { digest: "", position: 0 } : (JSON.parse(stored.json) as ChainHead);
}

// Sorted by the known numbers: a concurrent transaction may commit a lower one later.
function toLinks(taken: readonly LogRecord[], head: ChainHead): readonly AuditLink[] {
  let { digest, position } = head;
  const queued = taken.map(({ json }): QueuedEntry => JSON.parse(json)).sort((a, b) => a.number - b.number);
  return queued.map((entry) => {
    position++;
    digest = digestOfLink(digest, { ...entry, position });
    return { ...entry, digest, position };
  });
}

function toRecord(id: string, link: AuditLink, columns: RecordToStore["columns"]): RecordToStore {
  const instants = { insertInstant: link.insertInstant, lastUpdateInstant: link.insertInstant };
  return { id, tenantId: null, version: 1, ...instants, json: toCanonicalJson(link), hidden: null, columns };
}
