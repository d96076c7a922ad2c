import type { Table } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, vi } from "vitest";
import { tables } from "../../src/families/index.js";
import { eventLogsTable } from "../../src/records/event-logs/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { addRunRoutes, makePopulate, readLog, run, runIn, withLambdas } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { walkPages } from "../support/walk-pages.js";
import { callerOfTenant, forEachStorage, readEvents, type Start, startWorld, type World } from "../support/world.js";

addRunRoutes();

const path = "/api/system/event-log";
const searchPath = `${path}/search`;

/** A service whose log has an entry for each of these texts, a second after the one before. */
async function startWith(start: Start, texts: readonly string[]): Promise<World> {
  const world = await start(withLambdas());
  for (const text of texts) {
    expectOk(await run(world.caller, await makePopulate(world, text)));
    world.clock.advance(1_000);
  }
  return world;
}

const three = ["console.info('Alpha 50%')", "console.error('beta')", "console.info('ALPHABET')"];

forEachStorage((start) => {
  describe("the event log", () => {
    requirement(["event-log.fields", "event-log.ids"], "shows entries by their number", async () => {
      const world = await startWith(start, three);
      const begin = world.clock.instant - 3_000;
      for (const [index, type] of ["Information", "Error", "Information"].entries()) {
        const answer = expectOk(await world.caller.get(`${path}/${index + 1}`));
        const message = answer.textAt("eventLog.message");
        expect(answer.body).toEqual({ eventLog: { id: index + 1, insertInstant: begin + index * 1_000, message, type } });
        expect((await world.identity.eventLogs.retrieve({ eventLogId: index + 1 })).eventLog).toEqual(answer.at("eventLog"));
      }
      for (const unknown of [
        "0",
        "4",
        "-1",
        "01",
        "1.0",
        "1e0",
        "x",
        "%20",
        "9".repeat(30),
        "00000000-0000-4000-8000-000000000001",
      ])
        expectEmpty(await world.caller.get(`${path}/${unknown}`), 404);
      await expect(world.identity.eventLogs.retrieve({ eventLogId: 4 })).rejects.toMatchObject({ status: 404 });
    });

    requirement("event-log.search", "is searched by message, type and time, by GET, POST and in process", async () => {
      const world = await startWith(start, three);
      const begin = world.clock.instant - 3_000;
      const found = async (search: object): Promise<unknown[]> => {
        const query = Object.entries(search).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
        const byGet = expectOk(await world.caller.get(`${searchPath}?${query.join("&")}`));
        const byPost = expectOk(await world.caller.post(searchPath, { search }));
        expect(byGet.text).toBe(byPost.text);
        expect(await world.identity.eventLogs.search({ search })).toEqual(byPost.body);
        const ids = byPost.each("eventLogs", "id");
        expect(byPost.at("total")).toBe(ids.length);
        return ids;
      };
      expect(await found({})).toEqual([3, 2, 1]);
      expect(await found({ message: "alpha" })).toEqual([3, 1]);
      expect(await found({ message: "*50%" })).toEqual([1]);
      expect(await found({ message: "lambda*bet" })).toEqual([3]);
      expect(await found({ message: "gamma" })).toEqual([]);
      expect(await found({ type: "Error" })).toEqual([2]);
      expect(await found({ type: "Debug" })).toEqual([]);
      expect(await found({ start: begin + 1_000 })).toEqual([3, 2]);
      expect(await found({ end: begin + 1_000 })).toEqual([1]);
      expect(await found({ start: begin, end: begin + 2_000, type: "Information" })).toEqual([1]);
      for (const [search, ...codes] of [
        [{ type: "Warning" }, "[couldNotConvert]type"],
        [{ start: "yesterday", end: "x" }, "[couldNotConvert]end", "[couldNotConvert]start"],
        [{ orderBy: "name" }, "[invalid]orderBy"],
      ] as const)
        expectRefusal(await world.caller.post(searchPath, { search }), 400, ...codes);
    });

    requirement("event-log.order", "shows the newest first, and any other order page by page", async () => {
      const world = await startWith(start, three);
      const pages = (orderBy: string): Promise<unknown[]> => walkPages(world.caller, searchPath, "eventLogs", orderBy);
      await run(world.caller, await makePopulate(world, "console.info('x'.repeat(50000)); console.error('same instant')"));
      expect(await pages("")).toEqual([5, 4, 3, 2, 1]);
      expect(await pages("id")).toEqual([1, 2, 3, 4, 5]);
      expect(await pages("insertInstant asc, id asc")).toEqual([1, 2, 3, 4, 5]);
      expect((await pages("type desc, id desc")).slice(0, 3)).toEqual([4, 3, 1]);
      expect(await pages("message")).toHaveLength(5);
    });

    requirement("event-log.event", "publishes an event per entry, which commits or rolls back with it", async () => {
      const world = await startWith(start, three);
      const events = await readEvents(world.storage, "event-log.create");
      expect(events).toHaveLength(3);
      for (const [index, eventLog] of (await readLog(world)).entries()) {
        expect(events[index]).toMatchObject({ type: "event-log.create", eventLog });
        expect(events[index]).not.toHaveProperty("tenantId");
      }
      const lambdaId = await makePopulate(world, "console.info('lost')");
      const lost = world.identity.transaction(async (tx) => {
        await runIn(tx, lambdaId);
        expect((await tx.eventLogs.search()).total).toBe(4);
        throw new Error("undone");
      });
      await expect(lost).rejects.toThrow("undone");
      expect(await readLog(world)).toHaveLength(3);
      expect(await readEvents(world.storage, "event-log.create")).toHaveLength(3);
      await world.identity.transaction((tx) => runIn(tx, lambdaId));
      expect((await readLog(world)).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    });

    requirement("event-log.access", "is for global keys only, and no tenant header", async () => {
      const world = await startWith(start, three);
      const bound = await callerOfTenant(world, world.defaultTenantId);
      const strangers = [bound, world.caller.inTenant(world.defaultTenantId), world.as("no-key")];
      for (const stranger of strangers) {
        expectEmpty(await stranger.get(`${path}/1`), 401);
        expectEmpty(await stranger.get(searchPath), 401);
        expectEmpty(await stranger.post(searchPath, {}), 401);
      }
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expectEmpty(await world.caller.send(method, `${path}/1`, {}), 405);
    });

    requirement("event-log.retention", "keeps entries for thirty days, and numbers go on", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      const world = await startWith(start, three);
      const expectAfter = async (milliseconds: number, ids: readonly number[]): Promise<void> => {
        world.clock.advance(milliseconds);
        vi.advanceTimersByTime(3_600_000);
        await vi.waitFor(async () => expect((await readLog(world)).map(({ id }) => id)).toEqual(ids), 10_000);
      };
      const thirtyDays = 30 * 24 * 3_600_000;
      await expectAfter(thirtyDays - 3_000, [1, 2, 3]);
      await expectAfter(1_500, [3]);
      await run(world.caller, await makePopulate(world, "console.info('later')"));
      expect((await readLog(world)).map(({ id }) => id)).toEqual([3, 4]);
      await expectAfter(thirtyDays + 1, []);
      await run(world.caller, await makePopulate(world, "console.info('much later')"));
      expect((await readLog(world)).map(({ id }) => id)).toEqual([5]);
    });
  });
});

requirement("event-log.ids", "A storage of an older build is opened, and numbers go on after a restart", async () => {
  const filename = `${makeDirectory()}/identity.db`;
  const older = sqliteStorage({ filename });
  const isOld = ({ since = 0 }: { readonly since?: number }): boolean => since < eventLogsTable.since;
  const toOld = (table: Table): Table => ({
    ...table,
    columns: Object.fromEntries(Object.entries(table.columns).filter(([, column]) => isOld(column))),
    indexes: table.indexes.filter(isOld),
  });
  await older.open(tables.filter(isOld).map(toOld));
  await older.close();
  for (const numbers of [[1], [1, 2]]) {
    const world = await startWorld(sqliteStorage({ filename }), withLambdas());
    expectOk(await run(world.caller, await makePopulate(world, "console.info('noted')")));
    expect((await readLog(world)).map(({ id }) => id)).toEqual(numbers);
    await world.identity.close();
  }
});
