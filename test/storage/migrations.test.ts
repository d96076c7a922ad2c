import Database from "better-sqlite3";
import { globalScope, type Storage, type Table } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, test } from "vitest";
import { keep, labelsOf, storedPart } from "../contract/storage/kit.js";
import { books, idOf, north, tables, toBook, toRecord } from "../contract/storage/tables.js";
import { bookReviews, booksLater, keepTwoBooks, openFor, readers, versionFour, versionTwo } from "./support/later-versions.js";
import { temporaryFiles } from "./support/temporary-files.js";

const newFile = temporaryFiles();

const using = <T>(filename: string, version: readonly Table[], work: (storage: Storage) => Promise<T>): Promise<T> =>
  openFor(sqliteStorage({ filename }), version, work);

/** A file that version 1 made and wrote two books into. */
async function versionOneFile(): Promise<string> {
  const filename = newFile();
  await using(filename, tables, keepTwoBooks);
  return filename;
}

function query(filename: string, text: string): unknown[] {
  const database = new Database(filename, { readonly: true });
  try {
    return database.prepare(text).raw().all().flat();
  } finally {
    database.close();
  }
}

const schemaOf = (filename: string): unknown[] => query(filename, "select name, sql from sqlite_master order by name");
const versionsOf = (filename: string): unknown[] =>
  query(filename, "select version from latchkey_schema_versions order by version");

test("adds the tables, columns and indexes of a later version without touching a row", async () => {
  const filename = await versionOneFile();
  const columns = query(filename, "select name from pragma_table_info('latchkey_books')").join(", ");
  const rows = query(filename, `select ${columns} from latchkey_books order by id`);
  await using(filename, versionTwo, async (storage) => {
    const found = await storage.find(north, booksLater, undefined);
    expect(labelsOf(found)).toEqual(["a", "b"]);
    expect(found.map(storedPart)[0]).toMatchObject({ version: 3, hidden: "{}" });
    expect(await storage.find(north, booksLater, { op: "equals", column: "ratingSum", value: null })).toHaveLength(2);
  });
  expect(query(filename, `select ${columns} from latchkey_books order by id`)).toEqual(rows);
  expect(versionsOf(filename)).toEqual([1, 2]);
  expect(query(filename, "select name from sqlite_master where type = 'index' and sql is not null")).toEqual(
    expect.arrayContaining([
      "ix_latchkey_books_rating_sum_id",
      "uq_latchkey_book_reviews_book_id_text",
      "ix_latchkey_book_reviews_text",
    ]),
  );
});

test("lets what came later be written, found and ordered by", async () => {
  const filename = await versionOneFile();
  await using(filename, versionTwo, async (storage) => {
    await storage.transaction(async (tx) => {
      await tx.insert(north, booksLater, [toBook("c", { ratingSum: 9 })]);
      await tx.update(north, booksLater, toBook("b", { ratingSum: 7 }, { version: 2 }));
      await tx.insert(north, bookReviews, [toRecord("r", { bookId: idOf("a"), text: "good" })]);
    });
    const sort = [{ column: "ratingSum", direction: "desc" }] as const;
    expect(labelsOf(await storage.find(north, booksLater, undefined, { sort }))).toEqual(["c", "b", "a"]);
    const exists = { op: "exists", table: "bookReviews", localColumn: "id", foreignColumn: "bookId" } as const;
    expect(labelsOf(await storage.find(globalScope, booksLater, exists))).toEqual(["a"]);
  });
});

test("makes of an old file what it makes of a new one", async () => {
  const migrated = await versionOneFile();
  const fresh = newFile();
  for (const filename of [migrated, fresh]) await using(filename, versionTwo, async () => undefined);
  expect(schemaOf(migrated)).toEqual(schemaOf(fresh));
});

test("changes nothing when the file is up to date, and goes over several versions at once", async () => {
  const filename = await versionOneFile();
  for (let time = 0; time < 2; time++) {
    await using(filename, versionFour, (storage) => storage.find(globalScope, readers, undefined));
    expect(versionsOf(filename)).toEqual([1, 4]);
  }
});

test("leaves an older release able to read and write", async () => {
  const filename = await versionOneFile();
  await using(filename, versionTwo, (storage) => keep(storage, booksLater, [toBook("c", { ratingSum: 9 })]));
  await using(filename, tables, async (storage) => {
    await keep(storage, books, [toBook("d")]);
    await storage.transaction((tx) => tx.update(north, books, toBook("c", { pages: 1 }, { version: 2 })));
  });
  expect(versionsOf(filename)).toEqual([1, 2]);
  await using(filename, versionTwo, async (storage) => {
    expect(labelsOf(await storage.find(north, booksLater, undefined))).toEqual(["a", "b", "c", "d"]);
    expect(await storage.find(north, booksLater, { op: "equals", column: "ratingSum", value: 9 })).toHaveLength(1);
  });
});

test("keeps the old version whole when a step fails", async () => {
  const filename = await versionOneFile();
  const before = schemaOf(filename);
  const database = new Database(filename, { timeout: 60_000 });
  database.exec("create table latchkey_readers (x)");
  await expect(using(filename, versionFour, async () => undefined)).rejects.toThrow("already exists");
  database.exec("drop table latchkey_readers");
  database.close();
  expect([schemaOf(filename), versionsOf(filename)]).toEqual([before, [1]]);
  await using(filename, versionFour, (storage) => keep(storage, books, [toBook("c")]));
});
