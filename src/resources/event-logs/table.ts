import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";
import { eventLogTypes } from "./schema.js";

/** The event log. On the wire an entry is known by its number. */
export const eventLogsTable: Table = defineTable({
  name: "eventLogs",
  tenancy: "global",
  since: 4,
  columns: {
    number: { type: "integer" },
    messageFolded: { type: "text" },
    /** What entries are ordered by: the token of a next page must not hold a whole message. */
    messageStart: { type: "text" },
    type: { type: "text" },
  },
  uniqueKeys: [{ name: "number", columns: ["number"] }],
  indexes: [{ columns: ["insertInstant", "number"] }],
});

/** The last number that was given: the version of the only record, so that numbers go on when entries go. */
export const eventLogNumbersTable: Table = defineTable({
  name: "eventLogNumbers",
  tenancy: "global",
  since: 4,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});

/** What can be searched and sorted (docs/reference/system.md, docs/reference/search.md). */
export const eventLogSearch: SearchDefinition = {
  filters: {
    start: { kind: "instant", column: "insertInstant", comparison: ">=" },
    end: { kind: "instant", column: "insertInstant", comparison: "<" },
    message: { kind: "text", column: "messageFolded" },
    type: { kind: "option", column: "type", values: eventLogTypes },
  },
  sortable: {
    id: { column: "number" },
    insertInstant: { column: "insertInstant" },
    message: { column: "messageStart" },
    type: { column: "type" },
  },
  defaultOrder: "insertInstant DESC, id DESC",
};
