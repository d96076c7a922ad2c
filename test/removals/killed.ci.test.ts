import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Storage, tenantScope } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { tables } from "../../src/families/index.js";
import { registrationsTable } from "../../src/records/registrations/family.js";
import { expectEmpty } from "../support/answer.js";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { fillCrowd } from "../support/removal-crowd.js";
import { takeEvents } from "../support/removals.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { makeTenant, startWorld, testSecret, type World } from "../support/world.js";

/** More than two batches. */
const size = 2_500;

/** Where a child finds the storage of a test. */
interface Place {
  readonly place: string;
  readonly storage: Storage;
}

function openFile(): Place {
  const place = `${makeDirectory()}/identity.db`;
  return { place, storage: sqliteStorage({ filename: place }) };
}

function onServer(): () => Place {
  const database = testDatabase();
  return () => {
    const schema = database.newSchema();
    return { place: `${postgresUrl}#${schema}`, storage: database.newStorage({ schema }) };
  };
}

// An embedded Postgres is in this process.
const places: readonly (readonly [name: string, open: () => Place])[] = [
  ["SQLite", openFile],
  ...(postgresUrl === undefined ? [] : [["Postgres", onServer()] as const]),
];

/** Starts a process that removes the tenant and dies on the way; answers the signal that it died of. */
async function eraseAndDie(place: string, tenantId: string): Promise<unknown> {
  const child = fork(fileURLToPath(new URL("./support/eraser.ts", import.meta.url)), [place, tenantId, testSecret], {
    execArgv: ["--import", new URL("../storage/support/resolve-sources.ts", import.meta.url).href],
    env: {},
  });
  const [, signal] = await once(child, "exit");
  return signal;
}

async function countLeft({ storage }: World, tenantId: string): Promise<number> {
  return (await storage.findIds(tenantScope(tenantId), registrationsTable, "id", undefined)).length;
}

describe.each(places)("a process that removes a tenant and is killed, on %s", (_name, open) => {
  requirement("removal.killed", "leaves what another one finishes, and each event once", async () => {
    const { place, storage } = open();
    let ahead = 0;
    const world = await startWorld(storage, { clock: () => Date.now() + ahead });
    const tenantId = await makeTenant(world, "Other");
    await fillCrowd(world, tenantId, size);
    await takeEvents(world);
    expect(await eraseAndDie(place, tenantId)).toBe("SIGKILL");
    const left = await countLeft(world, tenantId);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(size);
    // Its lease is over.
    ahead = 60_000;
    expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
    const own = tables.filter(({ tenancy }) => tenancy !== "global");
    for (const table of own) expect(await storage.find(tenantScope(tenantId), table, undefined, { limit: 1 })).toEqual([]);
    const told = (await takeEvents(world)).flatMap(({ registration, type }) =>
      type === "user.registration.delete" ? [(registration as { readonly id: string }).id] : [],
    );
    expect(told).toHaveLength(size);
    expect(new Set(told).size).toBe(size);
  });
});
