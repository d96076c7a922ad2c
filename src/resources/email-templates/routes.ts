import { createOperation } from "../../operations/create.js";
import { listOperation } from "../../operations/list.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { patchOperation } from "../../operations/patch.js";
import { removeOperation } from "../../operations/remove.js";
import { retrieveOperation } from "../../operations/retrieve.js";
import { searchOperation } from "../../operations/search.js";
import { updateOperation } from "../../operations/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { defineRoutes, type Route } from "../../route/define-route.js";
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

const { create, retrieve, list, update, patch, remove, search } = emailTemplateOperations;

export const emailTemplateRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/email/template", "global", create],
  ["POST", "/api/email/template/:emailTemplateId", "global", create],
  ["GET", "/api/email/template", "global", list],
  ["GET", "/api/email/template/:emailTemplateId", "global", retrieve],
  ["PUT", "/api/email/template", "global", update],
  ["PUT", "/api/email/template/:emailTemplateId", "global", update],
  ["PATCH", "/api/email/template", "global", patch],
  ["PATCH", "/api/email/template/:emailTemplateId", "global", patch],
  ["DELETE", "/api/email/template", "global", remove],
  ["DELETE", "/api/email/template/:emailTemplateId", "global", remove],
  ["GET", "/api/email/template/search", "global", search],
  ["POST", "/api/email/template/search", "global", search],
]);
