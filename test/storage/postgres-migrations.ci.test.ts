import { globalScope, type Storage, type Table } from "latchkey/ports";
import { expect, test } from "vitest";
import { keep, labelsOf, storedPart } from "../contract/storage/kit.js";
import { books, idOf, north, tables, toBook, toRecord } from "../contract/storage/tables.js";
import { testDatabase } from "../support/postgres.js";
import { bookReviews, booksLater, keepTwoBooks, openFor, readers, versionFour, versionTwo } from "./support/later-versions.js";

const database = testDatabase();

const using = <T>(schema: string, version: readonly Table[], work: (storage: Storage) => Promise<T>): Promise<T> =>
  openFor(database.newStorage({ schema }), version, work);

/** A schema that version 1 made and wrote two books into. */
async function versionOneSchema(): Promise<string> {
  const schema = database.newSchema();
  await using(schema, tables, keepTwoBooks);
  return schema;
}

async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return (await database.pool().query(text, values)).rows;
}

const versionsOf = async (schema: string): Promise<unknown[]> =>
  (await query(`select version from ${schema}.latchkey_schema_versions order by version`)).map(({ version }) => version);

/** Every column, index and constraint of a schema, without its name. */
async function shapeOf(schema: string): Promise<unknown[]> {
  const columns = await query(
    `select table_name, column_name, data_type, is_nullable, collation_name from information_schema.columns
     where table_schema = $1 order by table_name, column_name`,
    [schema],
  );
  const indexes = await query("select replace(indexdef, $1, '') as text from pg_indexes where schemaname = $1 order by 1", [
    schema,
  ]);
  const constraints = await query(
    `select replace(pg_get_constraintdef(oid), $1, '') as text from pg_constraint
     where connamespace = $1::regnamespace order by 1`,
    [schema],
  );
  return [columns, indexes, constraints];
}

test("adds the tables, columns and indexes of a later version without touching a row", async () => {
  const schema = await versionOneSchema();
  await using(schema, versionTwo, async (storage) => {
    const found = await storage.find(north, booksLater, undefined);
    expect(labelsOf(found)).toEqual(["a", "b"]);
    expect(found.map(storedPart)[0]).toMatchObject({ version: 3, hidden: "{}" });
    await storage.transaction(async (tx) => {
      await tx.insert(north, booksLater, [toBook("c", { ratingSum: 9 })]);
      await tx.update(north, booksLater, toBook("b", { ratingSum: 7 }, { version: 2 }));
      await tx.insert(north, bookReviews, [toRecord("r", { bookId: idOf("a"), text: "good" })]);
    });
    const sort = [{ column: "ratingSum", direction: "desc" }] as const;
    expect(labelsOf(await storage.find(north, booksLater, undefined, { sort }))).toEqual(["c", "b", "a"]);
  });
  expect(await versionsOf(schema)).toEqual([1, 2]);
});

test("makes of an old schema what it makes of a new one", async () => {
  const migrated = await versionOneSchema();
  const fresh = database.newSchema();
  for (const schema of [migrated, fresh]) await using(schema, versionTwo, async () => undefined);
  expect(await shapeOf(migrated)).toEqual(await shapeOf(fresh));
});

test("changes nothing when the schema is up to date, and goes over several versions at once", async () => {
  const schema = await versionOneSchema();
  for (let time = 0; time < 2; time++) {
    await using(schema, versionFour, (storage) => storage.find(globalScope, readers, undefined));
    expect(await versionsOf(schema)).toEqual([1, 4]);
  }
});

test("leaves an older release able to read and write, at the same time too", async () => {
  const schema = await versionOneSchema();
  await using(schema, tables, async (older) => {
    await keep(older, books, [toBook("c")]);
    await using(schema, versionTwo, (newer) => keep(newer, booksLater, [toBook("d", { ratingSum: 9 })]));
    await keep(older, books, [toBook("e")]);
    await older.transaction((tx) => tx.update(north, books, toBook("d", { pages: 1 }, { version: 2 })));
    expect(labelsOf(await older.find(north, books, undefined))).toEqual(["a", "b", "c", "d", "e"]);
  });
  await using(schema, versionTwo, async (storage) => {
    expect(await storage.find(north, booksLater, { op: "equals", column: "ratingSum", value: 9 })).toHaveLength(1);
  });
});

test("keeps the old version whole when a step fails", async () => {
  const schema = await versionOneSchema();
  const before = await shapeOf(schema);
  await query(`create table ${schema}.latchkey_readers (x int)`);
  await expect(using(schema, versionFour, async () => undefined)).rejects.toThrow("already exists");
  await query(`drop table ${schema}.latchkey_readers`);
  expect([await shapeOf(schema), await versionsOf(schema)]).toEqual([before, [1]]);
  await using(schema, versionFour, (storage) => keep(storage, books, [toBook("c")]));
});

test("makes a fresh schema once when several start at the same time", async () => {
  const schema = database.newSchema();
  const storages = Array.from({ length: 5 }, () => database.newStorage({ schema }));
  await Promise.all(storages.map((storage) => storage.open(versionTwo)));
  expect(await versionsOf(schema)).toEqual([2]);
  await Promise.all(storages.map((storage) => storage.close()));
});
