import { generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { requireId } from "../../operations/record-steps.js";
import { globalScope } from "../../ports/storage.js";
import type { EmailTemplate } from "../../resources/email-templates/schema.js";
import { emailTemplatesTable } from "../../resources/email-templates/table.js";

/** The template that the parameter names. @throws IdentityError 404 when there is none; `[missing]emailTemplateId` when none is named. */
export async function loadTemplate(call: OperationCall): Promise<EmailTemplate> {
  const stored = await call.reader.retrieve(globalScope, emailTemplatesTable, requireId(call, "emailTemplateId"));
  if (stored === undefined) throw generalError("notFound");
  return parseRecord<EmailTemplate>(stored);
}
