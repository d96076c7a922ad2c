import { pruneJobs } from "../../import/import-jobs/prune-jobs.js";
import type { ImportJobLimits, ImportJobs, ServiceContext } from "../../operations/service-context.js";
import { globalScope } from "../../ports/storage.js";
import { importJobsTable } from "../../records/import-jobs/family.js";
import { lazily, once } from "../../shared/async.js";

// Loaded on demand: few services import users.
const loadRun = lazily(() => import("../../import/import-jobs/run-job.js"));

const maxRunning = 4;

/**
 * Runs import jobs. A lease gives each job to one process; if that crashes, another process continues after the end of the lease.
 */
export class ImportRunner {
  readonly #service: () => ServiceContext;
  /** The id of this process in leases. */
  readonly #owner = once(() => this.#service().runtime.newId());
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(service: () => ServiceContext) {
    this.#service = service;
  }

  /** The operations for calls: limits, starting a job, and whether the service stops. */
  toWork(limits: ImportJobLimits): ImportJobs {
    return { ...limits, start: this.start, isStopped: () => this.#isStopped };
  }

  readonly start = (jobId: string): void => {
    this.#waiting.add(jobId);
    this.#fill();
  };

  readonly settle = async (): Promise<void> => {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  };

  /** Continues jobs that no process runs. */
  readonly resume = async (): Promise<void> => {
    const values = ["Queued", "Running"];
    const open = await this.#service().storage.find(globalScope, importJobsTable, { op: "in", column: "state", values });
    for (const { id } of open) if (!this.#running.has(id)) this.start(id);
  };

  readonly prune = async (): Promise<void> => {
    const [first] = await this.#service().storage.find(globalScope, importJobsTable, undefined, { limit: 1 });
    if (first !== undefined) await pruneJobs(this.#service());
  };

  /** Stops after the current parts. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settle();
  }

  #fill(): void {
    for (const jobId of this.#waiting) {
      if (this.#isStopped || this.#running.size >= maxRunning) return;
      if (this.#running.has(jobId)) continue;
      this.#waiting.delete(jobId);
      const run = this.#run(jobId).finally(() => {
        this.#running.delete(jobId);
        this.#fill();
      });
      this.#running.set(jobId, run);
    }
  }

  async #run(jobId: string): Promise<void> {
    const { runJob } = await loadRun();
    await runJob(this.#service(), jobId, { owner: this.#owner(), isStopped: () => this.#isStopped }).catch((error: unknown) => {
      this.#service().runtime.logger.error({ err: error, jobId }, "import job failed");
    });
  }
}
