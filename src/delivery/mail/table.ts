import type { Table } from "../../ports/storage.js";
import { defineTable } from "../../resources/define-table.js";
import { outboxTable } from "../outbox/outbox-table.js";

/** Mails that wait to leave, and what became of others. */
export const mailsTable: Table = defineTable(outboxTable("mails", 4));
