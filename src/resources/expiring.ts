import { attemptsTable } from "../accounts/throttle/table.js";
import { eventsTable, mailsTable, textMessagesTable } from "../delivery/engine/table.js";
import type { Table } from "../ports/storage.js";
import { auditLogsTable } from "./audit-logs/table.js";
import { eventLogsTable } from "./event-logs/table.js";
import { passwordChangesTable } from "./logins/table.js";
import { refreshTokensTable } from "./refresh-tokens/table.js";
import { pendingLoginsTable } from "./two-factor/table.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "./webhook-event-logs/table.js";

const dayMs = 24 * 3_600_000;

/** Tables whose records expire: the instant that counts, and the retention after it, in milliseconds. */
export const expiring: readonly (readonly [table: Table, column: string, keepMs: number])[] = [
  [eventsTable, "insertInstant", 7 * dayMs],
  [eventLogsTable, "insertInstant", 30 * dayMs],
  [auditLogsTable, "insertInstant", 365 * dayMs],
  // Longer than anybody is tried.
  [webhookAttemptLogsTable, "insertInstant", 30 * dayMs],
  [webhookEventLogsTable, "insertInstant", 30 * dayMs],
  [mailsTable, "lastUpdateInstant", 7 * dayMs],
  [textMessagesTable, "lastUpdateInstant", 7 * dayMs],
  [attemptsTable, "expiryInstant", 0],
  [passwordChangesTable, "expirationInstant", 0],
  [refreshTokensTable, "expirationInstant", 0],
  [pendingLoginsTable, "expirationInstant", 0],
];
