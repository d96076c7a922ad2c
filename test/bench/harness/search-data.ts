/** A million groups whose names are spread over the order of names, and the patterns that are looked for in them. */
import type { RecordToStore, Storage, Table } from "latchkey/ports";

export const rows = 1_000_000;
export const pageSize = 25;

const chunk = 10_000;
const syllables = "ka to mi re su no va le pi bo ku ta ma ri se nu vo li pa be".split(" ");
// Syllables that all names are made of, in an order that hardly any of them has.
const rare = "vanomilesu";

/** Half of the names hold `cat`, a thousand `lynx`, ten `zebra`, and about ten a rare mix of common trigrams. */
export const patterns = { tens: "zebra", common: rare, thousand: "lynx", half: "cat", twoRare: "yn", twoHalf: "ca" } as const;

const syllablesOf = (index: number): string => {
  let state = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  return Array.from({ length: 8 }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    return syllables[(state >>> 4) % syllables.length];
  }).join("");
};

const nameOf = (index: number): string => {
  const word = syllablesOf(index);
  const marks = [
    [100_000, 7, "Zebra "],
    [1_000, 3, "Lynx "],
    [125_000, 11, rare],
  ] as const;
  const mark = marks.find(([each, offset]) => index % each === offset)?.[2] ?? "";
  return `${index % 2 === 0 ? "Cat" : "Dog"} ${word.slice(0, 6)} ${mark}${word.slice(6)} ${index}`;
};

export const idOf = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`;

export const groupsTable: Table = {
  name: "groups",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["tenantId", "nameFolded"] }],
  indexes: [],
};

export const toRecord = (index: number, tenantId: string): RecordToStore => {
  const name = nameOf(index);
  const instants = { insertInstant: index, lastUpdateInstant: index };
  const json = JSON.stringify({ data: {}, id: idOf(index), ...instants, name, roles: {}, tenantId });
  return { id: idOf(index), tenantId, version: 1, ...instants, json, hidden: null, columns: { nameFolded: name.toLowerCase() } };
};

/** Through the storage and not the API: a million creates with their events would take minutes. */
export const fill = async (storage: Storage, tenantId: string): Promise<void> => {
  for (let start = 0; start < rows; start += chunk) {
    const records = Array.from({ length: chunk }, (_, offset) => toRecord(start + offset, tenantId));
    await storage.transaction((tx) => tx.insert({ kind: "global" }, groupsTable, records));
  }
};
