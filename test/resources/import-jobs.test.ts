import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { importJobsTable, importPartsTable } from "../../src/records/import-jobs/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { applicationId, countUsers, logInto, makeShop } from "../support/bulk-users.js";
import { makeGroup } from "../support/families.js";
import { codesOf, finish, runJob, upload } from "../support/import-jobs.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

/** So many rows that a job takes more than one step. */
const many = isLong ? 5_000 : 1_500;

const numbered = (count: number, prefix = "user"): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ username: `${prefix}${index}` }));

async function typesOfEvents({ storage }: World): Promise<readonly string[]> {
  return (await readEvents(storage)).map(({ type }) => type).filter((type) => /^user\..*(?<!complete)$/.test(type));
}

forEachStorage(
  (start) => {
    requirement("import-jobs.create", "a job imports users with all that they have, and has a result for each line", async () => {
      const world = await start();
      await makeShop(world);
      const groupId = await makeGroup(world, world.defaultTenantId, "Buyers");
      const ada = {
        ...{ id: uuid(1), email: "ADA@example.com", active: true, password: "correct horse", data: { plan: "gold" } },
        registrations: [{ applicationId, roles: ["seller"] }],
        memberships: [{ groupId }],
      };
      const rows = [ada, { username: "bob" }, "nonsense", { email: 5 }, { email: "ada@example.com" }, "", "[]"];
      const { job, results } = await runJob(world, rows);
      expect(job).toMatchObject({ state: "Completed", total: 6, created: 2, failed: 4, skipped: 0, updated: 0 });
      expect(job.completionInstant).toBeGreaterThanOrEqual(job.startInstant ?? Number.NaN);
      expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
        [1, "created"],
        [2, "created"],
        ...[3, 4, 5, 7].map((line) => [line, "failed"]),
      ]);
      expect(results.slice(2).map(codesOf)).toEqual([
        ["[invalidJSON]"],
        ["[invalidJSON]user.email"],
        ["[duplicate]user.email"],
        ["[invalidJSON]"],
      ]);
      const user = expectOk(await world.caller.get(`/api/user/${uuid(1)}`)).at("user");
      expect(user).toMatchObject({
        email: "ada@example.com",
        registrations: [{ roles: ["Seller"] }],
        memberships: [{ groupId }],
      });
      expectOk(await logInto(world, "ada@example.com", "correct horse"));
      expect(await typesOfEvents(world)).toContain("user.bulk.create");
      expect(expectOk(await world.caller.get("/api/user/import/job")).at("jobs")).toMatchObject([{ id: job.id }]);
    });

    requirement("import-jobs.references", "a row that refers to what is not there fails by itself", async () => {
      const world = await start();
      await makeShop(world);
      const other = await makeTenant(world, "Other");
      const otherGroup = await makeGroup(world, other, "Theirs");
      const { results } = await runJob(
        world,
        [
          { username: "a", registrations: [{ applicationId: uuid(9) }] },
          { username: "b", registrations: [{ applicationId, roles: ["nobody"] }] },
          { username: "c", memberships: [{ groupId: otherGroup }] },
          { username: "e", passwordHash: "$2b$31$nonsense" },
          { username: "f", data: { text: "\u0000" } },
          { username: "g", tenantId: world.defaultTenantId },
        ],
        { headers: { "x-service-tenantid": world.defaultTenantId } },
      );
      expect(results.map((result) => [result.outcome, codesOf(result)])).toEqual([
        ["failed", ["[invalid]user.registrations[0].applicationId"]],
        ["failed", ["[invalid]user.registrations[0].roles"]],
        ["failed", ["[invalid]user.memberships[0].groupId"]],
        ["failed", ["[invalid]user.passwordHash"]],
        ["failed", ["[invalid]user.data.text"]],
        ["created", []],
      ]);
    });

    requirement("import-jobs.duplicates", "onDuplicate refuses, passes over or changes a user who exists", async () => {
      const world = await start();
      await makeShop(world);
      await runJob(world, [{ id: uuid(1), email: "a@example.com", username: "a", firstName: "Ada", data: { x: 1, y: 1 } }]);
      const again = { email: "A@example.com", firstName: "Augusta", data: { y: 2 }, registrations: [{ applicationId }] };
      const refused = await runJob(world, [again, { username: "new" }, { username: "NEW" }]);
      expect(refused.results.map(({ outcome }) => outcome)).toEqual(["failed", "created", "failed"]);
      const skipped = await runJob(world, [again, { username: "second" }, { username: "SECOND" }], {
        query: "?onDuplicate=skip",
      });
      expect(skipped.results.map(({ outcome }) => outcome)).toEqual(["skipped", "created", "skipped"]);
      expect(skipped.results[0]?.id).toBe(uuid(1));
      const updated = await runJob(
        world,
        [
          again,
          { username: "a", lastName: "King", registrations: [{ applicationId, roles: ["seller"] }] },
          { username: "third" },
        ],
        { query: "?onDuplicate=update" },
      );
      expect(updated.job).toMatchObject({ updated: 2, created: 1, failed: 0 });
      const user = expectOk(await world.caller.get(`/api/user/${uuid(1)}`)).at("user");
      expect(user).toMatchObject({ firstName: "Augusta", lastName: "King", username: "a", data: { x: 1, y: 2 } });
      expect(user).toMatchObject({ registrations: [{ applicationId, roles: ["Seller"] }] });
      // Two users at once, and the id of a user in another tenant: neither is meant.
      const both = await runJob(world, [{ email: "a@example.com", username: "third" }], { query: "?onDuplicate=update" });
      expect(both.results.map(codesOf)).toEqual([["[duplicate]user.email", "[duplicate]user.username"]]);
      const tenantId = await makeTenant(world, "Other");
      const nowhere = await runJob(world, [{ username: "x", tenantId: uuid(8) }, { username: "x" }]);
      expect(nowhere.results.map(codesOf)).toEqual([["[invalid]user.tenantId"], ["[TenantIdRequired]"]]);
      const theirs = await runJob(world, [{ id: uuid(1), username: "theirs", tenantId }], { query: "?onDuplicate=update" });
      expect(theirs.results.map(codesOf)).toEqual([["[duplicate]user.id"]]);
    });

    requirement("import-jobs.dry-run", "a dry run answers the same results and counts, and stores no user", async () => {
      const world = await start();
      const users = [...numbered(600), { username: "USER3" }, { username: "" }];
      const before = await countUsers(world);
      for (const onDuplicate of ["error", "skip", "update"]) {
        const { job, results } = await runJob(world, users, { query: `?dryRun=true&onDuplicate=${onDuplicate}` });
        expect(job).toMatchObject({ dryRun: true, state: "Completed", created: 600 });
        expect(results[600]?.outcome).toBe({ error: "failed", skip: "skipped", update: "updated" }[onDuplicate]);
      }
      expect(await countUsers(world)).toBe(before);
      expect(await typesOfEvents(world)).toEqual([]);
    });

    requirement("import-jobs.dry-run", "a dry run distinguishes users across parts of an upload", async () => {
      const world = await start();
      // The SHA-1 digests of the keys of these ids begin with the same 53 bits, the precision of a number.
      const ids = ["0a14da2a-8f35-4000-8000-5b0000000000", "14173026-6b8e-4000-8000-000000000000"];
      const [first, second] = ids.map((id) => ({ id, username: id }));
      // Blank lines, so that the others are in another part.
      const blank = Array.from({ length: 2_000 }, () => "");
      const users = [first, { username: "third" }, ...blank, second, first, { username: "Third" }];
      const { job, results } = await runJob(world, users, { query: "?dryRun=true" });
      expect(job).toMatchObject({ created: 3, failed: 2 });
      expect(results.slice(3).map(codesOf)).toEqual([
        ["[duplicate]user.id", "[duplicate]user.username"],
        ["[duplicate]user.username"],
      ]);
    });

    requirement("import-jobs.events", "users are published 100 in an event, or one by one", async () => {
      const world = await start();
      await makeShop(world);
      await runJob(world, numbered(180));
      expect(await typesOfEvents(world)).toEqual(["user.bulk.create", "user.bulk.create"]);
      const registered = { username: "one", registrations: [{ applicationId }] };
      await runJob(world, [registered, { username: "two" }], { query: "?events=single" });
      expect((await typesOfEvents(world)).filter((type) => !type.includes("bulk")).toSorted()).toEqual([
        "user.create",
        "user.create",
        "user.registration.create",
      ]);
    });

    requirement("import-jobs.cancel", "a job is canceled and continued, and each row is imported once", async () => {
      const world = await start();
      const { body } = await upload(
        world,
        numbered(many)
          .map((user) => JSON.stringify(user))
          .join("\n"),
      );
      const jobId = body.job.id;
      // Whatever it has done until then.
      const canceled = await world.identity.importJobs.cancel({ jobId });
      expect(canceled.job.state).toBe("Canceled");
      const count = await countUsers(world);
      const kept = await world.identity.importJobs.retrieve({ jobId });
      expect([kept.job.state, kept.job.created]).toEqual(["Canceled", count]);
      expectRefusal(await world.caller.delete(`/api/user/import/job/${jobId}`), 409, "[wrongState]");
      const resumed = expectOk(await world.caller.post(`/api/user/import/job/${jobId}/resume`));
      expect(resumed.at("job.state")).toBe("Queued");
      const { job, results } = await finish(world, jobId);
      expect(job).toMatchObject({ state: "Completed", created: many, failed: 0 });
      expect(new Set(results.map(({ id }) => id)).size).toBe(many);
      expect(await countUsers(world)).toBe(many);
      expectRefusal(await world.caller.post(`/api/user/import/job/${jobId}/resume`), 409, "[wrongState]");
      expectOk(await world.caller.delete(`/api/user/import/job/${jobId}?hardDelete=true`));
      expectEmpty(await world.caller.get(`/api/user/import/job/${jobId}`), 404);
      expect(await world.storage.find(globalScope, importPartsTable, undefined)).toEqual([]);
    });

    requirement("import-jobs.revoked-key", "a job continues after the key that started it is removed", async () => {
      const world = await start();
      const { apiKey } = await world.identity.apiKeys.create({ apiKey: { key: "a-key-that-is-removed-0123456789" } });
      const rows = numbered(many).map((user) => JSON.stringify(user));
      const headers = { authorization: "a-key-that-is-removed-0123456789" };
      const { body } = await upload(world, rows.join("\n"), { headers });
      await world.identity.apiKeys.remove({ keyId: apiKey.id });
      expect((await upload(world, rows[0] ?? "", { headers })).status).toBe(401);
      const removed = await world.identity.importJobs.retrieve({ jobId: body.job.id });
      expect(removed.job.created).toBeLessThan(many);
      // Canceled and continued by another caller, it is still the same job.
      await world.identity.importJobs.cancel({ jobId: body.job.id });
      await world.identity.importJobs.resume({ jobId: body.job.id });
      const { job } = await finish(world, body.job.id);
      expect(job).toMatchObject({ state: "Completed", created: many, failed: 0 });
    });

    requirement("import-jobs.others-first", "others write while a job runs, and each row of it is imported once", async () => {
      const world = await start();
      const bad = [1, 150, 999, 1_700];
      const rows = numbered(2_000).map((user, index) => JSON.stringify(bad.includes(index) ? { username: 5 } : user));
      const { body } = await upload(world, rows.join("\n"));
      const jobId = body.job.id;
      const positions = new Set<number>();
      for (let number = 0, isOpen = true; isOpen; number++) {
        await world.identity.groups.create({ group: { name: `Group ${number}` } });
        // In memory nothing else would have its turn.
        await new Promise((resolve) => setImmediate(resolve));
        if (positions.size === 5) await world.identity.importJobs.cancel({ jobId });
        if (positions.size === 5) await world.identity.importJobs.resume({ jobId });
        const { job } = await world.identity.importJobs.retrieve({ jobId });
        positions.add(job.created + job.failed);
        isOpen = job.state === "Queued" || job.state === "Running";
      }
      const { job, results } = await finish(world, jobId);
      expect(job).toMatchObject({ state: "Completed", created: 1_996, failed: 4 });
      expect(results.map(({ line }) => line)).toEqual(rows.map((_, index) => index + 1));
      expect(await countUsers(world)).toBe(1_996);
      // Where transactions run side by side, none waits for another.
      if (!world.storage.capabilities.runsSideBySide) expect(positions.size).toBeGreaterThan(6);
    });

    requirement("import-jobs.tenants", "a caller of a tenant sees and changes the jobs of that tenant alone", async () => {
      const world = await start();
      const [one, other] = [await makeTenant(world, "One"), await makeTenant(world, "Other")];
      const bound = { headers: { "x-service-tenantid": one } };
      const { body } = await upload(world, JSON.stringify({ username: "theirs" }), bound);
      expect(body.job.tenantId).toBe(one);
      await finish(world, body.job.id);
      const asOther = world.identity.as({ kind: "host", tenantId: other });
      const jobId = body.job.id;
      for (const verb of ["retrieve", "results", "progress", "resume", "cancel"] as const)
        await expect(asOther.importJobs[verb]({ jobId })).rejects.toMatchObject({ status: 404 });
      expect((await asOther.importJobs.list()).jobs).toEqual([]);
      // The tenant of the call wins over one that a row names.
      const named = await upload(world, JSON.stringify({ username: "x", tenantId: other }), bound);
      const [made] = (await finish(world, named.body.job.id)).results;
      expect(await world.identity.users.retrieve({ userId: made?.id ?? "" })).toMatchObject({ user: { tenantId: one } });
      await world.identity.tenants.remove({ tenantId: one });
      expect(await world.storage.find(globalScope, importJobsTable, undefined)).toEqual([]);
      expect(await world.storage.find(globalScope, importPartsTable, undefined)).toEqual([]);
    });
  },
  isLong ? embeddedPostgres() : [],
);
