import type { Table } from "../../ports/storage.js";
import { defineTable } from "../../resources/define-table.js";
import { outboxTable } from "../outbox/outbox-table.js";

/** Text messages that wait to leave, and what became of others. */
export const textMessagesTable: Table = defineTable(outboxTable("textMessages", 5));
