// Who starts a service on large tables reads in its log that searches lack indexes, and need not know of `latchkey doctor`.
import { join } from "node:path";
import { nodeRuntime, type Timers } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { startWorld } from "../support/world.js";

requirement("search.missing-indexes", "a start says once in the log which large tables lack indexes, after a while", async () => {
  const filename = join(makeDirectory(), "a.db");
  const later: (() => void)[] = [];
  const timers: Timers = {
    ...nodeRuntime.timers,
    every: (milliseconds, callback) => {
      if (milliseconds !== 15_000) return nodeRuntime.timers.every(milliseconds, callback);
      later.push(callback);
      return () => undefined;
    },
  };
  const world = await startWorld(sqliteStorage({ filename, searchIndexFrom: 20, readerThreads: 0 }), { timers });
  const lines = (): readonly string[] =>
    world.log.flatMap(({ level, message }) => (message.includes("lack indexes") ? [`${level}: ${message}`] : []));
  for (let number = 0; number < 20; number++) await world.identity.groups.create({ group: { name: `G${number}` } });
  await world.identity.settle();
  expect(lines()).toEqual([]);
  for (const callback of later) callback();
  const line =
    "warn: Searches of latchkey_groups lack indexes, and take longer. Run latchkey indexes: it creates them while services run.";
  await vi.waitFor(() => expect(lines()).toEqual([line]));
  for (const planned of await world.identity.planIndexes()) await planned.build();
  for (const callback of later) callback();
  await world.identity.settle();
  expect(lines()).toEqual([line]);
});
