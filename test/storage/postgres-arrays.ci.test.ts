import { globalScope } from "latchkey/ports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keep } from "../contract/storage/kit.js";
import { books, idOf, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { testDatabase } from "../support/postgres.js";
import { cases, fc } from "../support/properties.js";

const database = testDatabase();
let storage: ReturnType<typeof database.newStorage>;

beforeEach(async () => {
  storage = database.newStorage({ schema: database.newSchema() });
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
});
afterEach(() => storage.close());

test("many records written at once keep every text as it is", async () => {
  const odd = fc.constantFrom(
    '"',
    "\\",
    "\\n",
    "\n",
    "\t",
    "{",
    "}",
    ",",
    "null",
    "NULL",
    "",
    "'",
    "\u0001",
    "\u2028",
    "ä",
    "😀",
  );
  const text = fc.array(fc.oneof(odd, fc.string({ unit: "grapheme" })), { maxLength: 6 }).map((parts) => parts.join(""));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 8, maxLength: 12 }), async (texts) => {
      const clean = texts.map((one) => one.replaceAll("\0", ""));
      const records = clean.map((title, index) => {
        const label = `${count++} ${index}`;
        return { label, record: toBook(label, { title: `${title}${label}` }, { hidden: index % 2 === 0 ? null : title }) };
      });
      await storage.transaction((tx) =>
        tx.insert(
          globalScope,
          books,
          records.map(({ record }) => record),
        ),
      );
      for (const { label, record } of records) {
        const kept = await storage.retrieve(globalScope, books, idOf(label));
        expect(kept).toMatchObject({ json: record.json, hidden: record.hidden });
        const { title } = record.columns;
        const [found] = await storage.find(globalScope, books, {
          op: "and",
          filters: [
            { op: "equals", column: "id", value: record.id },
            { op: "equals", column: "title", value: title ?? null },
          ],
        });
        expect(found?.id).toBe(record.id);
      }
    }),
    cases(200),
  );
});
