import { generalError } from "../errors/identity-error.js";
import { toCanonicalJson } from "../json/canonical-json.js";
import {
  type ColumnValue,
  globalScope,
  type RecordToStore,
  type StoredRecord,
  type Table,
  type TenantScope,
  type Transaction,
} from "../ports/storage.js";
import { equalsFilter, maxSortLength } from "../search/parse-criteria.js";
import { foldText } from "../shared/text.js";
import type { OperationCall, WriteCall } from "./operation.js";

/** The id of the record that stores the last number of a log. */

const numbersId = "00000000-0000-0000-0000-000000000000";

/**
 * The number of the next entry, or of the first of the next `count`: from one, without reuse of removed numbers. `table` stores
 * only the last number.
 */
export async function nextNumber(tx: Transaction, table: Table, now: number, count: number = 1): Promise<number> {
  const kept = await tx.retrieve(globalScope, table, numbersId);
  // As long as numbers were taken one by one, the last number equals the version.
  const { last = kept?.version ?? 0 }: { readonly last?: number } = JSON.parse(kept?.json ?? "{}");
  const version = (kept?.version ?? 0) + 1;
  const json = last + count === version ? "{}" : toCanonicalJson({ last: last + count });
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const record = { id: numbersId, tenantId: null, version, ...instants, json, hidden: null, columns: {} };
  if (kept === undefined) await tx.insert(globalScope, table, [record]);
  else await tx.update(globalScope, table, record);
  return last + 1;
}

/** The common members of entries. */
export interface NumberedEntry {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly insertInstant: number;
  readonly message: string;
  readonly tenantId?: string | undefined;
}

/** Inserts an entry with its folded message, the start of the message for sorting, and the log's own columns. */
export async function insertEntry(
  { service, tx }: Pick<WriteCall, "service" | "tx">,
  table: Table,
  entry: NumberedEntry,
  columns: Readonly<Record<string, ColumnValue>>,
): Promise<StoredRecord> {
  const { id: number, insertInstant, message, tenantId = null } = entry;
  const messageFolded = foldText(message);
  const messageStart = messageFolded.slice(0, maxSortLength).toWellFormed();
  const record: RecordToStore = {
    id: service.runtime.newId(),
    tenantId,
    version: 1,
    insertInstant,
    lastUpdateInstant: insertInstant,
    json: toCanonicalJson(entry),
    hidden: null,
    columns: { ...columns, number, messageFolded, messageStart },
  };
  await tx.insert(globalScope, table, [record]);
  return record;
}

/** The entry with a number. @throws IdentityError 404 for a text that is no number of an entry within the scope. */
export async function findEntry(
  { reader }: OperationCall,
  scope: TenantScope,
  table: Table,
  number: string | undefined,
): Promise<StoredRecord> {
  const filter = number !== undefined && /^[1-9]\d{0,14}$/.test(number) ? equalsFilter("number", Number(number)) : undefined;
  const [found] = filter === undefined ? [] : await reader.find(scope, table, filter, { limit: 1 });
  if (found === undefined) throw generalError("notFound");
  return found;
}
