// What docs/operations.md promises of upgrades, for the tables that the service has: a release runs on the schema of any later one.
import { createIdentityService } from "latchkey";
import type { Storage, Table } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished } from "vitest";
import { tables } from "../../src/families/index.js";
import { testDatabase } from "../support/postgres.js";
import { isLong, steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { testSecret } from "../support/world.js";
import { changeOneOfEach, keepOneOfEach, newestVersion, readWriters, tablesAt } from "./support/earlier-versions.js";
import { temporaryFiles } from "./support/temporary-files.js";

const newFile = temporaryFiles();
const database = isLong ? testDatabase() : undefined;
const earlier = Array.from({ length: newestVersion - 1 }, (_one, index) => index + 1);

/** Opens the same place again with each call. */
const places: readonly (readonly [name: string, newPlace: () => () => Storage])[] = [
  [
    "SQLite",
    () => {
      const filename = newFile();
      return () => sqliteStorage({ filename });
    },
  ],
  ...(database === undefined
    ? []
    : [
        [
          "Postgres",
          () => {
            const schema = database.newSchema();
            return () => database.newStorage({ schema });
          },
        ] as const,
      ]),
];

async function openWith(open: () => Storage, known: readonly Table[]): Promise<Storage> {
  const storage = open();
  onTestFinished(() => storage.close());
  await storage.open(known);
  return storage;
}

describe.each(places)("the schema on %s", (_name, newPlace) => {
  requirement("schema.upgrade", "gets what joined a version after it was brought there", async () => {
    const open = newPlace();
    const withoutLate = tablesAt(newestVersion - 1)
      .filter(({ name }) => name !== "connectors")
      .map((table) => ({
        ...table,
        columns: Object.fromEntries(Object.entries(table.columns).filter(([name]) => name !== "phoneNumber")),
        indexes: table.indexes.filter(({ columns }) => !columns.includes("phoneNumber")),
        uniqueKeys: table.uniqueKeys.filter(({ columns }) => !columns.includes("phoneNumber")),
      }));
    await (await openWith(open, withoutLate)).close();
    const next = await openWith(open, tables);
    await keepOneOfEach(next, tables, 1);
    for (const table of tables) expect([table.name, await readWriters(next, table)]).toEqual([table.name, [[1, 1]]]);
  });

  // By default from the first version and one in the middle.
  for (const version of steps(earlier, 6)) {
    requirement("schema.upgrade", `of version ${version} is brought up to date, with all that it holds`, async () => {
      const open = newPlace();
      // An installation is made by the start itself, with what only a secret seals.
      const known = tablesAt(version).filter(({ name }) => name !== "installations");
      const old = await openWith(open, tablesAt(version));
      await keepOneOfEach(old, known, 1);
      await old.close();
      const identity = await createIdentityService({ storage: open(), secret: testSecret, delivery: false });
      onTestFinished(() => identity.close());
      const { tenant } = await identity.tenants.create({ tenant: { name: "Acme" } });
      const within = { tenantId: tenant.id };
      const { group } = await identity.groups.create({ group: { name: "Editors" } }, within);
      expect((await identity.groups.search({ search: { name: "edit" } }, within)).groups).toEqual([group]);
      const next = await openWith(open, tables);
      for (const table of known) expect([table.name, await readWriters(next, table)]).toEqual([table.name, [[1, 1]]]);
    });

    requirement("schema.older-release", `serves a release of version ${version} beside a newer one`, async () => {
      const open = newPlace();
      const known = tablesAt(version);
      const next = await openWith(open, tables);
      await keepOneOfEach(next, tables, 1);
      const old = await openWith(open, known);
      await keepOneOfEach(old, known, 2);
      await changeOneOfEach(old, known, 1);
      await changeOneOfEach(next, known, 2);
      for (const table of known) {
        const expected = table.isLog
          ? [
              [1, 1],
              [2, 1],
            ]
          : [
              [1, 2],
              [2, 2],
            ];
        for (const storage of [old, next])
          expect([table.name, await readWriters(storage, table)]).toEqual([table.name, expected]);
      }
    });
  }
});

requirement(
  "schema.additive",
  "no column that came later than its table is one that an older release would have to write",
  () => {
    for (const { columns, name, since, uniqueKeys } of tables) {
      const later = Object.entries(columns).filter(([, column]) => (column.since ?? since) > since);
      for (const [column, { isNullable, references }] of later)
        expect([name, column, isNullable, references]).toEqual([name, column, true, undefined]);
      const names = new Set(later.map(([column]) => column));
      // A key that comes with its column leaves alone what an older release writes: nothing there, which collides with nothing.
      const keys = uniqueKeys.filter((key) => key.columns.some((column) => names.has(column)) && key.since === undefined);
      expect([name, keys]).toEqual([name, []]);
    }
    expect(newestVersion).toBeGreaterThanOrEqual(6);
  },
);
