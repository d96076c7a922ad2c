import fc from "fast-check";
import { type Criteria, type Filter, globalScope, type Storage, type StoredRecord, type TenantScope } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { parseTextPattern } from "../../src/search/text-pattern.js";
import { foldText } from "../../src/values/fold-text.js";
import { books, idOf, north, south, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { makeDirectory } from "../support/temporary.js";

async function open<S extends Storage>(storage: S): Promise<S> {
  onTestFinished(() => storage.close());
  await storage.open(tables);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  return storage;
}

// Few letters, so that texts have much in common, and all that tokenizers, quotes and folding could trip over.
const letter = fc.constantFrom("a", "a", "b", "B", "%", "_", "\\", '"', "'", "*", "é", "e\u0301", "İ", "ß", "\u{10400}", " ");
const word = fc.constantFrom("abab", 'a"b', "%_a", "é\\a", "ÉAß", "b\u{10400}\u{10400}");
const text = fc.array(fc.oneof(letter, word), { maxLength: 6 }).map((list) => list.join(""));
const labels = Array.from({ length: 40 }, (_, index) => `n${100 + index}`);

/** What happens to a table: a book gets other texts, comes or goes. */
type Change = { readonly label: string; readonly title: string; readonly subtitle: string | null; readonly isSouthern: boolean };

const change: fc.Arbitrary<Change | { readonly gone: string }> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ label: fc.constantFrom(...labels), title: text, subtitle: fc.option(text), isSouthern: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ gone: fc.constantFrom(...labels) }) },
);

async function apply(storage: Storage, changes: readonly (Change | { readonly gone: string })[]): Promise<void> {
  await storage.transaction(async (tx) => {
    for (const change of changes) {
      const label = "gone" in change ? change.gone : change.label;
      const kept = await tx.retrieve(globalScope, books, idOf(label));
      const isMoved =
        kept !== undefined && "isSouthern" in change && kept.tenantId !== idOf(change.isSouthern ? "south" : "north");
      if ("gone" in change || isMoved) await tx.remove(globalScope, books, { op: "equals", column: "id", value: idOf(label) });
      if ("gone" in change) continue;
      const book = toBook(
        label,
        { title: `${foldText(change.title)}${label}`, subtitle: change.subtitle === null ? null : foldText(change.subtitle) },
        { tenantId: idOf(change.isSouthern ? "south" : "north"), version: isMoved ? 1 : (kept?.version ?? 0) + 1 },
      );
      if (kept === undefined || isMoved) await tx.insert(globalScope, books, [book]);
      else await tx.update(globalScope, books, book);
    }
  });
}

const looked = fc.oneof(
  word,
  text,
  fc.tuple(word, word).map(([one, other]) => `*${one}*${other}*`),
);
const pattern = looked.map((filter): Filter => {
  const parsed = parseTextPattern(filter);
  return { op: "matches", column: "title", pattern: typeof parsed === "string" ? ["", "a", ""] : parsed };
});
const inSubtitle = pattern.map((filter): Filter => ({ ...filter, column: "subtitle" }) as Filter);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 3, arbitrary: pattern },
  inSubtitle,
  fc.record({ op: fc.constantFrom("and" as const, "or" as const), filters: fc.tuple(pattern, inSubtitle) }),
  fc.record({
    op: fc.constant("and" as const),
    filters: fc.tuple(pattern, fc.record({ op: fc.constant("not" as const), filter: inSubtitle })),
  }),
);
const criteria: fc.Arbitrary<Criteria> = fc.record({
  filter,
  sort: fc.constantFrom(
    [],
    [{ column: "title", direction: "asc" as const }],
    [{ column: "title", direction: "desc" as const }],
    [
      { column: "subtitle", direction: "asc" as const },
      { column: "title", direction: "desc" as const },
    ],
    [{ column: "isLent", direction: "asc" as const }],
  ),
  limit: fc.nat(4),
  offset: fc.nat(12),
});

const labelsOf = (records: readonly StoredRecord[]): string[] => records.map(({ id }) => id.slice(-8));

/** A page by offset and the pages behind the first one. */
async function answersOf(storage: Storage, scope: TenantScope, criteria: Criteria): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let page = await storage.search(scope, books, criteria); ; ) {
    answers.push([labelsOf(page.records), page.total]);
    if (page.last === undefined || answers.length > 30) return answers;
    page = await storage.search(scope, books, { ...criteria, offset: 0, after: page.last });
  }
}

const step = fc.record({
  changes: fc.array(change, { maxLength: 3 }),
  isCaughtUp: fc.boolean(),
  list: fc.array(criteria, { minLength: 3, maxLength: 3 }),
});

test.each([4, 20])("an index from %i records on changes no answer, however far behind it is", async (indexFrom) => {
  const memory = await open(memoryStorage());
  const indexed = await open(sqliteStorage({ filename: `${makeDirectory()}/a.db`, searchIndexFrom: indexFrom }));
  const property = fc.asyncProperty(
    fc.array(change, { maxLength: 60 }),
    fc.array(step, { maxLength: 6 }),
    async (start, steps) => {
      for (const { changes, list, isCaughtUp } of [{ changes: start, list: [], isCaughtUp: false }, ...steps]) {
        for (const storage of [memory, indexed]) await apply(storage, changes);
        if (isCaughtUp) await new Promise((resolve) => setTimeout(resolve, 10));
        for (const scope of [globalScope, south, north])
          for (const one of list) expect(await answersOf(indexed, scope, one)).toEqual(await answersOf(memory, scope, one));
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
});
