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
import { equalsFilter } from "../search/parse-criteria.js";
import { foldText } from "../shared/text.js";
import type { OperationCall, WriteCall } from "./operation.js";

/** Logs of the service's own, whose entries are known by numbers and never changed. */

const numbersId = "00000000-0000-0000-0000-000000000000";
const orderedCharacters = 191;

/**
 * The number of the next entry, or of the first of the next `count`: from one on, and on again when entries go. `table` keeps the last number
 * and nothing else.
 */
export async function nextNumber(tx: Transaction, table: Table, now: number, count: number = 1): Promise<number> {
  const kept = await tx.retrieve(globalScope, table, numbersId);
  // Where numbers were only ever taken one by one, the last one is the version.
  const { last = kept?.version ?? 0 }: { readonly last?: number } = JSON.parse(kept?.json ?? "{}");
  const version = (kept?.version ?? 0) + 1;
  const json = last + count === version ? "{}" : toCanonicalJson({ last: last + count });
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const record = { id: numbersId, tenantId: null, version, ...instants, json, hidden: null, columns: {} };
  if (kept === undefined) await tx.insert(globalScope, table, [record]);
  else await tx.update(globalScope, table, record);
  return last + 1;
}

/** What entries have in common. */
export interface NumberedEntry {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly insertInstant: number;
  readonly message: string;
  readonly tenantId?: string | undefined;
}

/** Keeps an entry, with its message folded and the start of it to be ordered by, and with the columns that its own log has. */
export async function insertEntry(
  { service, tx }: Pick<WriteCall, "service" | "tx">,
  table: Table,
  entry: NumberedEntry,
  columns: Readonly<Record<string, ColumnValue>>,
): Promise<StoredRecord> {
  const { id: number, insertInstant, message, tenantId = null } = entry;
  const messageFolded = foldText(message);
  const messageStart = messageFolded.slice(0, orderedCharacters).toWellFormed();
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
