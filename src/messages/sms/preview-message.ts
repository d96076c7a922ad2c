import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import type { PreviewMessageResponse } from "../../records/message-templates/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { isLanguageTag } from "../mail/localized-text.js";
import { samples, toFieldErrors } from "../mail/send-email.js";
import { renderMessage } from "./render-message.js";

const previewMessageRequest = lazySchema("messages", "previewMessageRequest");

/** The code in a preview. */
const sampleCode = "123456";

/**
 * Renders a template with sample data. Errors of the template are part of the response, not thrown.
 * @throws IdentityError 400 for a body of the wrong shape.
 */
export async function previewMessage(call: OperationCall): Promise<OperationResult> {
  const { locale, messageTemplate } = await parseWith(previewMessageRequest, call.body);
  if (locale !== undefined && !isLanguageTag(locale)) throw fieldError("couldNotConvert", "locale");
  const variables = { ...samples, code: sampleCode, oneTimeCode: sampleCode };
  const { problems, text } = renderMessage(messageTemplate, locale === undefined ? [] : [locale], variables);
  const { id: userId, mobilePhone } = samples.user;
  const answer: PreviewMessageResponse = {
    errors: { fieldErrors: toFieldErrors(problems), generalErrors: [] },
    message: { code: sampleCode, phoneNumber: String(mobilePhone), textMessage: text, userId: String(userId) },
    previewMessage: text,
  };
  return { status: 200, json: toCanonicalJson(answer) };
}
