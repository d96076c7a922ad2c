import { lazySchema } from "../../http/schema/parse-with.js";
import type { Draft, DraftContext, Family } from "../../operations/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { foldText } from "../../shared/text/fold-text.js";
import { nameSearch } from "../define-table.js";
import type { EmailTemplate, ParsedEmailTemplateRequest } from "./schema.js";
import { emailTemplatesTable } from "./table.js";

const emailTemplateRequest = lazySchema(() => import("./schema.js"), "emailTemplateRequest");

/** The family of email templates (docs/reference/email-templates.md#fields-of-templates, docs/reference/email-templates.md#calls). */
export const emailTemplates: Family<EmailTemplate, ParsedEmailTemplateRequest> = {
  name: "emailTemplates",
  wrapper: "emailTemplate",
  plural: "emailTemplates",
  searchPath: "/api/email/template/search",
  idParameter: "emailTemplateId",
  table: emailTemplatesTable,
  request: emailTemplateRequest,
  search: nameSearch,
  uniquePaths: { name: "emailTemplate.name" },
  setPaths: new Set(),
  rules: { toDraft },
};

function toDraft(
  _call: WriteCall,
  { emailTemplate: fields }: ParsedEmailTemplateRequest,
  { id, now, current }: DraftContext<EmailTemplate>,
): Draft<EmailTemplate> {
  // An empty sender is none: the tenant's own is used, as when nothing is said.
  const sender = { defaultFromName: fields.defaultFromName || undefined, fromEmail: fields.fromEmail || undefined };
  const insertInstant = current?.record.insertInstant ?? now;
  return {
    record: { ...fields, ...sender, id, insertInstant, lastUpdateInstant: now },
    columns: { nameFolded: foldText(fields.name) },
  };
}
