import type * as z from "zod";
import type { ErrorEntry, FieldErrors } from "../../errors/identity-error.js";
import {
  data,
  emailAddress,
  id,
  idSet,
  list,
  localeMap,
  map,
  name,
  object,
  requiredText,
  type Schema,
  text,
  textList,
  validatedWith,
  type WithDefaults,
} from "../../http/schema/fields.js";
import { isMailAddress, isMailName } from "../../http/schema/mail-address.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { findTemplateError } from "../../templates/parse-template.js";

/**
 * Writable fields of an email template (docs/reference/email-templates.md#fields-of-templates). Subjects, bodies and sender
 * names are templates (docs/templates.md); the maps hold variants by locale, such as `de` or `es_MX`.
 */
export interface EmailTemplateFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The template of the sender's name. Default: that of the tenant. */
  readonly defaultFromName?: string | undefined;
  /** The address of the sender. Default: `emailConfiguration.defaultFromEmail` of the tenant. */
  readonly fromEmail?: string | undefined;
  /** The template of the subject, for users without a localized one. */
  readonly defaultSubject: string;
  /** The template of the HTML body, for users without a localized one. It does not escape; use `?html`. */
  readonly defaultHtmlTemplate: string;
  /** The template of the plain text body, for users without a localized one. */
  readonly defaultTextTemplate: string;
  /** Templates of the sender's name by locale. Default `{}`. */
  readonly localizedFromNames: Readonly<Record<string, string>>;
  /** Templates of the subject by locale. Default `{}`. */
  readonly localizedSubjects: Readonly<Record<string, string>>;
  /** Templates of the HTML body by locale. Default `{}`. */
  readonly localizedHtmlTemplates: Readonly<Record<string, string>>;
  /** Templates of the plain text body by locale. Default `{}`. */
  readonly localizedTextTemplates: Readonly<Record<string, string>>;
}

/** An email template on the wire. */
export interface EmailTemplate extends BaseRecord, EmailTemplateFields {}

/** The body of POST and PUT. */
export interface EmailTemplateRequest {
  /** The fields of the template; the name, the subject and both bodies are required. */
  readonly emailTemplate: Partial<EmailTemplateFields> &
    Pick<EmailTemplateFields, "name" | "defaultSubject" | "defaultHtmlTemplate" | "defaultTextTemplate">;
}

export type ParsedEmailTemplateRequest = { readonly emailTemplate: EmailTemplateFields };

/** Values for templates that replace the samples. */
export interface SampleData {
  /** The application of the message. */
  readonly application: Record<string, unknown>;
  /** The recipient's registration to the application. */
  readonly registration: Record<string, unknown>;
  /** The values that the caller of `send` passes. */
  readonly requestData: Record<string, unknown>;
  /** The tenant of the message. */
  readonly tenant: Record<string, unknown>;
  /** The recipient. */
  readonly user: Record<string, unknown>;
}

/** A stored or new template to render (docs/reference/email-templates.md). */
export interface PreviewEmailRequest {
  /** The texts to render; missing texts render as empty. */
  readonly emailTemplate: Partial<EmailTemplateFields>;
  /** `de`, `de_CH` or `de-CH`. Default: the default texts. */
  readonly locale?: string | undefined;
  /** The values to render with. Default: a sample user, application and so on, and no `requestData`. */
  readonly sampleData?: Partial<SampleData> | undefined;
}

export type ParsedPreviewEmailRequest = WithDefaults<PreviewEmailRequest, "sampleData"> & { readonly emailTemplate: EmailTexts };

/** The given texts of a mail. */
export type EmailTexts = Partial<Omit<EmailTemplateFields, "name">> &
  Pick<EmailTemplateFields, "localizedFromNames" | "localizedSubjects" | "localizedHtmlTemplates" | "localizedTextTemplates">;

/**
 * The rendered mail and its errors: `[invalid]` for a template that does not parse, `[missing]` for a value that it cannot
 * show.
 */
export interface PreviewEmailResponse {
  /** The rendered message; texts with errors are empty. */
  readonly email: {
    /** The address and name of the sender, if the template has them. */
    readonly from: { readonly address?: string | undefined; readonly display?: string | undefined };
    /** The HTML body. */
    readonly html: string;
    /** The subject. */
    readonly subject: string;
    /** The plain text body. */
    readonly text: string;
  };
  /** The errors of the texts, by path; empty if all of them render. */
  readonly errors: { readonly fieldErrors: FieldErrors; readonly generalErrors: readonly ErrorEntry[] };
}

/** A recipient by address. */
export interface EmailRecipient {
  /** An email address. */
  readonly address: string;
  /** The name that mail programs show for the address. */
  readonly display?: string | undefined;
}

/** The recipients of a template, and its values (docs/reference/email-templates.md). */
export interface SendEmailRequest {
  /** The application that `application` and `registration` show in the template. */
  readonly applicationId?: string | undefined;
  /** Recipients of a blind copy of each message: at most 50 addresses. */
  readonly bccAddresses?: readonly string[] | undefined;
  /** Recipients of a visible copy of each message: at most 50 addresses. */
  readonly ccAddresses?: readonly string[] | undefined;
  /** The languages of recipients by address, and of users after their own. */
  readonly preferredLanguages?: readonly string[] | undefined;
  /** The value of `requestData` in the template: any JSON object. Default `{}`. */
  readonly requestData?: Readonly<Record<string, unknown>> | undefined;
  /** Recipients by address: at most 1,000. */
  readonly toAddresses?: readonly EmailRecipient[] | undefined;
  /** Recipients by user id: at most 1,000. */
  readonly userIds?: readonly string[] | undefined;
}

export type ParsedSendEmailRequest = WithDefaults<SendEmailRequest, Exclude<keyof SendEmailRequest, "applicationId">>;

/** The errors of the texts of a mail, by path in the template. */
export interface EmailTextErrors {
  /** Templates that do not parse, by path. */
  readonly parseErrors: Readonly<Record<string, string>>;
  /** Templates with a value that they cannot show, by path. */
  readonly renderErrors: Readonly<Record<string, string>>;
}

/** The recipients without a mail, and their errors; empty if all mails are sent. */
export interface SendEmailResponse {
  /** By address. */
  readonly anonymousResults: Readonly<Record<string, EmailTextErrors>>;
  /** By user id. */
  readonly results: Readonly<Record<string, EmailTextErrors>>;
}

// Trimmed last: errors count lines in the text as the caller sent it.
const template = (): z.ZodString => validatedWith(text(), findTemplateError).trim();
const requiredTemplate = (): z.ZodString => validatedWith(requiredText(), findTemplateError).trim();

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

const maxCopies = 50;
const maxRecipients = 1_000;

const requiredAddress = (): z.ZodString => text().trim().refine(isMailAddress, { error: "notEmail" });
const addresses = (): Schema<string[]> => list(requiredAddress()).max(maxCopies, { error: "tooMany" }).default([]);

export const sendEmailRequest: Schema<ParsedSendEmailRequest> = object({
  applicationId: id().optional(),
  bccAddresses: addresses(),
  ccAddresses: addresses(),
  preferredLanguages: textList().max(100, { error: "tooMany" }).default([]),
  requestData: data().default({}),
  toAddresses: list(object({ address: requiredAddress(), display: text().refine(isMailName, { error: "invalid" }).optional() }))
    .max(maxRecipients, { error: "tooMany" })
    .default([]),
  userIds: idSet()
    .refine(({ length }) => length <= maxRecipients, { error: "tooMany" })
    .default([]),
});

// Not validated: the response reports templates that do not parse.
const texts = (): Schema<Record<string, string>> => map(text()).default({});

export const previewEmailRequest: Schema<ParsedPreviewEmailRequest> = object({
  emailTemplate: object({
    defaultFromName: text().optional(),
    fromEmail: emailAddress().optional(),
    defaultSubject: text().optional(),
    defaultHtmlTemplate: text().optional(),
    defaultTextTemplate: text().optional(),
    localizedFromNames: texts(),
    localizedSubjects: texts(),
    localizedHtmlTemplates: texts(),
    localizedTextTemplates: texts(),
  }),
  locale: text().optional(),
  sampleData: object({
    application: data().optional(),
    registration: data().optional(),
    requestData: data().optional(),
    tenant: data().optional(),
    user: data().optional(),
  }).default({}),
});
