import { generalError } from "../../errors/identity-error.js";
import type { Principal } from "../../http/authenticate/principal.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { recordAuditChanges } from "../../operations/family/audit-change.js";
import { parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { isInsideHost, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { toWriteCall } from "../../operations/session.js";
import { StaleVersion } from "../../ports/storage.js";
import { importJobsTable, openStates, uploadTypes } from "../../records/import-jobs/family.js";
import type { ImportJobState, ImportResult, ParsedJobOptions } from "../../records/import-jobs/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { lazily } from "../../shared/async.js";
import { assertHashOptions } from "../bulk-users/imported-passwords.js";
import { atStart, changeJob, type LoadedJob, loadJob, showJob, toJob } from "./job-record.js";
import { removeJob } from "./prune-jobs.js";
import { findPart } from "./run-job.js";
import { showProgress } from "./show-progress.js";
import { splitLines, type UploadLine } from "./split-lines.js";
import { spoolUpload, startUpload, uploadLeaseMilliseconds, withinBytes } from "./spool-upload.js";

// Loaded on demand: few uploads are CSV.
const loadCsv = lazily(() => import("./read-csv.js"));

const importJobOptions = lazySchema("import", "importJobOptions");

/** POST: stores an upload and then starts to import its users. An aborted upload leaves nothing behind. */
async function createJob(call: OperationCall): Promise<OperationResult> {
  if (isInsideHost(call)) throw generalError("invalid", "An upload does not fit into a transaction: create the job outside.");
  if (call.stream === undefined) throw generalError("invalid");
  const { factor, ...params } = call.params;
  const options = await parseWith(importJobOptions, { ...params, ...(factor !== undefined && { factor: Number(factor) }) });
  const { encryptionScheme } = options;
  await assertHashOptions(call.service.accounts.passwords, { encryptionScheme, factor: options.factor });
  const begun = begin(call, options);
  await startUpload(call.service, begun);
  try {
    const spooled = await spoolUpload(call.service, begun, await readUpload(call, options));
    const job = await changeState(call, spooled, "Queued");
    call.service.importJobs.start(job.job.id);
    return answer(202, job);
  } catch (error) {
    await removeJob(call.service, begun.job.id);
    // Another call removed the tenant meanwhile.
    throw error instanceof StaleVersion ? generalError("notFound") : error;
  }
}

function begin({ isDryRun, principal, scope, service }: OperationCall, options: ParsedJobOptions): LoadedJob {
  const { columns: _columns, encryptionScheme, events, factor, onDuplicate } = options;
  const now = service.runtime.clock();
  const counts = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const tenantId = scope.kind === "tenant" ? scope.tenantId : undefined;
  const id = service.runtime.newId();
  const said = { id, tenantId, insertInstant: now, lastUpdateInstant: now, onDuplicate, events, dryRun: isDryRun };
  const until = now + uploadLeaseMilliseconds;
  return {
    version: 1,
    job: { ...said, ...counts, state: "Uploading" },
    hidden: { ...atStart, parts: 0, until, principal: withoutRights(principal), encryptionScheme, factor },
  };
}

// Permissions were checked at creation: events and the audit log need only the caller's identity.
function withoutRights(principal: Principal | undefined): Principal | undefined {
  if (principal === undefined || principal.kind === "host") return principal;
  return principal.kind === "user" ? principal : { ...principal, grants: new Map() };
}

async function readUpload(
  { service, stream }: OperationCall,
  { columns }: ParsedJobOptions,
): Promise<AsyncIterable<readonly UploadLine[]>> {
  const { maxBytes, maxLineBytes } = service.importJobs;
  const bytes = withinBytes(stream?.bytes ?? emptyStream(), maxBytes);
  if (stream?.mediaType !== uploadTypes.csv) return splitLines(bytes, maxLineBytes);
  const { readCsv } = await loadCsv();
  return readCsv(bytes, { columns, maxLineBytes });
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {}

function answer(status: number, job: LoadedJob): OperationResult {
  return { status, json: toCanonicalJson({ job: showJob(job) }) };
}

async function changeState(call: OperationCall, loaded: LoadedJob, state: ImportJobState): Promise<LoadedJob> {
  await call.service.auditing?.prepare();
  return call.service.storage.transaction((tx) => moveTo(toWriteCall(call, tx), loaded, state));
}

async function moveTo(call: WriteCall, loaded: LoadedJob, state: ImportJobState): Promise<LoadedJob> {
  const now = call.service.runtime.clock();
  const isNew = loaded.job.state === "Uploading";
  const isOver = state === "Canceled";
  const changed = await changeJob(call.tx, loaded, {
    job: { ...loaded.job, state, lastUpdateInstant: now, completionInstant: isOver ? now : undefined, reason: undefined },
    hidden: { ...loaded.hidden, owner: undefined, until: undefined },
  });
  const sides = [[isNew ? undefined : showJob(loaded), showJob(changed)]] as const;
  await recordAuditChanges(call, "importJobs", loaded.job.tenantId ?? null, sides);
  return changed;
}

async function retrieveJob(call: OperationCall): Promise<OperationResult> {
  return answer(200, await loadJob(call));
}

const maxListed = 1_000;

/** GET without an id: returns the jobs, the newest first. */
async function listJobs({ reader, scope }: OperationCall): Promise<OperationResult> {
  const filter = { op: "not", filter: { op: "equals", column: "state", value: "Uploading" } } as const;
  const sort = [{ column: "insertInstant", direction: "desc" }] as const;
  const found = await reader.find(scope, importJobsTable, filter, { limit: maxListed, sort });
  return { status: 200, json: toCanonicalJson({ jobs: found.map((stored) => showJob(toJob(stored))) }) };
}

/** POST: continues a failed or canceled job. @throws IdentityError 400 `[invalid]jobId` for other states. */
async function resumeJob(call: OperationCall): Promise<OperationResult> {
  const job = await changeWithin(call, async (write) => {
    const loaded = await loadJob(write);
    const { state } = loaded.job;
    if (state !== "Failed" && state !== "Canceled")
      throw generalError("wrongState", `The job is ${state}: only jobs that are Failed or Canceled continue.`);
    return moveTo(write, loaded, "Queued");
  });
  call.service.importJobs.start(job.job.id);
  return answer(200, job);
}

/** DELETE: cancels an open job; with `hardDelete=true` removes any job, with its upload and results. */
async function cancelJob(call: OperationCall): Promise<OperationResult> {
  const isForGood = call.params.hardDelete === "true";
  const job = await changeWithin(call, async (write) => {
    const loaded = await loadJob(write);
    const isOpen = openStates.includes(loaded.job.state);
    if (!isOpen && !isForGood)
      throw generalError("wrongState", `The job is ${loaded.job.state}: only jobs that are Queued or Running are canceled.`);
    return isOpen ? moveTo(write, loaded, "Canceled") : loaded;
  });
  if (isForGood && !call.isDryRun) await removeJob(call.service, job.job.id);
  return answer(200, job);
}

// Retried, because a worker changes the job with each part.
async function changeWithin(call: OperationCall, work: (write: WriteCall) => Promise<LoadedJob>): Promise<LoadedJob> {
  for (let tries = 1; ; tries++)
    try {
      return await call.write(work);
    } catch (error) {
      if (!(error instanceof StaleVersion) || tries === maxTries) throw error;
    }
}

const maxTries = 10;

const resultHeaders = { "content-type": uploadTypes.lines };

/** GET: streams the result of each row so far, as NDJSON. */
async function showResults(call: OperationCall): Promise<OperationResult> {
  const { job } = await loadJob(call);
  return { status: 200, json: "", stream: readResults(call, job.id), headers: resultHeaders };
}

async function* readResults({ reader }: OperationCall, jobId: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const part = await findPart(reader, { jobId, kind: "results", number });
    if (part === undefined) return;
    const { results } = parseRecord<{ readonly results: readonly ImportResult[] }>(part);
    if (results.length > 0) yield Buffer.from(results.map((result) => `${JSON.stringify(result)}\n`).join(""));
  }
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = {
  start: createJob,
  retrieve: retrieveJob,
  list: listJobs,
  results: showResults,
  progress: showProgress,
  resume: resumeJob,
  cancel: cancelJob,
};
