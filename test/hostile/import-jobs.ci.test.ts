import { createIdentityService } from "latchkey";
import { type ApiRequest, type ByteStream, globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { leaseMilliseconds } from "../../src/import/import-jobs/job-record.js";
import { importJobsTable, importPartsTable } from "../../src/records/import-jobs/family.js";
import { applicationId, countUsers, makeShop } from "../support/bulk-users.js";
import { codesOf, finish, readResults, runJob, upload } from "../support/import-jobs.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, testSecret, type World } from "../support/world.js";

/** A request whose body arrives piece by piece. */
function streamed(stream: ByteStream, query = ""): ApiRequest {
  const headers = { authorization: bootstrapKey, "content-type": "application/x-ndjson", "transfer-encoding": "chunked" };
  return { method: "POST", path: "/api/user/import/job", query, headers, body: { kind: "stream", stream } };
}

async function expectNothingLeft({ storage }: World): Promise<void> {
  expect(await storage.find(globalScope, importJobsTable, undefined)).toEqual([]);
  expect(await storage.find(globalScope, importPartsTable, undefined)).toEqual([]);
}

forEachStorage((start) => {
  requirement("import-jobs.hostile", "a line of any length is passed over and not held", async () => {
    const world = await start({ importJobs: { maxLineBytes: 65_536 } });
    const piece = Buffer.alloc(1_048_576, 120);
    const pieces = 1_024;
    let highest = 0;
    const body = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"username":"before"}\n{"username":"');
      for (let count = 0; count < pieces; count++) {
        yield piece;
        highest = Math.max(highest, process.memoryUsage().arrayBuffers);
      }
      yield Buffer.from('"}\n{"username":"after"}');
    };
    const before = process.memoryUsage().arrayBuffers;
    const answer = await world.identity.handle(streamed(body()));
    expect(answer?.status).toBe(202);
    expect(highest - before).toBeLessThan(24 * piece.length);
    const { results } = await finish(world, JSON.parse(answer?.body ?? "{}").job.id);
    expect(results.map((result) => [result.line, result.outcome, codesOf(result)])).toEqual([
      [1, "created", []],
      [2, "failed", ["[tooLong]user"]],
      [3, "created", []],
    ]);
  });

  requirement("import-jobs.hostile", "an upload that breaks off anywhere leaves nothing", async () => {
    const world = await start();
    const whole = Buffer.from(`${JSON.stringify({ username: "a", data: { text: "é".repeat(300) } })}\n`.repeat(1_500));
    for (const length of [0, 1, 500, 700_001, whole.length - 1]) {
      const body = async function* (): AsyncGenerator<Uint8Array> {
        yield whole.subarray(0, length);
        throw new Error("The client went away.");
      };
      const answer = await world.identity.handle(streamed(body()));
      expect([length, answer?.status]).toEqual([length, 400]);
      await expectNothingLeft(world);
    }
    const idle = await start({ bodyTimeoutMs: 50 });
    const late = await idle.identity.handle(streamed({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }));
    expect(late?.status).toBe(408);
    await expectNothingLeft(idle);
    expect(await countUsers(world)).toBe(0);
  });

  requirement("import-jobs.hostile", "bytes that are no text or no user fail line by line", async () => {
    const world = await start();
    const lines = [
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from('{"username":"first"}\r\n'),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from([0x00, 0x0a]),
      Buffer.from(`${"[".repeat(50_000)}\n`),
      Buffer.from('{"username":"a","__proto__":{"active":true}}\n'),
      Buffer.from('{"username":"b","passwordHash":"$argon2id$v=19$m=99999999,t=9999,p=1$c2FsdHNhbHQ$aGFzaA"}\n'),
      Buffer.from('\n  \n{"username":"last"}'),
    ];
    const { body } = await upload(world, Buffer.concat(lines));
    const { job, results } = await finish(world, body.job.id);
    expect(job.total).toBe(7);
    expect(results.map((result) => [result.line, result.outcome, codesOf(result)])).toEqual([
      [1, "created", []],
      [2, "failed", ["[invalidText]"]],
      [3, "failed", ["[invalidJSON]"]],
      [4, "failed", ["[invalidJSON]"]],
      [5, "failed", ["[invalid]user.__proto__"]],
      [6, "failed", ["[invalid]user.passwordHash"]],
      [9, "created", []],
    ]);
  });

  requirement("import-jobs.hostile", "very many bad lines each get their result", async () => {
    const world = await start();
    const count = 300_000;
    const users = Array.from({ length: count }, (_, index) => (index % 3 === 0 ? "{" : '{"email":"nobody"}'));
    const { job, results } = await runJob(world, users);
    expect([job.failed, results.length]).toEqual([count, count]);
  });

  requirement("import-jobs.limits", "bytes, rows and open jobs are limited", async () => {
    const limits = { maxBytes: 10_000, maxRows: 20, maxOpenJobs: 2 };
    const world = await start({ importJobs: limits });
    const rows = (count: number): string => `${JSON.stringify({ username: "x" })}\n`.repeat(count);
    expect((await upload(world, rows(21))).status).toBe(413);
    expect((await upload(world, " ".repeat(10_001))).status).toBe(413);
    expect((await upload(world, "\n\n")).status).toBe(400);
    for (const query of ["?onDuplicate=x", "?events=x", "?encryptionScheme=x", "?factor=x", "?factor=7"])
      expect([query, (await upload(world, rows(1), { query })).status]).toEqual([query, 400]);
    expect((await upload(world, rows(1), { type: "application/json" })).status).toBe(400);
    expect((await upload(world, rows(1), { headers: { "content-encoding": "gzip" } })).status).toBe(415);
    await expectNothingLeft(world);
    // Uploads that never end.
    const hung = (): ByteStream => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });
    for (let count = 0; count < 2; count++) void world.identity.handle(streamed(hung()));
    await expect.poll(() => world.storage.find(globalScope, importJobsTable, undefined)).toHaveLength(2);
    expect((await upload(world, rows(1))).status).toBe(429);
    // Each tenant has a limit of its own, and so have jobs of no tenant.
    const headers = { "X-Service-TenantId": world.defaultTenantId };
    expect((await upload(world, rows(1), { headers })).status).toBe(202);
  });

  requirement(
    "import-jobs.progress",
    "progress is sent until the job is over, and a client that goes away frees its place",
    async () => {
      const world = await start();
      const { job } = await runJob(world, [{ username: "a" }]);
      const texts: string[] = [];
      for await (const part of await world.identity.importJobs.progress({ jobId: job.id }))
        texts.push(Buffer.from(part).toString());
      expect(texts).toEqual([expect.stringMatching(/^event: end\ndata: \{"job":\{.*"state":"Completed".*\}\}\n\n$/)]);
      const open: AsyncIterator<Uint8Array>[] = [];
      const follow = async (): Promise<void> => {
        const stream = await world.identity.importJobs.progress({ jobId: job.id });
        open.push(stream[Symbol.asyncIterator]());
      };
      for (let count = 0; count < 100; count++) await follow();
      await expect(follow()).rejects.toMatchObject({ status: 503 });
      await open[0]?.return?.();
      // All are let in before the first of them begins to read.
      const streams = await Promise.all([1, 2, 3].map(() => world.identity.importJobs.progress({ jobId: job.id })));
      const first = await Promise.all(streams.map((stream) => stream[Symbol.asyncIterator]().next()));
      expect(first.map(({ done }) => done === true)).toEqual([false, true, true]);
      const answer = await world.identity.inject({
        url: `/api/user/import/job/${job.id}/results`,
        headers: { authorization: bootstrapKey },
      });
      // A client that never reads the results costs nothing but what it has open.
      const results = answer.stream?.[Symbol.asyncIterator]();
      expect((await results?.next())?.done).toBe(false);
      await results?.return?.();
    },
  );

  requirement(
    "import-jobs.takeover",
    "of two processes one works on a job; the other continues when the first is gone",
    async () => {
      const world = await start();
      const users = Array.from({ length: 4_000 }, (_, index) => JSON.stringify({ username: `user${index}` }));
      const { body } = await upload(world, users.join("\n"));
      const jobId = body.job.id;
      // A second service on the same storage, which closes it no second time.
      const storage = { ...world.storage, open: async () => undefined, close: async () => undefined };
      for (const name of ["retrieve", "find", "findIds", "findPositions", "search", "transaction", "ping"] as const)
        Object.assign(storage, { [name]: (world.storage[name] as (...given: unknown[]) => unknown).bind(world.storage) });
      const clock = (): number => world.clock.instant + leaseMilliseconds + 1;
      const other = await createIdentityService({ storage, secret: testSecret, clock, delivery: false });
      await other.settle();
      const { job, results } = await finish(world, jobId);
      expect(job).toMatchObject({ state: "Completed", created: 4_000, failed: 0 });
      expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 4_000 }, (_, index) => index + 1));
      expect(await countUsers(world)).toBe(4_000);
      await other.close();
    },
  );

  requirement("import-jobs.takeover", "jobs with the same users create each once, and none of them fails", async () => {
    const world = await start();
    const count = 2_500;
    const users = Array.from({ length: count }, (_, index) => JSON.stringify({ username: `user${index}` })).join("\n");
    const started = await Promise.all([0, 1, 2].map(() => upload(world, users)));
    const finished = await Promise.all(started.map(({ body }) => finish(world, body.job.id)));
    expect(finished.map(({ job }) => job.state)).toEqual(["Completed", "Completed", "Completed"]);
    const outcomes = finished.flatMap(({ results }) => results.map(({ outcome }) => outcome));
    expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(count);
    expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(2 * count);
    expect(await countUsers(world)).toBe(count);
  });

  requirement("import-jobs.hostile", "rows fail from when their application is removed", async () => {
    const world = await start();
    await makeShop(world);
    const users = Array.from({ length: 3_000 }, (_, index) =>
      JSON.stringify({ username: `user${index}`, registrations: [{ applicationId }] }),
    );
    const { body } = await upload(world, users.join("\n"));
    await world.identity.applications.remove({ applicationId, hardDelete: true });
    const { job, results } = await finish(world, body.job.id);
    expect([job.state, job.created + job.failed]).toEqual(["Completed", 3_000]);
    const failures = results.filter(({ outcome }) => outcome === "failed").map(codesOf);
    expect(new Set(failures.flat().map(String))).toEqual(new Set(["[invalid]user.registrations[0].applicationId"]));
    expect(await countUsers(world)).toBe(job.created);
  });

  requirement("import-jobs.hostile", "a tenant that is removed meanwhile takes its job along", async () => {
    const world = await start();
    const { tenant } = await world.identity.tenants.create({ tenant: { name: "Short" } });
    const users = Array.from({ length: 5_000 }, (_, index) => JSON.stringify({ username: `user${index}` }));
    const { body } = await upload(world, users.join("\n"), { headers: { "x-service-tenantid": tenant.id } });
    await readResults(world, body.job.id);
    await world.identity.tenants.remove({ tenantId: tenant.id });
    await world.identity.settle();
    await expectNothingLeft(world);
    expect(world.log.filter(({ level }) => level === "error")).toEqual([]);
  });
}, embeddedPostgres());
