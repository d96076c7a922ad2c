import type { Draft, DraftContext, Family } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import type { WriteCall } from "../../operations/operation.js";
import { messageTemplateFamily } from "../../records/message-templates/family.js";
import type {
  MessageTemplate,
  MessageTemplateRequest,
  ParsedMessageTemplateRequest,
} from "../../records/message-templates/schema.js";
import { foldText } from "../../shared/text.js";
import { previewMessage } from "../sms/preview-message.js";

/** The family of message templates (docs/messengers.md#message-templates). */
export const messageTemplates: Family<MessageTemplate, ParsedMessageTemplateRequest> = {
  ...messageTemplateFamily,
  rules: { toDraft },
};

function toDraft(
  _call: WriteCall,
  { messageTemplate }: ParsedMessageTemplateRequest,
  { id, now, current }: DraftContext<MessageTemplate>,
): Draft<MessageTemplate> {
  const insertInstant = current?.record.insertInstant ?? now;
  return {
    record: { ...messageTemplate, id, insertInstant, lastUpdateInstant: now },
    columns: { nameFolded: foldText(messageTemplate.name) },
  };
}

/** The operations that only this family has. */
export const operations: FamilyRulesModule["operations"] = { preview: previewMessage };

export const example: FamilyExample<MessageTemplateRequest> = ({ number }) => ({
  messageTemplate: { name: `Message template ${number}`, defaultTemplate: `Text ${number}` },
});
