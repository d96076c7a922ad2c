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
} from "../../http/schema/fields.js";
import { isMailAddress, isMailName } from "../../http/schema/mail-address.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { findTemplateError } from "../../templates/parse-template.js";

/**
 * What a caller may say about an email template (docs/reference/email-templates.md#fields-of-templates). Subjects, bodies and names of senders are templates
 * (docs/templates.md); the maps hold others by locale, as `de` or `es_MX`.
 */
export interface EmailTemplateFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The tenant's own when absent. */
  readonly defaultFromName?: string | undefined;
  /** The address of the sender. Default: `emailConfiguration.defaultFromEmail` of the tenant. */
  readonly fromEmail?: string | undefined;
  /** The template of the subject, for users without a text in their language. */
  readonly defaultSubject: string;
  /** The template of the HTML body, for users without a text in their language. It does not escape; use `?html`. */
  readonly defaultHtmlTemplate: string;
  /** The template of the plain text body, for users without a text in their language. */
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

/** A request whose defaults are filled in. */
export interface ParsedEmailTemplateRequest {
  readonly emailTemplate: EmailTemplateFields;
}

/** What templates may show beside `requestData`, in place of the samples. */
export interface SampleData {
  /** Stands for the application of the message. */
  readonly application: Record<string, unknown>;
  /** Stands for the recipient's registration to the application. */
  readonly registration: Record<string, unknown>;
  /** Stands for the values that a caller passes when it sends the message. */
  readonly requestData: Record<string, unknown>;
  /** Stands for the tenant of the message. */
  readonly tenant: Record<string, unknown>;
  /** Stands for the recipient. */
  readonly user: Record<string, unknown>;
}

/** A template, kept or not, to be looked at as a mail (docs/reference/email-templates.md). */
export interface PreviewEmailRequest {
  /** The texts to render; nothing is stored, and texts that you leave out render as empty. */
  readonly emailTemplate: Partial<EmailTemplateFields>;
  /** `de`, `de_CH` or `de-CH`. Default: the default texts. */
  readonly locale?: string | undefined;
  /** What the template is shown with. Default: the sample of a user, an application and so on, and no `requestData`. */
  readonly sampleData?: Partial<SampleData> | undefined;
}

/** A preview whose defaults are filled in. */
export interface ParsedPreviewEmailRequest {
  readonly emailTemplate: EmailTexts;
  readonly locale?: string | undefined;
  readonly sampleData: Partial<SampleData>;
}

/** The texts that a mail is made of, as far as they are there. */
export type EmailTexts = Partial<Omit<EmailTemplateFields, "name">> &
  Pick<EmailTemplateFields, "localizedFromNames" | "localizedSubjects" | "localizedHtmlTemplates" | "localizedTextTemplates">;

/** The mail that a template makes, and what is wrong with it: `[invalid]` for a text that is no template, `[missing]` for what cannot be shown. */
export interface PreviewEmailResponse {
  /** The rendered message; a text with an error is empty. */
  readonly email: {
    /** The sender: its address and its name, where the template has them. */
    readonly from: { readonly address?: string | undefined; readonly display?: string | undefined };
    /** The HTML body. */
    readonly html: string;
    /** The subject. */
    readonly subject: string;
    /** The plain text body. */
    readonly text: string;
  };
  /** What is wrong with the texts, by their paths; empty when all of them render. */
  readonly errors: { readonly fieldErrors: FieldErrors; readonly generalErrors: readonly ErrorEntry[] };
}

/** Somebody whom a mail is sent to by address. */
export interface EmailRecipient {
  /** An email address. */
  readonly address: string;
  /** The name that mail programs show for the address. */
  readonly display?: string | undefined;
}

/** Whom a template is sent to, and what with (docs/reference/email-templates.md). */
export interface SendEmailRequest {
  /** What `application` and `registration` are in the template. */
  readonly applicationId?: string | undefined;
  /** Who gets a copy of each mail. */
  readonly bccAddresses?: readonly string[] | undefined;
  /** Recipients of a copy of each message, visible to all: at most 50 addresses. */
  readonly ccAddresses?: readonly string[] | undefined;
  /** Of recipients by address, and of users after their own. */
  readonly preferredLanguages?: readonly string[] | undefined;
  /** What `requestData` is in the template: any JSON object. Default `{}`. */
  readonly requestData?: Readonly<Record<string, unknown>> | undefined;
  /** Recipients who are no users: at most 1,000. */
  readonly toAddresses?: readonly EmailRecipient[] | undefined;
  /** Recipients who are users: at most 1,000 ids. */
  readonly userIds?: readonly string[] | undefined;
}

/** A request whose defaults are filled in. */
export interface ParsedSendEmailRequest extends Required<Omit<SendEmailRequest, "applicationId">> {
  readonly applicationId?: string | undefined;
}

/** What is wrong with the texts of a mail, by their paths in the template, as lines of text. */
export interface EmailTextErrors {
  /** Texts that are no template, by their path. */
  readonly parseErrors: Readonly<Record<string, string>>;
  /** Texts with a value that cannot be shown, by their path. */
  readonly renderErrors: Readonly<Record<string, string>>;
}

/** Whom nothing was sent to, and why; nobody where all mails leave. */
export interface SendEmailResponse {
  /** By address. */
  readonly anonymousResults: Readonly<Record<string, EmailTextErrors>>;
  /** By user id. */
  readonly results: Readonly<Record<string, EmailTextErrors>>;
}

// Lines are counted in the text as it was sent, so it is trimmed last.
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

// What is no template is part of the answer.
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
