import type { IndexedSearch, Storage } from "latchkey/ports";
import { IdentityError } from "../../src/errors/identity-error.js";
import type { ColumnsOf, RelatedRecords } from "../../src/search/evaluate-criteria.js";
import type { SearchDefinition } from "../../src/search/parse-criteria.js";
import { QueryError, type QueryFields } from "../../src/search/query-fields.js";
import { foldText } from "../../src/shared/text.js";
import { anyCharacter, fc } from "../support/properties.js";

/** A family that can be searched in every way there is. */
export const definition: SearchDefinition = {
  filters: {
    name: { kind: "text", column: "nameFolded" },
    id: { kind: "id", column: "id" },
    ids: { kind: "ids", column: "id" },
    code: { kind: "exact", column: "code" },
    state: { kind: "option", column: "state", values: ["Active", "Locked"] },
    start: { kind: "instant", column: "insertInstant", comparison: ">=" },
    end: { kind: "instant", column: "insertInstant", comparison: "<" },
    query: {
      kind: "query",
      toFilter: (value) => {
        if (value === "bad") throw new QueryError("This cannot be understood.");
        return { op: "equals", column: "code", value: JSON.stringify(value) };
      },
    },
  },
  sortable: {
    id: { column: "id" },
    name: { column: "nameFolded" },
    insertInstant: { column: "insertInstant" },
    "tenant.name": { column: "nameFolded", via: { table: "tenants", localColumn: "tenantId" } },
  },
  defaultOrder: "name ASC, insertInstant DESC",
};

/** What the query languages may name. */
export const queryFields: QueryFields = {
  fields: {
    id: { kind: "id", column: "id" },
    active: { kind: "boolean", column: "active" },
    email: { kind: "text", column: "email" },
    fullName: { kind: "text", column: "fullName" },
    "memberships.groupId": { kind: "related", table: "groupMembers", foreignColumn: "userId", column: "groupId" },
  },
  termColumns: ["email", "fullName"],
};

export const someId = "00000000-0000-0001-0000-00000000000a";

/** What `act` refuses with; anything but an IdentityError fails the test. */
export function identityErrorOf(act: () => unknown): IdentityError {
  try {
    act();
  } catch (error) {
    if (error instanceof IdentityError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** What `act` answers, or its refusal; anything thrown but a QueryError fails the test. */
export function answerOrRefusal<T>(act: () => T): T | QueryError {
  try {
    return act();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** Related records of a test that has none. */
export const nothingRelated: RelatedRecords = { withValue: () => [] };

/** A record made of a plain object. */
export function columnsOf(record: Readonly<Record<string, string | number | boolean | null>>): ColumnsOf {
  return (column) => record[column] ?? null;
}

const characters = [
  "a",
  "b",
  "A",
  "%",
  "_",
  "\\",
  "*",
  "?",
  "[",
  "]",
  "-",
  " ",
  "é",
  "e\u0301",
  "ß",
  "İ",
  "ﬀ",
  "\ue000",
  "\uffff",
  "\u{10400}",
  "\u{1f600}",
];

/** Texts of characters that databases, patterns and case folding trip over. */
export const awkwardText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...characters), { maxLength: 6 })
  .map((list) => list.join(""));

/** The same, as a folded column keeps them. */
export const foldedText: fc.Arbitrary<string> = awkwardText.map(foldText);

/** JSON values, with the keys that inherited members have. */
export const awkwardJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 0, -1, 2.5, 1e21, "", "name", "bad", "id ASC", someId),
    fc.string({ unit: anyCharacter }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("name", "order", "toString", "valueOf", "__proto__", "constructor"), tie("value"), {
      maxKeys: 3,
    }),
  ),
})).value;

/** Makes all that searches lack. */
export async function buildIndexes(storage: Storage, ...searches: readonly IndexedSearch[]): Promise<void> {
  for (const planned of (await storage.planIndexes?.(searches)) ?? []) await planned.build();
}
