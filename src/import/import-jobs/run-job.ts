import { IdentityError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { runDryWrite, startWriteCall, storageSession, writeWithApprovals } from "../../operations/session.js";
import {
  type Filter,
  globalScope,
  StaleVersion,
  StorageUnavailable,
  type StoredRecord,
  type Transaction,
  tenantScope,
} from "../../ports/storage.js";
import { importJobsTable, importPartsTable } from "../../records/import-jobs/family.js";
import type { ImportResult } from "../../records/import-jobs/schema.js";
import { DigestSet } from "./digest-set.js";
import { atStart, changeJob, type HiddenJob, type LoadedJob, leaseMilliseconds, type StoredJob, toJob } from "./job-record.js";
import { RowSource } from "./prepare-rows.js";
import { openPart } from "./spool-upload.js";
import { emptyReads, type JobMemory, storeRows } from "./store-rows.js";

/** The process that runs a job, and whether the process is stopping. */
export interface Worker {
  readonly owner: string;
  readonly isStopped: () => boolean;
}

/** Rows stored between checks for waiting transactions, after some have waited recently. */
const stepRows = 25;

/** The same without recent waits, and for concurrent transactions. Larger steps take a sixth less time. */
const calmStepRows = 400;

/** How long the small steps are used after a wait. */
const awaitedMs = 5_000;

/**
 * Runs a job, part by part, until it is over, leased by another process or stopped. Rows of a part, their results and the
 * position are stored in one transaction, or in several when others wait for it.
 */
export async function runJob(service: ServiceContext, jobId: string, worker: Worker): Promise<void> {
  const claiming = service.storage.transaction((tx) => claimJob(service, tx, jobId, worker.owner));
  const claimed = await claiming.catch((error: unknown) => {
    if (error instanceof StaleVersion) return undefined;
    throw error;
  });
  if (claimed === undefined) return;
  const run = new JobRun(service, claimed);
  const cancelRenewal = service.runtime.timers.every(leaseMilliseconds / 4, () => void run.renew());
  try {
    while (!run.isOver && !worker.isStopped()) await run.step();
    await run.release();
  } catch (error) {
    await run.fail(error);
  } finally {
    cancelRenewal();
  }
}

/** Leases a free job; undefined when another process has it, or it is over. */
async function claimJob(
  { runtime }: ServiceContext,
  tx: Transaction,
  jobId: string,
  owner: string,
): Promise<LoadedJob | undefined> {
  const stored = await tx.retrieve(globalScope, importJobsTable, jobId);
  if (stored === undefined) return undefined;
  const loaded = toJob(stored);
  const { hidden, job } = loaded;
  const now = runtime.clock();
  const isFree = hidden.owner === undefined || hidden.owner === owner || (hidden.until ?? 0) <= now;
  if (!isFree || (job.state !== "Queued" && job.state !== "Running")) return undefined;
  // The keys seen by a dry run are only in memory: another process starts again at the first row.
  const mustRestart = job.dryRun && hidden.resultParts > 0;
  if (mustRestart) await tx.remove(globalScope, importPartsTable, partFilter({ jobId, kind: "results" }));
  const counts = mustRestart ? { created: 0, updated: 0, skipped: 0, failed: 0 } : {};
  return changeJob(tx, loaded, {
    job: { state: "Running", startInstant: job.startInstant ?? now, ...counts },
    hidden: { owner, until: now + leaseMilliseconds, ...(mustRestart && atStart) },
  });
}

interface PartKey {
  readonly jobId: string;
  readonly kind: "results" | "upload";
  readonly number?: number;
}

function partFilter(key: PartKey): Filter {
  return { op: "and", filters: Object.entries(key).map(([column, value]) => ({ op: "equals", column, value }) as const) };
}

/** Finds the part of an upload, or of results, by its number. */
export async function findPart(reader: Pick<Transaction, "find">, key: Required<PartKey>): Promise<StoredRecord | undefined> {
  const [found] = await reader.find(globalScope, importPartsTable, partFilter(key), { limit: 1 });
  return found;
}

interface OpenPart {
  readonly number: number;
  rows: RowSource;
}

interface StoredRows {
  readonly results: readonly ImportResult[];
  readonly nextLine: number | undefined;
}

class JobRun {
  readonly #service: ServiceContext;
  readonly #call: OperationCall;
  readonly #memory: JobMemory;
  /** The keys of the rows of a dry run, and those of the current part. */
  readonly #taken: DigestSet | undefined;
  #fresh: ReadonlySet<string> = new Set();
  #loaded: LoadedJob;
  #next: Promise<OpenPart> | undefined;
  #left: OpenPart | undefined;
  #awaitedUntil = 0;
  #began = 0;
  #isCommitting = false;

  constructor(service: ServiceContext, loaded: LoadedJob) {
    this.#service = service;
    this.#loaded = loaded;
    this.#call = toJobCall(service, loaded);
    this.#taken = loaded.job.dryRun ? new DigestSet() : undefined;
    this.#memory = { hasDuplicates: loaded.hidden.resultParts > 0, taken: undefined };
  }

  get isOver(): boolean {
    return this.#loaded.job.state !== "Running";
  }

  /** Stores the next part, or less if another transaction waits, while the part after it is prepared. */
  async step(): Promise<void> {
    this.#began = this.#service.runtime.monotonic();
    const part = this.#left ?? (await this.#nextPart());
    this.#isCommitting = true;
    try {
      this.#loaded = part === undefined ? await this.#complete() : await this.#store(part);
      this.#left = this.#loaded.hidden.nextLine > 0 ? part : undefined;
    } finally {
      this.#isCommitting = false;
    }
  }

  async renew(): Promise<void> {
    if (this.#isCommitting) return;
    const { hidden, job, version } = this.#loaded;
    const kept = toCanonicalJson({ ...hidden, until: this.#service.runtime.clock() + leaseMilliseconds });
    await this.#service.storage
      .transaction((tx) => tx.replaceHidden(globalScope, importJobsTable, [{ id: job.id, version, hidden: kept }]))
      .catch(() => undefined);
  }

  async release(): Promise<void> {
    if (!this.isOver) await this.#change({}, { owner: undefined, until: undefined });
  }

  /** Ends a job after an error, unless another process can continue it. */
  async fail(error: unknown): Promise<void> {
    const { logger, clock } = this.#service.runtime;
    // Another process has leased the job, or a caller canceled or removed it.
    if (error instanceof StaleVersion && error.table === importJobsTable.name) return;
    if (error instanceof StorageUnavailable) return;
    const { id } = this.#loaded.job;
    const failure = error instanceof IdentityError ? error.cause : error;
    if (failure !== undefined) logger.error({ err: failure, jobId: id }, "import job failed");
    const reason = error instanceof IdentityError ? error.code : "[internal]";
    const ended: Partial<StoredJob> = { state: "Failed", reason, completionInstant: clock(), lastUpdateInstant: clock() };
    await this.#change(ended, { owner: undefined, until: undefined }).catch(() => undefined);
  }

  async #change(job: Partial<StoredJob>, hidden: Partial<HiddenJob>): Promise<void> {
    this.#loaded = await this.#service.storage.transaction((tx) => changeJob(tx, this.#loaded, { job, hidden }));
  }

  async #nextPart(): Promise<OpenPart | undefined> {
    const { next, parts } = this.#loaded.hidden;
    const part = next < parts ? await (this.#next ?? this.#open(next)) : undefined;
    this.#next = next + 1 < parts ? this.#open(next + 1) : undefined;
    // The next step awaits it, but may never happen.
    this.#next?.catch(() => undefined);
    return part;
  }

  async #open(number: number): Promise<OpenPart> {
    const { hidden, job } = this.#loaded;
    const stored = await findPart(this.#service.storage, { jobId: job.id, kind: "upload", number });
    if (stored === undefined) throw new StaleVersion(importJobsTable.name, job.id);
    const line = number === hidden.next ? hidden.nextLine : 0;
    const source = { call: this.#call, part: openPart(this.#service, stored), options: hidden };
    return { number, rows: new RowSource(source, line) };
  }

  async #store(part: OpenPart): Promise<LoadedJob> {
    const { dryRun } = this.#loaded.job;
    const isLong = part.rows.left > stepRows;
    const session = storageSession(this.#service);
    const storing = (write: WriteCall): Promise<StoredRows> => this.#storeRows(write, part);
    await this.#service.auditing?.prepare();
    if (!dryRun)
      return writeWithApprovals(this.#call, session, async (write) => this.#note(write.tx, part, await storing(write)), {
        isLong,
        // After a first collision more are likely: then every row is looked up before it is stored.
        mayCollideLate: !this.#memory.hasDuplicates,
      });
    const stored = await runDryWrite(this.#call, session, storing, { isLong });
    for (const key of this.#fresh) this.#taken?.add(key);
    return session.transaction((tx) => this.#note(tx, part, stored));
  }

  async #storeRows(write: WriteCall, part: OpenPart): Promise<StoredRows> {
    const { job, hidden } = this.#loaded;
    // A storage may run this again.
    part.rows = part.rows.from(hidden.nextLine);
    const { rows } = part;
    const fresh = new Set<string>();
    const [before, memory] = [this.#taken, this.#memory];
    memory.taken = before && { has: (key) => before.has(key) || fresh.has(key), add: (key) => fresh.add(key) };
    this.#fresh = fresh;
    const settings = { events: job.events, onDuplicate: job.onDuplicate, memory, read: emptyReads() };
    const results: ImportResult[] = [];
    let isAwaited = false;
    while (rows.left > 0 && !isAwaited) {
      const size = this.#stepSize(write);
      const step = await rows.take(size);
      if (rows.left === 0) this.#next?.then((next) => next.rows.prepare(size)).catch(() => undefined);
      for (const result of step.refused) results.push(result);
      for (const result of await storeRows(write, step.rows, settings)) results.push(result);
      // Other transactions may arrive during this turn.
      await this.#service.runtime.timers.nextTurn();
      isAwaited = write.tx.isAwaited?.() === true;
    }
    if (isAwaited) this.#awaitedUntil = this.#service.runtime.monotonic() + awaitedMs;
    return { nextLine: rows.nextLine, results: results.sort((a, b) => a.line - b.line) };
  }

  // Storages with concurrent transactions have no `isAwaited`: nothing waits for this transaction, so its steps stay large.
  #stepSize({ tx }: WriteCall): number {
    return tx.isAwaited !== undefined && this.#awaitedUntil > this.#service.runtime.monotonic() ? stepRows : calmStepRows;
  }

  /** Stores results and position, and removes a finished upload part. */
  async #note(tx: Transaction, part: OpenPart, { nextLine, results }: StoredRows): Promise<LoadedJob> {
    const { hidden, job } = this.#loaded;
    const now = this.#service.runtime.clock();
    const count = (outcome: ImportResult["outcome"]): number => results.filter((result) => result.outcome === outcome).length;
    // First, because it fails when another process has leased the job.
    const changed = await changeJob(tx, this.#loaded, {
      job: {
        created: job.created + count("created"),
        updated: job.updated + count("updated"),
        skipped: job.skipped + count("skipped"),
        failed: job.failed + count("failed"),
        lastUpdateInstant: now,
      },
      hidden: {
        next: nextLine === undefined ? part.number + 1 : part.number,
        nextLine: nextLine ?? 0,
        resultParts: hidden.resultParts + 1,
        until: now + leaseMilliseconds,
        workedMs: hidden.workedMs + this.#service.runtime.monotonic() - this.#began,
      },
    });
    const record = { tenantId: job.tenantId ?? null, version: 1, insertInstant: now, lastUpdateInstant: now, hidden: null };
    const columns = { jobId: job.id, kind: "results", number: hidden.resultParts };
    const id = this.#service.runtime.newId();
    await tx.insert(globalScope, importPartsTable, [{ ...record, id, json: toCanonicalJson({ results }), columns }]);
    const isOver = nextLine === undefined && !job.dryRun;
    if (isOver)
      await tx.remove(globalScope, importPartsTable, partFilter({ jobId: job.id, kind: "upload", number: part.number }));
    return changed;
  }

  #complete(): Promise<LoadedJob> {
    const now = this.#service.runtime.clock();
    const job: Partial<StoredJob> = { state: "Completed", completionInstant: now, lastUpdateInstant: now };
    const hidden = { owner: undefined, until: undefined };
    return this.#service.storage.transaction((tx) => changeJob(tx, this.#loaded, { job, hidden }));
  }
}

// The call of a job, with the identity of its creator.
function toJobCall(service: ServiceContext, { hidden, job }: LoadedJob): OperationCall {
  const scope = job.tenantId === undefined ? globalScope : tenantScope(job.tenantId);
  const said = { params: {}, body: undefined, bodyKind: "json", ifMatch: undefined, isDryRun: job.dryRun } as const;
  const call: OperationCall = {
    ...said,
    service,
    principal: hidden.principal,
    scope,
    reader: service.storage,
    write: (work, options) => service.storage.transaction((tx) => work(startWriteCall(call, tx)), options),
  };
  return call;
}
