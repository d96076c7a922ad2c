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

/** What a caller may say about a message template (docs/messengers.md#message-templates). Its texts are templates (docs/templates.md). */
export interface MessageTemplateFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** What it is a template of. The service sends `SMS`; `Voice` is stored and shown. Default `SMS`. */
  readonly type: MessageType;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The text for users without one in their language. */
  readonly defaultTemplate: string;
  /** Texts by locale, as `de` or `es_MX`. Default `{}`. */
  readonly localizedTemplates: Readonly<Record<string, string>>;
}

/** A message template on the wire. */
export interface MessageTemplate extends BaseRecord, MessageTemplateFields {}

/** The body of POST and PUT. */
export interface MessageTemplateRequest {
  /** The fields of the template; the name and the default text are required. */
  readonly messageTemplate: Partial<MessageTemplateFields> & Pick<MessageTemplateFields, "name" | "defaultTemplate">;
}

/** A request whose defaults are filled in. */
export interface ParsedMessageTemplateRequest {
  readonly messageTemplate: MessageTemplateFields;
}

/** The texts that a message is made of, as far as they are there. */
export type MessageTexts = Pick<MessageTemplateFields, "localizedTemplates"> &
  Partial<Pick<MessageTemplateFields, "defaultTemplate" | "type">>;

/** A template, stored or not, to be looked at as a message. */
export interface PreviewMessageRequest {
  /** The texts to render; nothing is stored. */
  readonly messageTemplate: Partial<MessageTemplateFields>;
  /** `de`, `de_CH` or `de-CH`. Default: the default text. */
  readonly locale?: string | undefined;
}

/** A preview whose defaults are filled in. */
export interface ParsedPreviewMessageRequest {
  readonly messageTemplate: MessageTexts;
  readonly locale?: string | undefined;
}

/** The message that a template makes of sample data, and what is wrong with the template. */
export interface PreviewMessageResponse {
  /** What is wrong with the text, by its path; empty when it renders. */
  readonly errors: { readonly fieldErrors: FieldErrors; readonly generalErrors: readonly ErrorEntry[] };
  /** The message as a generic messenger would get it. */
  readonly message: {
    readonly code: string;
    readonly phoneNumber: string;
    readonly textMessage: string;
    readonly userId: string;
  };
  /** The text; empty where it has an error. */
  readonly previewMessage: string;
}

// Lines are counted in the text as it was sent, so it is trimmed last.
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

export const previewMessageRequest: Schema<ParsedPreviewMessageRequest> = object({
  // What is no template is part of the answer.
  messageTemplate: object({
    type: type(),
    defaultTemplate: text().optional(),
    localizedTemplates: map(text()).default({}),
  }),
  locale: text().optional(),
});
