import { memoryStorage } from "latchkey/memory";
import { type Filter, globalScope, type Storage, type StorageReader } from "latchkey/ports";
import { expect, onTestFinished, test } from "vitest";
import { FirstInOrder } from "../../adapters/memory/page-finder.js";
import { TextBlob } from "../../adapters/memory/text-index.js";
import { matchesPattern } from "../../src/search/text-pattern.js";
import { compareCodePoints } from "../../src/shared/text.js";
import { books, idOf, north, south, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { fc } from "../support/properties.js";
import { foldedText } from "./support.js";

const count = 2_500;
const label = (number: number): string => `b${10_000 + number}`;
const titleOf = (number: number): string => `${["abé", "ab%", "b\u{10400}_", 'a"b'][number % 4]} ${number % 50} ${number}`;

/** What the storage is to hold: titles by number. */
type Titles = Map<number, string>;

async function fill(): Promise<{ storage: Storage; titles: Titles }> {
  const storage = memoryStorage();
  onTestFinished(() => storage.close());
  await storage.open(tables);
  const titles: Titles = new Map(Array.from({ length: count }, (_, number) => [number, titleOf(number)]));
  await storage.transaction(async (tx) => {
    await tx.insert(globalScope, tenants, tenantsToStart);
    await tx.insert(
      globalScope,
      books,
      Array.from(titles, ([number, title]) => toBook(label(number), { title })),
    );
  });
  return { storage, titles };
}

const patterns: readonly (readonly string[])[] = [
  ["", "abé", ""],
  ["", "é 7 ", ""],
  ["", "\u{10400}_", ""],
  ["ab", " 12", ""],
  ["", '"', " 7", ""],
  ["", "renamed", ""],
  ["", "z", ""],
  ["", "\ud801", ""],
  ["", ""],
  [titleOf(8)],
];

async function expectAnswers(reader: StorageReader, titles: Titles): Promise<void> {
  for (const pattern of patterns) {
    const filter: Filter = { op: "matches", column: "title", pattern };
    const expected = [...titles.values()].filter((title) => matchesPattern(title, pattern)).sort(compareCodePoints);
    const sort = [{ column: "title", direction: "asc" }] as const;
    const page = await reader.search(globalScope, books, { filter, sort, limit: 20, offset: 3 });
    expect(page.total).toBe(expected.length);
    expect(page.last?.values[0]).toBe(expected.slice(3, 23).at(-1));
    expect((await reader.find(north, books, filter)).length).toBe(expected.length);
    expect(await reader.find(south, books, filter)).toEqual([]);
  }
}

test("a large table in memory answers as a small one does, through changes between searches", async () => {
  const { storage, titles } = await fill();
  await expectAnswers(storage, titles);
  for (const [changes, from] of [
    [10, 0],
    [400, 100],
  ] as const) {
    await storage.transaction(async (tx) => {
      for (let number = from; number < from + changes; number += 2) {
        titles.set(number, `renamed ${number}`).delete(number + 1);
        await tx.update(north, books, toBook(label(number), { title: `renamed ${number}` }, { version: 2 }));
        await tx.remove(north, books, { op: "equals", column: "id", value: idOf(label(number + 1)) });
      }
      titles.set(count + from, `renamed abé ${from}`);
      await tx.insert(north, books, [toBook(label(count + from), { title: `renamed abé ${from}` })]);
      await expectAnswers(tx, titles);
    });
    await expectAnswers(storage, titles);
  }
});

test("texts one after the other are found by any part of them", () => {
  const property = fc.property(fc.array(foldedText), foldedText, (texts, part) => {
    const blob = new TextBlob(texts.map((text, index) => [String(index), text]));
    const found = new Set(blob.idsWith(part));
    expect(texts.flatMap((text, index) => (text.includes(part) && !found.has(String(index)) ? [text] : []))).toEqual([]);
  });
  fc.assert(property);
});

test("the first of many are those that a whole order begins with", () => {
  const property = fc.property(fc.array(fc.integer(), { maxLength: 500 }), fc.nat(5), (list, limit) => {
    const compare = (a: number, b: number): number => a - b;
    const first = new FirstInOrder(compare, limit);
    for (const entry of list) first.add(entry);
    expect(first.list()).toEqual(list.toSorted(compare).slice(0, limit));
  });
  fc.assert(property);
});
