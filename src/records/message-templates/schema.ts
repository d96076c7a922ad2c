import type * as z from "zod";
import type { ErrorEntry, FieldErrors } from "../../errors/identity-error.js";
import {
  data,
  localeMap,
  map,
  name,
  object,
  option,
  requiredText,
  type Schema,
  text,
  validatedWith,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { findTemplateError } from "../../templates/parse-template.js";
import type { MessageType } from "../messengers/schema.js";

/** Writable fields of a message template (docs/messengers.md#message-templates). Its texts are templates (docs/templates.md). */
export interface MessageTemplateFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The type of message. The service sends `SMS`; it stores and returns `Voice`. Default `SMS`. */
  readonly type: MessageType;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The text for users without a localized one. */
  readonly defaultTemplate: string;
  /** Texts by locale, such as `de` or `es_MX`. Default `{}`. */
  readonly localizedTemplates: Readonly<Record<string, string>>;
}

/** A message template on the wire. */
export interface MessageTemplate extends BaseRecord, MessageTemplateFields {}

/** The body of POST and PUT. */
export interface MessageTemplateRequest {
  /** The fields of the template; the name and the default text are required. */
  readonly messageTemplate: Partial<MessageTemplateFields> & Pick<MessageTemplateFields, "name" | "defaultTemplate">;
}

export type ParsedMessageTemplateRequest = { readonly messageTemplate: MessageTemplateFields };

/** The given texts of a message. */
export type MessageTexts = Pick<MessageTemplateFields, "localizedTemplates"> &
  Partial<Pick<MessageTemplateFields, "defaultTemplate" | "type">>;

/** A stored or new template to render. */
export interface PreviewMessageRequest {
  /** The texts to render; nothing is stored. */
  readonly messageTemplate: Partial<MessageTemplateFields>;
  /** `de`, `de_CH` or `de-CH`. Default: the default text. */
  readonly locale?: string | undefined;
}

/** The message rendered with sample data, and the errors of the template. */
export interface PreviewMessageResponse {
  /** The error of the text, by path; empty if it renders. */
  readonly errors: { readonly fieldErrors: FieldErrors; readonly generalErrors: readonly ErrorEntry[] };
  /** The message in the format of generic messengers. */
  readonly message: {
    readonly code: string;
    readonly phoneNumber: string;
    readonly textMessage: string;
    readonly userId: string;
  };
  /** The rendered text; empty if it has an error. */
  readonly previewMessage: string;
}

// Trimmed last: errors count lines in the text as the caller sent it.
const template = (): z.ZodString => validatedWith(text(), findTemplateError).trim();

const type = (): Schema<MessageType> => option(["SMS", "Voice"]).default("SMS");

export const messageTemplateRequest: Schema<ParsedMessageTemplateRequest> = object({
  messageTemplate: object({
    name: name().trim(),
    type: type(),
    data: data().default({}),
    defaultTemplate: validatedWith(requiredText(), findTemplateError).trim(),
    localizedTemplates: localeMap(template()).default({}),
  }),
});

export const previewMessageRequest: Schema<PreviewMessageRequest & { readonly messageTemplate: MessageTexts }> = object({
  // Not validated: the response reports templates that do not parse.
  messageTemplate: object({
    type: type(),
    defaultTemplate: text().optional(),
    localizedTemplates: map(text()).default({}),
  }),
  locale: text().optional(),
});
