import { defineRoutes, type Route } from "../../http/route/define-route.js";
import { type AnyOperation, defineOperation, type OperationSignature, type OperationsOf } from "../../operations/operation.js";
import { searchOperation } from "../../operations/verbs/search.js";
import type { SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { eventLogs, retrieveEventLog } from "./rules.js";
import type { EventLog, EventLogType } from "./schema.js";

/** The criteria of a search in the event log. */
export interface EventLogCriteria {
  /** The first instant, in epoch milliseconds. */
  readonly start?: number;
  /** The instant before which entries were made, in epoch milliseconds. */
  readonly end?: number;
  /** A text filter on the message. */
  readonly message?: string;
  /** Only entries of this type. Default: all types. */
  readonly type?: EventLogType;
}

/** What can be done with the event log (docs/reference/system.md). */
export interface EventLogOperations {
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<{ readonly eventLogId: number }, { readonly eventLog: EventLog }>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<EventLogCriteria>, SearchOutput<"eventLogs", EventLog>>;
}

export const eventLogOperations: OperationsOf<EventLogOperations> = {
  retrieve: defineOperation("eventLogs.retrieve", ["eventLogId"], retrieveEventLog),
  search: searchOperation(eventLogs),
};

const { retrieve, search } = eventLogOperations;

export const eventLogRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["GET", "/api/system/event-log/search", "global", search],
  ["POST", "/api/system/event-log/search", "global", search],
  ["GET", "/api/system/event-log/:eventLogId", "global", retrieve],
]);
