import { defineRecordRoutes, defineRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordOperations,
  type RecordRow,
  recordOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type {
  MessageTemplate,
  MessageTemplateRequest,
  ParsedMessageTemplateRequest,
  PreviewMessageRequest,
  PreviewMessageResponse,
} from "./schema.js";

/** Operations on message templates (docs/messengers.md#message-templates). */
export interface MessageTemplateOperations
  extends RecordOperations<"messageTemplate", "messageTemplates", MessageTemplate, MessageTemplateRequest> {
  /** Removes a record; 404 for an unknown one, 400 `[inUse]` while a tenant or an application names it. */
  readonly remove: OperationSignature<IdInput<"messageTemplateId">, undefined>;
  /** Renders a template with sample data; stores and sends nothing. */
  readonly preview: OperationSignature<PreviewMessageRequest, PreviewMessageResponse>;
}

export const messageTemplatesTable: Table = defineTable({
  name: "messageTemplates",
  tenancy: "global",
  since: 8,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The family of message templates. */
export const messageTemplateFamily: RecordRow<
  "messageTemplates",
  MessageTemplate,
  ParsedMessageTemplateRequest,
  MessageTemplateOperations
> = {
  name: "messageTemplates",
  wrapper: "messageTemplate",
  plural: "messageTemplates",
  idParameter: "messageTemplateId",
  table: messageTemplatesTable,
  request: lazySchema("messages", "messageTemplateRequest"),
  search: nameSearch,
  uniquePaths: { name: "messageTemplate.name" },
  setPaths: new Set(),
  operations: { ...recordOperations, preview: customOperation() },
  routes: [
    ...defineRecordRoutes("/api/message/template/:messageTemplateId", "global"),
    ...defineRoutes([["POST", "/api/message/template/preview", "global", "preview"]]),
  ],
  tables: [messageTemplatesTable],
  auditName: "message template",
  configuration: { key: ["name"] },
};
