import { defineRecordRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { type IdInput, type RecordOperations, type RecordRow, recordOperations } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import type { Messenger, MessengerRequest, ParsedMessengerRequest } from "./schema.js";

/** Operations on messengers (docs/messengers.md). */
export interface MessengerOperations extends RecordOperations<"messenger", "messengers", Messenger, MessengerRequest> {
  /** Removes a record; 404 for an unknown one, 400 `[inUse]` while a tenant names it. */
  readonly remove: OperationSignature<IdInput<"messengerId">, undefined>;
}

export const messengersTable: Table = defineTable({
  name: "messengers",
  tenancy: "global",
  since: 8,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

const secrets = ["authToken", "headers", "httpAuthenticationPassword", "producer"];

/** The family of messengers, which send text messages from 1.26.0 on (docs/messengers.md). */
export const messengerFamily: RecordRow<"messengers", Messenger, ParsedMessengerRequest, MessengerOperations> = {
  name: "messengers",
  wrapper: "messenger",
  plural: "messengers",
  idParameter: "messengerId",
  table: messengersTable,
  request: lazySchema("messages", "messengerRequest"),
  search: nameSearch,
  uniquePaths: { name: "messenger.name" },
  keyedMaps: { headers: "name" },
  setPaths: new Set(),
  replacedPaths: new Set(["messenger.messageTypes"]),
  fixedFields: ["type"],
  namedValues: { type: ["broker", "sms"] },
  // Headers may contain credentials too.
  sealedPaths: secrets,
  operations: recordOperations,
  routes: defineRecordRoutes("/api/messenger/:messengerId", "global"),
  sealedPart: sealedField,
  tables: [messengersTable],
  auditName: "messenger",
  configuration: { key: ["name"], fixed: () => ["type"], secrets },
};
