import { IdentityError } from "latchkey";
import { describe, expect } from "vitest";
import { codesOf, expectOk, expectRefusal } from "../support/answer.js";
import { readEntries } from "../support/audit-entries.js";
import { runJob } from "../support/import-jobs.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { rerunningStorage } from "../support/rerunning-storage.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import {
  callerOfTenant,
  onEveryStorage,
  readEvents,
  type Start,
  startWorld,
  storages,
  uuid,
  type World,
} from "../support/world.js";
import { type HostHook, type HostTable, hostHook, nameOf } from "../support/write-hook.js";

interface Followed {
  readonly world: World;
  readonly hook: HostHook;
  readonly table: HostTable | undefined;
}

async function follow(start: Start, options: Parameters<Start>[0] = {}): Promise<Followed> {
  const hook = hostHook();
  const world = await start({ onWrite: hook.onWrite, ...options });
  const table = await hook.open(world.storage);
  hook.calls.length = 0;
  return { world, hook, table };
}

const group = (name: string): object => ({ group: { name } });

onEveryStorage((start) => {
  describe("onWrite", () => {
    requirement("on-write.changes", "gets the record before and after, without secrets, and who changed it", async () => {
      const { hook, table, world } = await follow(start);
      const key = await callerOfTenant(world, world.defaultTenantId);
      hook.calls.length = 0;
      const path = `/api/group/${uuid(1)}`;
      const created = expectOk(await key.post(path, group("A"), { "X-Audit-Reason": "Ticket 1" })).at("group");
      const changed = expectOk(await world.caller.patch(path, group("B"))).at("group");
      await world.identity.groups.remove({ groupId: uuid(1) });
      const shared = { family: "groups", id: uuid(1), tenantId: world.defaultTenantId, isDryRun: false };
      expect(hook.calls).toMatchObject([
        { ...shared, action: "create", before: undefined, after: created, auditReason: "Ticket 1" },
        { ...shared, action: "update", before: created, after: changed, auditReason: undefined },
        { ...shared, action: "remove", before: changed, after: undefined },
      ]);
      expect(hook.calls.map(({ principal }) => principal?.kind)).toEqual(["apiKey", "apiKey", "host"]);
      await world.identity.apiKeys.create({ keyId: uuid(2), apiKey: { key: "a-secret-of-nobody-else" } });
      expect(JSON.stringify(hook.calls.at(-1))).not.toContain("a-secret-of-nobody-else");
      const rows = (await table?.read())?.slice(-4);
      expect(rows).toEqual(table && hook.calls.map(nameOf));
      // The option auditChanges decides what the audit log records.
      expect(await world.identity.auditLogs.search({ search: {} })).toMatchObject({ total: 0 });
    });

    requirement("on-write.errors", "refuses by an IdentityError, and by 503 with the reason in the log otherwise", async () => {
      const { hook, table, world } = await follow(start);
      const events = (await readEvents(world.storage)).length;
      const refusal = new IdentityError(400, { generalErrors: [{ code: "[frozen]", message: "Nothing changes today." }] });
      hook.atEnd = () => {
        throw refusal;
      };
      expectRefusal(await world.caller.post("/api/group", group("A")), 400, "[frozen]");
      await expect(world.identity.groups.create({ group: { name: "A" } })).rejects.toBe(refusal);
      const cause = new Error("No project of this name.");
      hook.atEnd = async () => {
        throw cause;
      };
      expect(world.log.filter(({ level }) => level === "error")).toEqual([]);
      expectRefusal(await world.caller.post("/api/group", group("A")), 503, "[writeHookFailed]");
      expect(world.log.at(-1)).toMatchObject({ level: "error", fields: { err: cause } });
      const thrown = world.identity.groups.create({ group: { name: "A" } });
      await expect(thrown).rejects.toMatchObject({ code: "[writeHookFailed]", cause });
      expect((await world.caller.get("/api/group")).at("groups")).toEqual([]);
      expect((await readEvents(world.storage)).length).toBe(events);
      expect(await table?.read()).toEqual(table && []);
    });

    requirement("on-write.own-writes", "writes through tx without being called again, and loses that with the call", async () => {
      const { hook, world } = await follow(start, { auditChanges: true });
      const before = (await readEntries(world)).length;
      hook.atEnd = async (tx, { after, id = "" }) => {
        await tx.applications.create({ applicationId: id, application: { name: `Of ${after?.name}` } });
        await expect(world.identity.groups.list()).rejects.toThrow("call through its tx");
        if (after?.name === "B") throw new Error("Not this one.");
      };
      expectOk(await world.caller.post(`/api/group/${uuid(1)}`, group("A")));
      expectRefusal(await world.caller.post(`/api/group/${uuid(2)}`, group("B")), 503, "[writeHookFailed]");
      const names = async (name: "application" | "group"): Promise<unknown> =>
        (await world.caller.get(`/api/${name}`)).each(`${name}s`, "name");
      expect([await names("group"), await names("application")]).toEqual([["A"], ["Of A"]]);
      expect(hook.calls.map(({ family }) => family)).toEqual(["groups", "groups"]);
      const entries = (await readEntries(world)).slice(before);
      expect(entries.map(({ message }) => message)).toEqual([
        `Created the group ${uuid(1)}`,
        `Created the application ${uuid(1)}`,
      ]);
      expect(await readEvents(world.storage, "group.create")).toHaveLength(1);
    });

    requirement("on-write.dry-run", "is called in a dry run, whose end undoes its writes", async () => {
      const { hook, table, world } = await follow(start);
      expectOk(await world.caller.post("/api/group?dryRun=true", group("A")));
      expect(hook.calls).toMatchObject([{ action: "create", isDryRun: true }]);
      expect(await table?.read()).toEqual(table && []);
      hook.atEnd = () => {
        throw new IdentityError(400, { fieldErrors: { "group.name": [{ code: "[taken]group.name", message: "Taken." }] } });
      };
      expect(codesOf(await world.caller.post("/api/group?dryRun=true", group("A")))).toEqual(["[taken]group.name"]);
    });

    requirement("on-write.repeated", "runs again where receivers are asked first, and counts once", async () => {
      const { hook, table, world } = await follow(start, { allowPrivateNetwork: true });
      let status = 500;
      const sink = await startSink((_request, response) => void response.writeHead(status).end());
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true } });
      const events = { "group.create": { enabled: true, transactionType: "AbsoluteMajority" as const } };
      const patch = { tenant: { eventConfiguration: { events } } };
      await world.identity.tenants.patch({ tenantId: world.defaultTenantId, patch });
      hook.calls.length = 0;
      const rows = (await table?.read())?.length ?? 0;
      expectRefusal(await world.caller.post(`/api/group/${uuid(1)}`, group("A")), 504, "[WebhookTransactionException]");
      expect((await table?.read())?.slice(rows)).toEqual(table && []);
      status = 200;
      expectOk(await world.caller.post(`/api/group/${uuid(1)}`, group("A")));
      expect(hook.calls.map(nameOf)).toEqual(Array(3).fill(`create groups ${uuid(1)}`));
      expect((await table?.read())?.slice(rows)).toEqual(table && [`create groups ${uuid(1)}`]);
    });

    requirement("on-write.places", "follows imports, jobs, documents and the host's own transactions", async () => {
      const { hook, world } = await follow(start);
      const { identity } = world;
      const since = (): readonly string[] => hook.calls.splice(0).map(({ action, family }) => `${action} ${family}`);
      await identity.bulkUsers.import({ users: [{ email: "a@example.com" }, { email: "b@example.com" }] });
      expect(since()).toEqual(["create users", "create users"]);
      await runJob(world, [{ email: "c@example.com" }, { email: "d@example.com" }]);
      expect(since().toSorted()).toEqual(["create importJobs", "create users", "create users"]);
      const document = await identity.config.export();
      await identity.config.apply(document);
      expect(since()).toEqual([]);
      const both = identity.transaction(async (tx) => {
        await tx.groups.create({ group: { name: "A" } });
        await tx.groups.create({ group: { name: "a" } }).catch(() => undefined);
        hook.atEnd = () => {
          throw new Error("Not this one.");
        };
        await expect(tx.groups.create({ group: { name: "B" } })).rejects.toMatchObject({ code: "[writeHookFailed]" });
      });
      await both;
      expect((await world.caller.get("/api/group")).each("groups", "name")).toEqual(["A"]);
      expect(since()).toEqual(["create groups", "create groups"]);
      const failed = await runJob(world, [{ email: "e@example.com" }]).catch((error: unknown) => error);
      expect(failed).toMatchObject({ message: expect.stringContaining("503") });
    });

    requirement("on-write.places", "follows what a kickstart makes", async () => {
      const hook = hostHook();
      const requests = [{ method: "POST", url: `/api/group/${uuid(7)}`, body: group("Of the start") }] as const;
      await start({ onWrite: hook.onWrite, kickstart: { apiKeys: [{ key: "k".repeat(40) }], requests } });
      expect(hook.calls.map(nameOf)).toContain(`create groups ${uuid(7)}`);
    });
  });
}, embeddedPostgres());

describe.each(storages)("onWrite on %s", (_name, open) => {
  requirement("on-write.repeated", "runs again with a transaction that meets another one, and counts once", async () => {
    const { hook, table, world } = await follow((options) => startWorld(rerunningStorage(open()), options));
    expectOk(await world.caller.post(`/api/group/${uuid(1)}`, group("A")));
    expect(hook.calls.map(nameOf)).toEqual(Array(2).fill(`create groups ${uuid(1)}`));
    expect(await table?.read()).toEqual(table && [`create groups ${uuid(1)}`]);
  });
});

requirement("service.options", "onWrite must be a function", async () => {
  const start = startWorld((storages[0] as (typeof storages)[number])[1](), { onWrite: "no" as never });
  await expect(start).rejects.toThrow(new TypeError("onWrite must be a function."));
});
