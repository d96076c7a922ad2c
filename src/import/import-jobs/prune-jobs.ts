import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope } from "../../ports/storage.js";
import { importJobsTable, importPartsTable } from "../../records/import-jobs/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { toJob } from "./job-record.js";

/** Small, because parts are large. */
const pageSize = 20;

/** Removes a job with its upload and results, in steps. */
export async function removeJob({ storage }: ServiceContext, jobId: string): Promise<void> {
  const ofJob = equalsFilter("jobId", jobId);
  for (;;) {
    const values = (await storage.find(globalScope, importPartsTable, ofJob, { limit: pageSize })).map(({ id }) => id);
    if (values.length < pageSize) break;
    await storage.transaction((tx) => tx.remove(globalScope, importPartsTable, { op: "in", column: "id", values }));
  }
  await storage.transaction(async (tx) => {
    await tx.remove(globalScope, importPartsTable, ofJob);
    await tx.remove(globalScope, importJobsTable, equalsFilter("id", jobId));
  });
}

/** Removes expired jobs, and uploads whose lease has ended. */
export async function pruneJobs(service: ServiceContext): Promise<void> {
  const { importJobs, runtime, storage } = service;
  const now = runtime.clock();
  const isOld: Filter = {
    op: "compare",
    column: "lastUpdateInstant",
    comparison: "<",
    value: now - importJobs.keepMilliseconds,
  };
  const isUploading = equalsFilter("state", "Uploading");
  const found = await storage.find(globalScope, importJobsTable, { op: "or", filters: [isOld, isUploading] });
  for (const stored of found) {
    const { hidden, job } = toJob(stored);
    if (job.state !== "Uploading" || (hidden.until ?? 0) < now) await removeJob(service, job.id);
  }
}
