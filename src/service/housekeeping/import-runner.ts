import { pruneJobs } from "../../import/import-jobs/prune-jobs.js";
import type { ImportJobLimits, ImportJobs, ServiceContext } from "../../operations/service-context.js";
import { globalScope } from "../../ports/storage.js";
import { importJobsTable } from "../../records/import-jobs/family.js";
import { lazily, once } from "../../shared/async.js";

// Few services import users.
const loadRun = lazily(() => import("../../import/import-jobs/run-job.js"));

/** How many jobs one process works on at once. */
const maxRunning = 4;

/**
 * Works on import jobs. Of several processes on one storage one works on a job; when it dies, another one continues after the end of its
 * lease.
 */
export class ImportRunner {
  readonly #service: () => ServiceContext;
  /** Names this process in leases. */
  readonly #owner = once(() => this.#service().runtime.newId());
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(service: () => ServiceContext) {
    this.#service = service;
  }

  /** What operations may know and ask of it. */
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

  /** Continues jobs that no process works on. */
  readonly resume = async (): Promise<void> => {
    const values = ["Queued", "Running"];
    const open = await this.#service().storage.find(globalScope, importJobsTable, { op: "in", column: "state", values });
    for (const { id } of open) if (!this.#running.has(id)) this.start(id);
  };

  /** Removes jobs that have had their time. */
  readonly prune = async (): Promise<void> => {
    const [first] = await this.#service().storage.find(globalScope, importJobsTable, undefined, { limit: 1 });
    if (first !== undefined) await pruneJobs(this.#service());
  };

  /** Ends with the parts that are under way. */
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
