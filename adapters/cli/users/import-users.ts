import { Readable } from "node:stream";
import { nodeRuntime } from "latchkey/ports";
import type { ImportJob } from "latchkey/types";
import { pause } from "../../internal/async.js";
import { type CommandCall, exitCodes, printable } from "../command/command.js";
import { FailureFile } from "./failure-file.js";
import { readPlan } from "./import-plan.js";
import type { JobApi } from "./job-api.js";
import { Progress } from "./progress.js";
import { Upload } from "./upload.js";

/** `latchkey users import`. */
export async function importUsers(call: CommandCall, api: JobApi): Promise<number> {
  const plan = await readPlan(call, api);
  const failures =
    plan.errorFile === undefined ? undefined : new FailureFile(plan.errorFile, call.terminal.resolve(plan.errorFile));
  const progress = new Progress(call.terminal);
  const upload = new Upload(plan, progress);
  const resumed = call.text("resume");
  const begun = resumed === undefined ? await upload.send(api) : await goOn(api, resumed);
  call.terminal.say(`Job ${begun.id}`);
  const job = await watch(api, begun, progress);
  progress.end();
  if (failures !== undefined) {
    if (resumed !== undefined) await upload.count();
    await failures.write(plan, upload, job.failed ? await api.results(job.id) : Readable.from([]));
  }
  const failed = (job.failed ?? 0) + upload.refused.size;
  tell(call, { job, refused: upload.refused.size, losses: upload.losses });
  if (job.state !== "Completed") {
    call.terminal.say(`The job is ${job.state.toLowerCase()}. latchkey users import --resume ${job.id} lets it go on.`);
    return exitCodes.wrong;
  }
  return failed > 0 ? exitCodes.rowsFailed : exitCodes.fine;
}

async function goOn(api: JobApi, id: string): Promise<ImportJob> {
  const job = await api.find(id);
  return ["Failed", "Canceled"].includes(job.state) ? api.resume(id) : job;
}

const shortestPollMs = 50;
const longestPollMs = 1_000;

async function watch(api: JobApi, begun: ImportJob, progress: Progress): Promise<ImportJob> {
  let job = begun;
  let pollMs = shortestPollMs;
  while (["Queued", "Running"].includes(job.state)) {
    const { created = 0, failed = 0, skipped = 0, total, updated = 0 } = job;
    progress.show({ what: "Importing", done: created + failed + skipped + updated, total });
    await pause(nodeRuntime.timers, pollMs);
    pollMs = Math.min(longestPollMs, 2 * pollMs);
    job = await api.find(job.id);
  }
  return job;
}

/** The most kinds of lost data to list. */
const maxLosses = 20;

function tell(
  { flag, terminal }: CommandCall,
  { job, losses, refused }: { readonly job: ImportJob; readonly refused: number; readonly losses: ReadonlyMap<string, number> },
): void {
  if (flag("json")) {
    terminal.print(JSON.stringify({ job, refused, losses: Object.fromEntries(losses) }, undefined, 2));
    return;
  }
  const { created = 0, failed = 0, skipped = 0, updated = 0 } = job;
  terminal.print(`${created} created, ${updated} updated, ${skipped} skipped, ${failed + refused} failed.`);
  const sorted = [...losses].sort(([, one], [, other]) => other - one);
  for (const [loss, count] of sorted.slice(0, maxLosses))
    terminal.say(`${count} ${count === 1 ? "user" : "users"}: ${printable(loss)} did not come along.`);
  if (sorted.length > maxLosses) terminal.say(`${sorted.length - maxLosses} more roles or groups did not come along.`);
}
