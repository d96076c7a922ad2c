import { expect } from "vitest";
import type { ImportJob, ImportResult } from "../../src/records/import-jobs/schema.js";
import { bootstrapKey, type World } from "./world.js";

/** The options of an upload. */
interface Sent {
  readonly query?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response, and its body if any. */
export interface Answer {
  readonly status: number;
  readonly body: { readonly job: ImportJob; readonly [member: string]: unknown };
}

/** Sends an upload in one piece. */
export async function upload(world: World, body: string | Uint8Array, sent: Sent = {}): Promise<Answer> {
  const { query = "", type = "application/x-ndjson", headers } = sent;
  const own = { authorization: bootstrapKey, "content-type": type, ...headers };
  const answer = await world.identity.inject({ method: "POST", url: `/api/user/import/job${query}`, headers: own, body });
  return { status: answer.status, body: JSON.parse(answer.body || "{}") };
}

/** The result of a job. */
export interface Finished {
  readonly job: ImportJob;
  readonly results: readonly ImportResult[];
}

/** Waits until a job ends. */
export async function finish(world: World, jobId: string): Promise<Finished> {
  for (;;) {
    const { job } = await world.identity.importJobs.retrieve({ jobId });
    if (job.state !== "Queued" && job.state !== "Running") return { job, results: await readResults(world, jobId) };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The results of a job so far. */
export async function readResults(world: World, jobId: string): Promise<readonly ImportResult[]> {
  let text = "";
  for await (const part of await world.identity.importJobs.results({ jobId })) text += Buffer.from(part).toString();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

/** Uploads users, or lines unchanged, and waits until the job ends. */
export async function runJob(world: World, users: readonly unknown[], sent?: Sent): Promise<Finished> {
  const body = users.map((user) => (typeof user === "string" ? user : JSON.stringify(user))).join("\n");
  const answer = await upload(world, body, sent);
  expect(answer).toMatchObject({ status: 202, body: { job: { state: "Queued" } } });
  return finish(world, answer.body.job.id);
}

/** The error codes of a result, by path. */
export function codesOf({ errors }: ImportResult): unknown {
  const { fieldErrors = {}, generalErrors = [] } = errors ?? {};
  const codes = [...Object.values(fieldErrors).flat(), ...generalErrors] as readonly { readonly code: string }[];
  return codes.map(({ code }) => code);
}
