import { describe, expect, onTestFinished, vi } from "vitest";
import { auditLogNumbersTable, auditLogsTable } from "../../src/records/audit-logs/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { walkPages } from "../support/walk-pages.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, type Start, uuid, type World } from "../support/world.js";

const path = "/api/system/audit-log";
const searchPath = `${path}/search`;

const write = (caller: Caller, auditLog: object): Promise<Answer> => caller.post(path, { auditLog });

async function messagesOf(caller: Caller, search: object = {}): Promise<unknown[]> {
  const answer = expectOk(await caller.post(searchPath, { search }));
  const messages = answer.each("auditLogs", "message");
  expect(answer.at("total")).toBe(messages.length);
  return messages;
}

const three = [
  { message: "Alpha 50%", insertUser: "ann@example.com", reason: "Asked for" },
  { message: "beta", insertUser: "Bob", newValue: { name: "Editors" }, oldValue: { name: "Authors" } },
  { message: "ALPHABET", insertUser: "ann@example.com", newValue: ["x", 7], data: { ticket: 12 } },
];

/** A service whose log has these entries, a second after the one before. */
async function startWith(start: Start, entries: readonly object[] = three): Promise<World> {
  const world = await start();
  for (const entry of entries) {
    expectOk(await write(world.caller, entry));
    world.clock.advance(1_000);
  }
  return world;
}

forEachStorage((start) => {
  describe("the audit log", () => {
    requirement(["audit-log.create", "audit-log.ids"], "stores exactly the given entry, by number", async () => {
      const world = await start();
      const { instant } = world.clock;
      const said = {
        message: "Changed",
        insertUser: "ann@example.com",
        reason: "R",
        data: { a: [1] },
        newValue: 2,
        oldValue: {},
      };
      const made = expectOk(await write(world.caller, { ...said, id: 700, insertInstant: 1, other: true }));
      expect(made.body).toEqual({ auditLog: { ...said, id: 1, insertInstant: instant } });
      const found = expectOk(await world.caller.get(`${path}/1`));
      expect(found.text).toBe(made.text);
      expect((await world.caller.get(`${path}/1`, { "if-none-match": found.etag })).status).toBe(304);
      const second = await world.identity.auditLogs.create({ auditLog: { message: "Second", insertUser: "x" } });
      expect(second.auditLog).toEqual({ id: 2, insertInstant: instant, insertUser: "x", message: "Second" });
      expect(await world.identity.auditLogs.retrieve({ auditLogId: 2 })).toEqual(second);
      for (const unknown of ["0", "3", "-1", "01", "1.0", "1e0", "x", "9".repeat(30), uuid(1)])
        expectEmpty(await world.caller.get(`${path}/${unknown}`), 404);
    });

    requirement("audit-log.ids", "gives each entry a number of its own, however many are written at a time", async () => {
      const world = await start();
      const writing = Array.from({ length: 50 }, (_one, index) => write(world.caller, { message: `Number ${index}` }));
      const ids = (await Promise.all(writing)).map((answer) => expectOk(answer).at("auditLog.id"));
      expect(new Set(ids)).toEqual(new Set(Array.from({ length: 50 }, (_one, index) => index + 1)));
    });

    requirement("audit-log.message", "refuses what says nothing, or not in the right way, all at once", async () => {
      const world = await start();
      for (const body of [{}, { auditLog: null }]) expectRefusal(await world.caller.post(path, body), 400, "[missing]auditLog");
      for (const message of [undefined, null, "", " \n"])
        expectRefusal(await write(world.caller, { message }), 400, "[blank]auditLog.message");
      const wrong = { message: 5, insertUser: "u".repeat(192), data: [], reason: {}, tenantId: "x" };
      const codes = ["[invalidJSON]auditLog.data", "[tooLong]auditLog.insertUser", "[invalidJSON]auditLog.message"];
      const others = ["[invalidJSON]auditLog.reason", "[couldNotConvert]auditLog.tenantId"];
      expectRefusal(await write(world.caller, wrong), 400, ...codes, ...others);
      expectRefusal(await write(world.caller, { message: "m", tenantId: uuid(404) }), 400, "[invalid]auditLog.tenantId");
      expectRefusal(await write(world.caller, { message: "m\0" }), 400, "[invalid]auditLog.message");
      expect(await messagesOf(world.caller)).toEqual([]);
    });

    requirement("audit-log.user", "names the caller by default", async () => {
      const world = await start();
      const { apiKey } = await world.identity.apiKeys.create({ apiKey: { key: "of-an-auditor", name: "Auditor" } });
      const made = expectOk(await write(world.as("of-an-auditor"), { message: "By key" }));
      expect(made.at("auditLog.insertUser")).toBe(`apiKey:${apiKey.id}`);
      expect((await world.identity.auditLogs.create({ auditLog: { message: "By the host" } })).auditLog.insertUser).toBe("host");
    });

    requirement("audit-log.search", "is searched by GET, POST and in process", async () => {
      const world = await startWith(start);
      const begin = world.clock.instant - 3_000;
      const found = async (search: object): Promise<unknown[]> => {
        const query = Object.entries(search).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
        const byGet = expectOk(await world.caller.get(`${searchPath}?${query.join("&")}`));
        const byPost = expectOk(await world.caller.post(searchPath, { search }));
        expect(byGet.text).toBe(byPost.text);
        expect(await world.identity.auditLogs.search({ search })).toEqual(byPost.body);
        return byPost.each("auditLogs", "id");
      };
      expect(await found({})).toEqual([3, 2, 1]);
      expect(await found({ message: "alpha" })).toEqual([3, 1]);
      expect(await found({ message: "*50%" })).toEqual([1]);
      expect(await found({ user: "ANN@" })).toEqual([3, 1]);
      expect(await found({ user: "bob", message: "beta" })).toEqual([2]);
      expect(await found({ reason: "asked" })).toEqual([1]);
      expect(await found({ newValue: "editors" })).toEqual([2]);
      expect(await found({ oldValue: "editors" })).toEqual([]);
      expect(await found({ start: begin + 1_000 })).toEqual([3, 2]);
      expect(await found({ end: begin + 1_000 })).toEqual([1]);
      for (const [search, ...codes] of [
        [{ start: "yesterday", end: "x" }, "[couldNotConvert]end", "[couldNotConvert]start"],
        [{ tenantId: "x" }, "[couldNotConvert]tenantId"],
        [{ orderBy: "reason" }, "[invalid]orderBy"],
      ] as const)
        expectRefusal(await world.caller.post(searchPath, { search }), 400, ...codes);
    });

    requirement("audit-log.order", "shows the newest first, and any other order page by page", async () => {
      const world = await startWith(start);
      const pages = (orderBy: string): Promise<unknown[]> => walkPages(world.caller, searchPath, "auditLogs", orderBy);
      const { caller, defaultTenantId: tenantId } = world;
      expectOk(await write(caller, { message: "x".repeat(50_000), insertUser: "carl" }));
      expectOk(await write(caller, { message: "Of a tenant", insertUser: "dora", tenantId }));
      expect(await pages("")).toEqual([5, 4, 3, 2, 1]);
      expect(await pages("insertInstant, id")).toEqual([1, 2, 3, 4, 5]);
      expect(await pages("insertUser desc, id desc")).toEqual([5, 4, 2, 3, 1]);
      expect(await pages("message")).toEqual([1, 3, 2, 5, 4]);
      expect((await pages("tenant, id")).at(-1)).toBe(5);
    });

    requirement("audit-log.event", "publishes one event per entry, which commits or rolls back with it", async () => {
      const world = await startWith(start);
      const events = await readEvents(world.storage, "audit-log.create");
      const entries = expectOk(await world.caller.get(`${searchPath}?orderBy=id`)).at("auditLogs") as object[];
      expect(events.map(({ auditLog }) => auditLog)).toEqual(entries);
      for (const event of events) expect(event).not.toHaveProperty("tenantId");
      const lost = world.identity.transaction(async (tx) => {
        const { auditLog } = await tx.auditLogs.create({ auditLog: { message: "Lost" } });
        expect(auditLog.id).toBe(4);
        throw new Error("undone");
      });
      await expect(lost).rejects.toThrow("undone");
      expect(await readEvents(world.storage, "audit-log.create")).toHaveLength(3);
      await world.identity.transaction((tx) => tx.auditLogs.create({ auditLog: { message: "Kept" } }));
      expect(await messagesOf(world.caller)).toEqual(["Kept", "ALPHABET", "beta", "Alpha 50%"]);
      expect(await readEvents(world.storage, "audit-log.create")).toHaveLength(4);
    });

    requirement("audit-log.tenants", "has a wall between tenants", async () => {
      const world = await startWith(start, [{ message: "Of the instance" }]);
      const [A, B] = [world.defaultTenantId, await makeTenant(world, "Other")];
      const [ofA, ofB] = [await callerOfTenant(world, A), await callerOfTenant(world, B)];
      const made = expectOk(await write(ofA, { message: "Of A", tenantId: B }));
      expect(made.at("auditLog")).toMatchObject({ id: 2, tenantId: A });
      expectOk(await write(world.caller, { message: "Of B", tenantId: B }));
      expectOk(await write(world.caller.inTenant(B), { message: "Of B by header" }));
      const told = (await readEvents(world.storage, "audit-log.create")).map(({ auditLog }) => auditLog);
      expect(told).toContainEqual(made.at("auditLog"));
      expect(await messagesOf(ofA)).toEqual(["Of A"]);
      expect(await messagesOf(ofA, { tenantId: B })).toEqual(["Of A"]);
      expect(await messagesOf(ofB, { orderBy: "id" })).toEqual(["Of B", "Of B by header"]);
      expect(await messagesOf(world.caller.inTenant(A))).toEqual(["Of A"]);
      expect(await messagesOf(world.caller, { tenantId: B, orderBy: "id" })).toEqual(["Of B", "Of B by header"]);
      expect(await messagesOf(world.caller)).toHaveLength(4);
      expectOk(await ofA.get(`${path}/2`));
      for (const number of [1, 3, 4]) expectEmpty(await ofA.get(`${path}/${number}`), 404);
      expectEmpty(await ofB.get(`${path}/2`), 404);
      expectEmpty(await world.as("no-key").post(path, { auditLog: { message: "Nobody's" } }), 401);
      expectOk(await world.caller.delete(`/api/tenant/${B}`));
      // They outlive their tenant.
      const all = ["Of the instance", "Of A", "Of B", "Of B by header"];
      expect(await messagesOf(world.caller, { orderBy: "id" })).toEqual(all);
      expect(await messagesOf(ofA)).toEqual(["Of A"]);
    });

    requirement("audit-log.immutable", "is never changed", async () => {
      const world = await startWith(start);
      for (const method of ["PUT", "PATCH", "DELETE", "POST"])
        expectEmpty(await world.caller.send(method, `${path}/1`, { auditLog: { message: "Changed" } }), 405);
      for (const method of ["PUT", "PATCH", "DELETE"]) expectEmpty(await world.caller.send(method, path, {}), 405);
      expect(await messagesOf(world.caller)).toEqual(["ALPHABET", "beta", "Alpha 50%"]);
    });

    requirement("audit-log.dry-run", "stores and publishes nothing in a dry run", async () => {
      const world = await start();
      const tried = expectOk(await world.caller.post(`${path}?dryRun=true`, { auditLog: { message: "Tried" } }));
      expect(tried.at("auditLog")).toMatchObject({ id: 1, message: "Tried" });
      for (const table of [auditLogsTable, auditLogNumbersTable])
        expect(await world.storage.find({ kind: "global" }, table, undefined)).toEqual([]);
      expect(await readEvents(world.storage, "audit-log.create")).toEqual([]);
      expect(expectOk(await write(world.caller, { message: "Done" })).at("auditLog.id")).toBe(1);
    });

    requirement("audit-log.by-request", "has no entries of the service's own", async () => {
      const world = await start();
      expectOk(await world.caller.post(`/api/group/${uuid(1)}`, { group: { name: "Editors" } }));
      expectOk(await world.caller.patch(`/api/group/${uuid(1)}`, { group: { name: "Authors" } }));
      expectOk(await world.caller.delete(`/api/group/${uuid(1)}`));
      expectOk(await world.caller.post("/api/user", { user: { email: "ann@example.com", password: "a long password" } }));
      expect(await messagesOf(world.caller)).toEqual([]);
    });

    requirement("audit-log.retention", "keeps entries for a year, and numbers go on", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      const world = await startWith(start);
      const expectAfter = async (milliseconds: number, ids: readonly number[]): Promise<void> => {
        world.clock.advance(milliseconds);
        vi.advanceTimersByTime(3_600_000);
        const read = async (): Promise<unknown[]> => expectOk(await world.caller.get(searchPath)).each("auditLogs", "id");
        await vi.waitFor(async () => expect(await read()).toEqual(ids), 10_000);
      };
      const year = 365 * 24 * 3_600_000;
      await expectAfter(year - 3_000, [3, 2, 1]);
      await expectAfter(1_500, [3]);
      await expectAfter(year, []);
      expect(expectOk(await write(world.caller, { message: "Later" })).at("auditLog.id")).toBe(4);
    });
  });

  requirement("audit-log.event", "A version that does not know the event keeps entries without it", async () => {
    const world = await start({ version: "1.29.0" });
    expectOk(await write(world.caller, { message: "Old" }));
    expect(await readEvents(world.storage)).toEqual([]);
    expect(await messagesOf(world.caller)).toEqual(["Old"]);
  });
});
