import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { importPartsTable } from "../../src/records/import-jobs/family.js";
import { expectOk } from "../support/answer.js";
import { readEntries } from "../support/audit-entries.js";
import { applicationId, countUsers, makeShop } from "../support/bulk-users.js";
import { finish, readResults, runJob, upload } from "../support/import-jobs.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const numbered = (count: number, prefix = "user"): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ username: `${prefix}${index}` }));

async function toArray<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

forEachStorage(
  (start) => {
    requirement("import-jobs.csv", "a CSV is imported by its header, or by the names in columns", async () => {
      const world = await start();
      await makeShop(world);
      const csv = [
        "\uFEFFemail,firstName,data.plan,active,registrations.0.applicationId,registrations.0.roles",
        `a@example.com,"Ada, ""Countess""\nof Lovelace",007,true,${applicationId},seller;buyer`,
        "b@example.com,,,,,",
        "no mail,,,,,",
      ].join("\r\n");
      const { body, status } = await upload(world, csv, { type: "text/csv; charset=utf-8" });
      expect([status, body.job.total]).toEqual([202, 3]);
      const { results } = await finish(world, body.job.id);
      expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
        [2, "created"],
        [3, "created"],
        [4, "failed"],
      ]);
      const user = expectOk(await world.caller.get("/api/user?email=a@example.com")).at("user");
      expect(user).toMatchObject({ firstName: 'Ada, "Countess"\nof Lovelace', data: { plan: "007" }, active: true });
      expect(user).toMatchObject({ registrations: [{ roles: ["Seller", "buyer"] }] });
      const named = await upload(world, "E-mail,Ignored\nc@example.com,x", { type: "text/csv", query: "?columns=email," });
      await finish(world, named.body.job.id);
      expectOk(await world.caller.get("/api/user?email=c@example.com"));
      for (const bad of ['email\n"unclosed', "__proto__.x\n1", "email,email\na,b", "data,data.x\n1,2", "e mail\nx"]) {
        const refused = await upload(world, bad, { type: "text/csv" });
        expect([bad, refused.status]).toEqual([bad, 400]);
      }
      expect(await world.storage.find(globalScope, importPartsTable, undefined)).toHaveLength(2);
    });

    requirement("import-jobs.expiry", "jobs, uploads and results go after a time", async () => {
      const world = await start({ importJobs: { keepMilliseconds: 1_000 } });
      const { job } = await runJob(world, numbered(3));
      await world.identity.settle();
      expect(await readResults(world, job.id)).toHaveLength(3);
      world.clock.advance(1_001);
      await world.identity.settle();
      await expect(world.identity.importJobs.retrieve({ jobId: job.id })).rejects.toMatchObject({ status: 404 });
      expect(await world.storage.find(globalScope, importPartsTable, undefined)).toEqual([]);
    });

    requirement("import-jobs.sealed", "an upload is sealed, and its parts go with the rows that are stored", async () => {
      const world = await start();
      const { body } = await upload(world, JSON.stringify({ username: "a", passwordHash: "$2b$10$secret" }));
      const [part] = await world.storage.find(globalScope, importPartsTable, undefined);
      expect(JSON.stringify(part)).not.toContain("secret");
      await finish(world, body.job.id);
      const kinds = (await world.storage.find(globalScope, importPartsTable, undefined)).map(({ hidden }) => hidden);
      expect(kinds).toEqual([null]);
    });

    requirement("import-jobs.audit", "the audit log says who started a job and created its users", async () => {
      const world = await start({ auditChanges: true });
      const { body } = await upload(world, JSON.stringify({ username: "a" }));
      const { job, results } = await finish(world, body.job.id);
      const entries = await readEntries(world);
      expect(entries.map(({ message }) => message)).toEqual([
        `Created the import job ${job.id}`,
        `Created the user ${results[0]?.id}`,
      ]);
      expect(new Set(entries.map(({ insertUser }) => insertUser)).size).toBe(1);
      expect(entries[0]?.insertUser).toMatch(/^apiKey:/);
    });

    requirement("import-jobs.in-process", "users of an iterable are imported in process, with progress and results", async () => {
      const world = await start();
      const seen: number[] = [];
      const users = async function* (): AsyncGenerator<{ username: string }> {
        for (let index = 0; index < 1_200; index++) yield { username: `user${index % 1_100}` };
      };
      const onProgress = ({ created }: { readonly created: number }): void => void seen.push(created);
      const { job, results } = await world.identity.users.import(users(), { onProgress, onDuplicate: "skip" });
      expect(job).toMatchObject({ state: "Completed", created: 1_100, skipped: 100 });
      expect(seen.at(-1)).toBe(1_100);
      expect((await toArray(results)).length).toBe(1_200);
      const broken = async function* (): AsyncGenerator<{ username: string }> {
        yield { username: "never" };
        throw new Error("The file is gone.");
      };
      await expect(world.identity.users.import(broken())).rejects.toThrow("The file is gone.");
      expect((await world.identity.importJobs.list()).jobs).toHaveLength(1);
      expect(await countUsers(world)).toBe(1_100);
    });
  },
  isLong ? embeddedPostgres() : [],
);
