import type { IdGenerator } from "../../ports/runtime.js";
import type { RecordToStore } from "../../ports/storage.js";
import type { LoggedAttempt } from "./attempt.js";
import { brokerId } from "./earlier-receivers.js";

/** Attempts in the format in which they are stored with their events. */
export function toAttemptRecords(newId: IdGenerator, attempts: readonly LoggedAttempt[]): readonly RecordToStore[] {
  return attempts.map((attempt) => toAttemptRecord(attempt, newId()));
}

function toAttemptRecord(attempt: LoggedAttempt, id: string): RecordToStore {
  const { endInstant, eventLogId, exception, isDelivered, receiverId, startInstant, statusCode, tenantId, url } = attempt;
  // Plain members in the order of their names.
  const json = JSON.stringify({
    attemptResult: isDelivered ? "Success" : "Failure",
    data: {},
    endInstant,
    id,
    startInstant,
    webhookCallResponse: { exception, statusCode, url },
    webhookEventLogId: eventLogId,
    webhookId: receiverId === brokerId ? undefined : receiverId,
  });
  const columns = { webhookEventLogId: eventLogId };
  const instants = { insertInstant: startInstant, lastUpdateInstant: endInstant };
  return { id, tenantId, version: 1, ...instants, json, hidden: null, columns };
}
