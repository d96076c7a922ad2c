import type * as z from "zod";
import type { BaseRecord } from "../../operations/family.js";
import { emailAddress, explained, filledText, localeMap, name, object, type Schema, text } from "../../schema/fields.js";
import { findTemplateError } from "../../template/parse-template.js";

/**
 * What a caller may say about an email template (reference 2.3). Subjects, bodies and names of senders are templates
 * (docs/templates.md); the maps hold others by locale, as `de` or `es_MX`.
 */
export interface EmailTemplateFields {
  readonly name: string;
  /** The tenant's own when absent. */
  readonly defaultFromName?: string | undefined;
  readonly fromEmail?: string | undefined;
  readonly defaultSubject: string;
  readonly defaultHtmlTemplate: string;
  readonly defaultTextTemplate: string;
  readonly localizedFromNames: Readonly<Record<string, string>>;
  readonly localizedSubjects: Readonly<Record<string, string>>;
  readonly localizedHtmlTemplates: Readonly<Record<string, string>>;
  readonly localizedTextTemplates: Readonly<Record<string, string>>;
}

/** An email template on the wire. */
export interface EmailTemplate extends BaseRecord, EmailTemplateFields {}

/** The body of POST and PUT. */
export interface EmailTemplateRequest {
  readonly emailTemplate: Partial<EmailTemplateFields> &
    Pick<EmailTemplateFields, "name" | "defaultSubject" | "defaultHtmlTemplate" | "defaultTextTemplate">;
}

/** A request whose defaults are filled in. */
export interface ParsedEmailTemplateRequest {
  readonly emailTemplate: EmailTemplateFields;
}

// Lines are counted in the text as it was sent, so it is trimmed last.
const template = (): z.ZodString => explained(text(), findTemplateError).trim();
const requiredTemplate = (): z.ZodString => explained(filledText(), findTemplateError).trim();

export const emailTemplateRequest: Schema<ParsedEmailTemplateRequest> = object({
  emailTemplate: object({
    name: name().trim(),
    defaultFromName: template().optional(),
    fromEmail: emailAddress().optional(),
    defaultSubject: requiredTemplate(),
    defaultHtmlTemplate: requiredTemplate(),
    defaultTextTemplate: requiredTemplate(),
    localizedFromNames: localeMap(template()).default({}),
    localizedSubjects: localeMap(template()).default({}),
    localizedHtmlTemplates: localeMap(template()).default({}),
    localizedTextTemplates: localeMap(template()).default({}),
  }),
});
