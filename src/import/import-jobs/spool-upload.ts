import { fieldError, generalError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type RecordToStore, StaleVersion, type StoredRecord } from "../../ports/storage.js";
import type { ByteStream } from "../../ports/transport.js";
import { importJobsTable, importPartsTable, openStates } from "../../records/import-jobs/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { sealedLocationOf } from "../../security/seal.js";
import { type HiddenJob, type LoadedJob, toJobRecord } from "./job-record.js";
import type { LineFault, UploadLine } from "./split-lines.js";

/** Lines of an upload that are stored, and imported, together. */
export interface UploadPart {
  /** The number of the first line, from 1. */
  readonly firstLine: number;
  readonly lines: readonly UploadLine[];
}

/** The largest part, in characters and lines. */
const partLength = 524_288;
const partLines = 2_000;

/** An upload without new data for this long counts as aborted, in milliseconds. */
export const uploadLeaseMilliseconds = 3_600_000;

interface PartHeader {
  readonly firstLine: number;
  /** The faults of lines without text, by index. */
  readonly faults: Readonly<Record<string, LineFault["fault"]>>;
}

/**
 * Stores an upload as it arrives, in parts that are sealed because they contain hashes. Resolves with the job of the complete
 * upload.
 * @throws IdentityError 413 for more bytes or rows than the limits of a job.
 */
export async function spoolUpload(
  service: ServiceContext,
  begun: LoadedJob,
  batches: AsyncIterable<readonly UploadLine[]>,
): Promise<LoadedJob> {
  const { maxRows } = service.importJobs;
  let [job, total, line] = [begun, 0, 1];
  let part = new PartBuilder(line);
  const flush = async (): Promise<void> => {
    if (part.isEmpty) return;
    job = await storePart(service, job, part.toPart());
    part = new PartBuilder(line);
  };
  for await (const batch of batches)
    for (const one of batch) {
      part.add(one);
      line++;
      if (!isBlank(one) && ++total > maxRows) throw generalError("tooLarge", `A job has at most ${maxRows} rows.`);
      if (part.isFull) await flush();
    }
  await flush();
  if (total === 0) throw fieldError("empty", "users");
  return { ...job, job: { ...job.job, total } };
}

/** Whether a line has no user. */
export function isBlank(line: UploadLine): boolean {
  return typeof line === "string" && line.trim() === "";
}

/** Passes on the bytes of a stream up to a limit. @throws IdentityError 413 beyond it. */
export async function* withinBytes(stream: ByteStream, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw generalError("tooLarge");
    yield chunk;
  }
}

class PartBuilder {
  readonly #firstLine: number;
  readonly #lines: UploadLine[] = [];
  #length = 0;

  constructor(firstLine: number) {
    this.#firstLine = firstLine;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isFull(): boolean {
    return this.#length >= partLength || this.#lines.length >= partLines;
  }

  add(line: UploadLine): void {
    this.#lines.push(line);
    if (typeof line === "string") this.#length += line.length;
  }

  toPart(): UploadPart {
    return { firstLine: this.#firstLine, lines: this.#lines };
  }
}

// Each part renews the lease of the upload. @throws StaleVersion when the job was removed, such as with its tenant.
async function storePart({ runtime, sealer, storage }: ServiceContext, loaded: LoadedJob, part: UploadPart): Promise<LoadedJob> {
  const { hidden, job, version } = loaded;
  const number = hidden.parts;
  const id = runtime.newId();
  const text = part.lines.map((line) => (typeof line === "string" ? line : "")).join("\n");
  const faults = Object.fromEntries(
    [...part.lines.entries()].flatMap(([at, line]) => (typeof line === "string" ? [] : [[at, line.fault] as const])),
  );
  const sealed = sealer.seal(text, sealedLocationOf(importPartsTable.name, id));
  const now = runtime.clock();
  const header: PartHeader = { firstLine: part.firstLine, faults };
  const record: RecordToStore = {
    ...{ id, tenantId: job.tenantId ?? null, version: 1, insertInstant: now, lastUpdateInstant: now },
    json: toCanonicalJson(header),
    hidden: toCanonicalJson({ sealed }),
    columns: { jobId: job.id, kind: "upload", number },
  };
  const kept: HiddenJob = { ...hidden, parts: number + 1, until: now + uploadLeaseMilliseconds };
  const stored = { id: job.id, version, hidden: toCanonicalJson(kept) };
  await storage.transaction(async (tx) => {
    const [held] = await tx.replaceHidden(globalScope, importJobsTable, [stored]);
    if (held === undefined) throw new StaleVersion(importJobsTable.name, job.id);
    await tx.insert(globalScope, importPartsTable, [record]);
  });
  return { ...loaded, hidden: kept };
}

/** Decrypts a stored part. */
export function openPart({ sealer }: ServiceContext, stored: StoredRecord): UploadPart {
  const { faults, firstLine } = parseRecord<PartHeader>(stored);
  const { sealed = "" } = parseHidden<{ readonly sealed: string }>(stored) ?? {};
  const texts = sealer.open(sealed, sealedLocationOf(importPartsTable.name, stored.id)).split("\n");
  const lines = texts.map((text, at): UploadLine => (faults[at] === undefined ? text : { fault: faults[at] }));
  return { firstLine, lines };
}

/** Stores a job at the start of its upload. */
export async function startUpload({ importJobs, storage }: ServiceContext, begun: LoadedJob): Promise<void> {
  const { maxOpenJobs: limit } = importJobs;
  // Jobs of tenants do not count as global ones.
  const ofTenant = equalsFilter("tenantId", begun.job.tenantId ?? null);
  const filter: Filter = { op: "and", filters: [{ op: "in", column: "state", values: openStates }, ofTenant] };
  await storage.transaction(async (tx) => {
    const open = await tx.find(globalScope, importJobsTable, filter, { limit });
    if (open.length >= limit) throw generalError("tooManyJobs");
    await tx.insert(globalScope, importJobsTable, [toJobRecord(begun)]);
  });
}
