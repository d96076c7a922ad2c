import { generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope } from "../../ports/storage.js";
import type { ByteStream } from "../../ports/transport.js";
import { importJobsTable, openStates } from "../../records/import-jobs/family.js";
import { pause } from "../../shared/async.js";
import { loadJob, showJob, toJob } from "./job-record.js";

const pollMilliseconds = 500;

/** Reads without news before a comment keeps the connection alive: 15 seconds. */
const quietPolls = 30;

const maxFollowers = 100;

const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" };

const followers = new WeakMap<ServiceContext["importJobs"], { count: number }>();

/**
 * GET: server-sent events: `progress` with the job at most every 500 ms, and `end` once it is over.
 * @throws IdentityError 503 when too many clients follow jobs.
 */
export async function showProgress(call: OperationCall): Promise<OperationResult> {
  const { job } = await loadJob(call);
  const open = followers.get(call.service.importJobs) ?? { count: 0 };
  followers.set(call.service.importJobs, open);
  if (open.count >= maxFollowers) throw generalError("overloaded", undefined, { headers: { "retry-after": "5" } });
  return { status: 200, json: "", stream: follow(call, job.id, open), headers };
}

// Reads the storage, because any process may run the job.
async function* readProgress(service: ServiceContext, jobId: string): AsyncGenerator<Uint8Array> {
  let [seen, quiet] = [0, 0];
  for (;;) {
    const stored = await service.storage.retrieve(globalScope, importJobsTable, jobId);
    if (stored === undefined || service.importJobs.isStopped()) return;
    const loaded = toJob(stored);
    const isOver = !openStates.includes(loaded.job.state);
    const isNews = stored.version !== seen;
    quiet = isNews ? 0 : quiet + 1;
    seen = stored.version;
    if (isNews || isOver) yield toEvent(isOver ? "end" : "progress", JSON.stringify({ job: showJob(loaded) }));
    else if (quiet % quietPolls === 0) yield Buffer.from(":\n\n");
    if (isOver) return;
    await pause(service.runtime.timers, pollMilliseconds);
  }
}

async function* noProgress(): AsyncGenerator<Uint8Array> {}

// Not a `finally` of the generator, which would not run before the first read.
function follow({ service }: OperationCall, jobId: string, open: { count: number }): ByteStream {
  return {
    [Symbol.asyncIterator]() {
      // Others may have begun since the check. A browser asks for an empty stream again.
      const iterator = open.count >= maxFollowers ? noProgress() : readProgress(service, jobId);
      open.count++;
      let isOpen = true;
      const close = (): void => {
        if (isOpen) open.count--;
        isOpen = false;
      };
      return {
        async next() {
          const step = await iterator.next().catch((error: unknown) => {
            close();
            throw error;
          });
          if (step.done === true) close();
          return step;
        },
        async return() {
          close();
          return iterator.return(undefined);
        },
      };
    },
  };
}

function toEvent(name: string, data: string): Uint8Array {
  return Buffer.from(`event: ${name}\ndata: ${data}\n\n`);
}
