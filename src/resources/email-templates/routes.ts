import { defineRecordRoutes, defineRoutes, type Route } from "../../http/route/define-route.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { emailTemplates } from "./rules.js";
import type {
  EmailTemplate,
  EmailTemplateRequest,
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

/** What can be done with email templates (docs/reference/email-templates.md#calls). */
export interface EmailTemplateOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<
    EmailTemplateRequest & Partial<IdInput<"emailTemplateId">>,
    { readonly emailTemplate: EmailTemplate }
  >;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"emailTemplateId">, { readonly emailTemplate: EmailTemplate }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly emailTemplates: readonly EmailTemplate[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<
    EmailTemplateRequest & IdInput<"emailTemplateId">,
    { readonly emailTemplate: EmailTemplate }
  >;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"emailTemplateId">, { readonly emailTemplate: EmailTemplate }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"emailTemplateId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<EmailTemplateCriteria>, SearchOutput<"emailTemplates", EmailTemplate>>;
  /** The mail that a template renders to; stores and sends nothing. */
  readonly preview: OperationSignature<PreviewEmailRequest, PreviewEmailResponse>;
  /** Sends a template to users and addresses. The mails leave after the commit, and are tried until they do. */
  readonly send: OperationSignature<SendEmailRequest & IdInput<"emailTemplateId">, SendEmailResponse>;
}

export const emailTemplateOperations: OperationsOf<EmailTemplateOperations> = {
  create: createOperation(emailTemplates),
  retrieve: retrieveOperation(emailTemplates),
  list: listOperation(emailTemplates),
  update: updateOperation(emailTemplates),
  patch: patchOperation(emailTemplates),
  remove: removeOperation(emailTemplates),
  search: searchOperation(emailTemplates),
  preview: defineOperation(
    "emailTemplates.preview",
    [],
    lazyOperation(() => import("../../delivery/mail/preview-email.js"), "previewEmail"),
  ),
  send: defineOperation(
    "emailTemplates.send",
    ["emailTemplateId"],
    lazyOperation(() => import("../../delivery/mail/send-email.js"), "sendEmail"),
  ),
};

const { preview, send } = emailTemplateOperations;

export const emailTemplateRoutes: readonly Route<AnyOperation>[] = [
  ...defineRecordRoutes<AnyOperation>("/api/email/template/:emailTemplateId", "global", emailTemplateOperations),
  ...defineRoutes<AnyOperation>([
    ["POST", "/api/email/template/preview", "global", preview],
    ["POST", "/api/email/send", "tenant", send],
    ["POST", "/api/email/send/:emailTemplateId", "tenant", send],
  ]),
];
