import { installationsTable, sealedTables } from "../../families/index.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type StoredRecord, type Table } from "../../ports/storage.js";
import { findSealed, sealedLocationOf, sealKeyIdOf, type TextAt } from "../../security/seal.js";
import { auditByHost } from "../audit/audit-changes.js";

export { verifyAudit } from "../audit/verify-audit.js";

/** Options of {@link SecretOperations.rotate}. */
export interface RotateOptions {
  /** The number of records read at once, and changed in one transaction: 1 to 1,000. Default 100. */
  readonly batch?: number | undefined;
  /** Count only. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Called after each transaction with the number of texts resealed so far. */
  readonly onProgress?: ((progress: RotationProgress) => void) | undefined;
}

/** The progress of a rotation. */
export interface RotationProgress {
  /** The current table. */
  readonly table: string;
  /** The number of texts resealed so far, in all tables. */
  readonly resealed: number;
  /** The number of texts to reseal at the start. */
  readonly total: number;
}

/** The number of sealed texts of one table, or of all. */
export interface SealedCounts {
  /** All sealed texts, with any secret. */
  readonly sealed: number;
  /** Texts that this rotation resealed. */
  readonly resealed: number;
  /** Texts still sealed with an earlier secret. While there are any, keep that secret in the option `secret`. */
  readonly left: number;
}

/** The result of a rotation. */
export interface RotationResult extends SealedCounts {
  /** The same for each table with sealed texts, by its name. */
  readonly tables: Readonly<Record<string, SealedCounts>>;
}

/** Operations on the sealed secrets in the storage. */
export interface SecretOperations {
  /**
   * Reseals texts with the first of the service's secrets, so that you can remove the earlier ones. Records keep their ids,
   * versions and instants; nothing is published. You can run it during normal operation, in several processes, and again after an
   * interruption.
   * @throws TypeError when an option is wrong. Error, before anything is changed, when a secret that sealed something is missing.
   */
  rotate(options?: RotateOptions): Promise<RotationResult>;
}

const defaultBatch = 100;
const maxBatch = 1_000;
/** How often a record is read again after concurrent changes, before it is left for another rotation. */
const maxTries = 10;

/** The table that the next start uses to check its secret, so it is resealed last. */
const markTable = installationsTable.name;

/** Reseals texts of earlier secrets: see {@link SecretOperations.rotate}. */
export async function rotateSecrets(service: ServiceContext, options: RotateOptions = {}): Promise<RotationResult> {
  const { batch = defaultBatch, dryRun = false, onProgress } = options;
  if (!Number.isInteger(batch) || batch < 1 || batch > maxBatch)
    throw new TypeError(`batch must be a whole number from 1 to ${maxBatch}.`);
  const tables = service.tables.filter(({ name }) => Object.hasOwn(sealedTables, name));
  const before = await countTables(service, tables, batch);
  assertKnown(before);
  const resealed = new Map<string, number>();
  if (dryRun) return toResult(before, resealed);
  const tell = (table: string, count: number): void => {
    resealed.set(table, (resealed.get(table) ?? 0) + count);
    onProgress?.({ table, resealed: sumOf([...resealed.values()]), total: sumOf(before.map(({ left }) => left)) });
  };
  const isMark = ({ name }: Table): boolean => name === markTable;
  for (const table of tables.filter((one) => !isMark(one))) await resealTable(service, table, { batch, tell });
  let after = await countTables(service, tables, batch);
  if (after.every(({ left, table }) => left === 0 || table === markTable)) {
    for (const table of tables.filter(isMark)) await resealTable(service, table, { batch, tell });
    after = await countTables(service, tables, batch);
  }
  const result = toResult(after, resealed);
  if (service.auditing?.log !== undefined && result.resealed > 0)
    await auditByHost(service, `Sealed ${result.resealed} secrets again`);
  return result;
}

/** `strangers` are texts sealed with a missing secret. */
interface TableCount {
  readonly table: string;
  readonly sealed: number;
  readonly left: number;
  readonly strangers: readonly { readonly id: string; readonly keyId: string | undefined }[];
}

async function countTables(service: ServiceContext, tables: readonly Table[], batch: number): Promise<readonly TableCount[]> {
  const counts: TableCount[] = [];
  for (const table of tables) counts.push(await countTable(service, table, batch));
  return counts;
}

async function countTable(service: ServiceContext, table: Table, batch: number): Promise<TableCount> {
  const { sealer } = service;
  const strangers: TableCount["strangers"][number][] = [];
  let sealed = 0;
  let left = 0;
  for await (const records of readBatches(service, table, batch))
    for (const record of records)
      for (const { text } of sealedIn(table, record)) {
        sealed++;
        if (!sealer.isCurrent(text)) left++;
        if (!sealer.isKnown(text)) strangers.push({ id: record.id, keyId: sealKeyIdOf(text) });
      }
  return { table: table.name, sealed, left, strangers };
}

function assertKnown(counts: readonly TableCount[]): void {
  const strangers = counts.flatMap((count) => count.strangers.map(({ id, keyId }) => ({ keyId, place: `${count.table}/${id}` })));
  const [first] = strangers;
  if (first === undefined) return;
  const keyIds = [...new Set(strangers.map(({ keyId }) => keyId))].join(", ");
  throw new Error(
    `Nothing was changed: ${strangers.length} stored secrets are sealed with keys that no given secret makes (key ids ${keyIds}; the first is of ${first.place}). ` +
      "Pass the secrets that they were sealed with behind the new one: secret: [new, old].",
  );
}

function toResult(counts: readonly TableCount[], resealed: ReadonlyMap<string, number>): RotationResult {
  const tables = counts.map(({ left, sealed, table }) => [table, { sealed, resealed: resealed.get(table) ?? 0, left }] as const);
  const sum = (name: keyof SealedCounts): number => sumOf(tables.map(([, count]) => count[name]));
  return { sealed: sum("sealed"), resealed: sum("resealed"), left: sum("left"), tables: Object.fromEntries(tables) };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Yields all records of a table, in batches, with a turn of the event loop between batches. */
async function* readBatches(
  { runtime, storage }: ServiceContext,
  table: Table,
  limit: number,
): AsyncGenerator<readonly StoredRecord[]> {
  let filter: Filter | undefined;
  while (true) {
    const records = await storage.find(globalScope, table, filter, { limit });
    yield records;
    const end = records.at(-1);
    if (end === undefined || records.length < limit) return;
    filter = { op: "compare", column: "id", comparison: ">", value: end.id };
    await runtime.timers.nextTurn();
  }
}

async function resealTable(
  service: ServiceContext,
  table: Table,
  { batch, tell }: { readonly batch: number; readonly tell: (table: string, count: number) => void },
): Promise<void> {
  for await (const records of readBatches(service, table, batch)) {
    let rest = records;
    for (let tries = 0; rest.length > 0 && tries < maxTries; tries++) {
      const changes = rest.map((record) => renewRecord(service, table, record)).filter(({ count }) => count > 0);
      const { count, missed } = await keepChanges(service, table, changes);
      if (count > 0) tell(table.name, count);
      rest =
        missed.length === 0 ? [] : await service.storage.find(globalScope, table, { op: "in", column: "id", values: missed });
    }
  }
}

interface RenewedRecord extends Pick<StoredRecord, "id" | "version" | "hidden"> {
  readonly count: number;
}

// Replaces sealed texts in place, so that all other text stays identical.
function renewRecord({ runtime, sealer }: ServiceContext, table: Table, record: StoredRecord): RenewedRecord {
  const { name } = table;
  const { id, version } = record;
  let { hidden } = record;
  let count = 0;
  for (const { path, part, text } of sealedIn(table, record).filter(({ text }) => !sealer.isCurrent(text)))
    try {
      const renewed = sealer.renew(text, sealedLocationOf(name, id, part));
      hidden = hidden?.replace(text, renewed) ?? null;
      count++;
    } catch (err) {
      runtime.logger.error({ err, table: name, id, path: path.join(".") }, "a stored secret does not open, and is left as it is");
    }
  return { id, version, hidden, count };
}

/** `missed` are the ids of records that others changed or removed since they were read. */
async function keepChanges(
  { storage }: ServiceContext,
  table: Table,
  changes: readonly RenewedRecord[],
): Promise<{ readonly count: number; readonly missed: readonly string[] }> {
  if (changes.length === 0) return { count: 0, missed: [] };
  return storage.transaction(async (tx) => {
    const replaced = new Set(await tx.replaceHidden(globalScope, table, changes));
    const [kept, missed] = [changes.filter(({ id }) => replaced.has(id)), changes.filter(({ id }) => !replaced.has(id))];
    return { count: sumOf(kept.map(({ count }) => count)), missed: missed.map(({ id }) => id) };
  });
}

interface SealedText extends TextAt {
  readonly part: string | undefined;
}

// Hidden data can contain user-provided texts that only look sealed.
function sealedIn({ name }: Table, { hidden }: StoredRecord): readonly SealedText[] {
  const texts = hidden === null ? [] : findSealed(JSON.parse(hidden));
  return texts.flatMap((found) => {
    const part = sealedTables[name]?.(found.path);
    return part === null ? [] : [{ ...found, part }];
  });
}
