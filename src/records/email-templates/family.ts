import { defineRecordRoutes, defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordRow,
  type SearchableOperations,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type {
  EmailTemplate,
  EmailTemplateRequest,
  ParsedEmailTemplateRequest,
  PreviewEmailRequest,
  PreviewEmailResponse,
  SendEmailRequest,
  SendEmailResponse,
} from "./schema.js";

/** The criteria of a search for email templates (docs/reference/email-templates.md). */
export interface EmailTemplateCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
}

/** Operations on email templates (docs/reference/email-templates.md#calls). */
export interface EmailTemplateOperations
  extends SearchableOperations<"emailTemplate", "emailTemplates", EmailTemplate, EmailTemplateRequest, EmailTemplateCriteria> {
  /** Renders a template to a mail; stores and sends nothing. */
  readonly preview: OperationSignature<PreviewEmailRequest, PreviewEmailResponse>;
  /** Sends a template to users and addresses. The mails are sent after the commit, with retries. */
  readonly send: OperationSignature<SendEmailRequest & IdInput<"emailTemplateId">, SendEmailResponse>;
}

export const emailTemplatesTable: Table = defineTable({
  name: "emailTemplates",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/**
 * The family of email templates (docs/reference/email-templates.md#fields-of-templates,
 * docs/reference/email-templates.md#calls).
 */
export const emailTemplateFamily: RecordRow<
  "emailTemplates",
  EmailTemplate,
  ParsedEmailTemplateRequest,
  EmailTemplateOperations
> = {
  name: "emailTemplates",
  wrapper: "emailTemplate",
  plural: "emailTemplates",
  searchPath: "/api/email/template/search",
  idParameter: "emailTemplateId",
  table: emailTemplatesTable,
  request: lazySchema("messages", "emailTemplateRequest"),
  search: nameSearch,
  uniquePaths: { name: "emailTemplate.name" },
  setPaths: new Set(),
  operations: { ...searchableOperations, preview: customOperation(), send: customOperation("emailTemplateId") },
  routes: [
    ...defineRecordRoutes("/api/email/template/:emailTemplateId", "global"),
    ...defineSearchRoutes("/api/email/template/search", "global"),
    ...defineRoutes([
      ["POST", "/api/email/template/preview", "global", "preview"],
      ["POST", "/api/email/send", "tenant", "send"],
      ["POST", "/api/email/send/:emailTemplateId", "tenant", "send"],
    ]),
  ],
  tables: [emailTemplatesTable],
  auditName: "email template",
  configuration: { key: ["name"] },
};
