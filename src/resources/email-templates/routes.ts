import { createOperation } from "../../operations/create.js";
import { listOperation } from "../../operations/list.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { patchOperation } from "../../operations/patch.js";
import { removeOperation } from "../../operations/remove.js";
import { retrieveOperation } from "../../operations/retrieve.js";
import { searchOperation } from "../../operations/search.js";
import { updateOperation } from "../../operations/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { defineRecordRoutes, type Route } from "../../route/define-route.js";
import { emailTemplates } from "./rules.js";
import type { EmailTemplate, EmailTemplateRequest } from "./schema.js";

/** The criteria of a search for email templates (facts.md 7). */
export interface EmailTemplateCriteria {
  readonly name?: string;
}

/** What can be done with email templates (reference 4.3, facts.md 7). */
export interface EmailTemplateOperations {
  readonly create: Operation<
    EmailTemplateRequest & Partial<IdInput<"emailTemplateId">>,
    { readonly emailTemplate: EmailTemplate }
  >;
  readonly retrieve: Operation<IdInput<"emailTemplateId">, { readonly emailTemplate: EmailTemplate }>;
  readonly list: Operation<Record<never, never>, { readonly emailTemplates: readonly EmailTemplate[] }>;
  readonly update: Operation<EmailTemplateRequest & IdInput<"emailTemplateId">, { readonly emailTemplate: EmailTemplate }>;
  readonly patch: Operation<PatchInput<"emailTemplateId">, { readonly emailTemplate: EmailTemplate }>;
  readonly remove: Operation<IdInput<"emailTemplateId">, undefined>;
  readonly search: Operation<SearchInput<EmailTemplateCriteria>, SearchOutput<"emailTemplates", EmailTemplate>>;
}

export const emailTemplateOperations: EmailTemplateOperations = {
  create: createOperation(emailTemplates),
  retrieve: retrieveOperation(emailTemplates),
  list: listOperation(emailTemplates),
  update: updateOperation(emailTemplates),
  patch: patchOperation(emailTemplates),
  remove: removeOperation(emailTemplates),
  search: searchOperation(emailTemplates),
};

export const emailTemplateRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/email/template/:emailTemplateId",
  "global",
  emailTemplateOperations,
);
