import { writeEventLog } from "../../audit/event-logs/rules.js";
import { textMessages } from "../../delivery/queues/message-kinds.js";
import { queueMessages } from "../../delivery/queues/messages.js";
import { isPhone, maxTextLength } from "../../http/schema/phone-number.js";
import { canSendSms } from "../../messages/sms/find-sender.js";
import { type RenderedMessage, renderMessage } from "../../messages/sms/render-message.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { messageTemplatesTable } from "../../records/message-templates/family.js";
import type { MessageTemplate } from "../../records/message-templates/schema.js";
import type { TextTemplateIds } from "../../records/settings/phone-settings.js";
import type { User } from "../../records/users/schema.js";
import { storeUnusedId } from "../../sessions/one-time-ids/one-time-ids.js";
import { type FlowMail, flowVariables, type UnsentReason } from "./flow-mail.js";
import { type FlowRequirement, textRequirement } from "./flow-requirements.js";
import { reportMissingPart } from "./report-missing-parts.js";

/** A text message of an account flow. */
export interface FlowText extends Omit<FlowMail, "requirement" | "to"> {
  /** The template, the messenger and the cause of the text. */
  readonly requirement: FlowRequirement;
  readonly to: string | undefined;
  /** The code in the text, for messengers that write their own; also the variable `code`. */
  readonly code?: string | undefined;
  /** The text without a template. Default: no text leaves then. */
  readonly defaultText?: string | undefined;
}

/**
 * Queues a text to a user, in the user's language, to leave after the commit. Returns the reason when there is none. The event
 * log has errors in a template, which do not end the flow.
 */
export async function queueFlowText(call: WriteCall, text: FlowText): Promise<UnsentReason | undefined> {
  const unsent = await tryQueue(call, text);
  const isMissing = unsent === "noMessenger" || (unsent === "noTemplate" && !text.requirement.isOptional);
  if (isMissing) await reportMissingPart(call, text.place, text.requirement);
  return unsent;
}

async function tryQueue(call: WriteCall, text: FlowText): Promise<UnsentReason | undefined> {
  const { code, defaultText, requirement, place, to = "" } = text;
  const { messengerId, templateId } = requirement;
  const stored = templateId && (await call.reader.retrieve(globalScope, messageTemplatesTable, templateId));
  if (!stored && defaultText === undefined) return "noTemplate";
  if (!isPhone(to)) return "noAddress";
  if (!(await canSendSms(call, messengerId))) return "noMessenger";
  const { problems, text: written } = await write(call, text, stored || undefined);
  const problem = problems.length > 0 ? JSON.stringify(problems) : findFault(written);
  if (problem !== undefined) return logFailure(call, text, problem);
  if (text.isRehearsal) await storeUnusedId(call, place.tenant);
  else {
    const id = call.service.runtime.newId();
    const message = { id, tenantId: place.tenant.id, code, messengerId, text: written, to: to.trim(), userId: text.user?.id };
    await queueMessages(call, textMessages, [message]);
  }
  return undefined;
}

/** Queues a text about a change to the phone number of a user, if there are a number and a template. */
export async function queueUserText(
  call: WriteCall,
  { place, user }: Pick<FlowText, "place" | "user">,
  name: keyof TextTemplateIds,
): Promise<void> {
  const to = user && parseRecord<User>(user).phoneNumber;
  await queueFlowText(call, { requirement: textRequirement(place, name), place, to, user });
}

async function write(call: WriteCall, text: FlowText, template: StoredRecord | undefined): Promise<RenderedMessage> {
  if (template === undefined) return { text: text.defaultText ?? "", problems: [] };
  const { preferredLanguages = [] } = text.user ? parseRecord<User>(text.user) : {};
  const variables = await flowVariables(call, { ...text, variables: { code: text.code, ...text.variables } });
  return renderMessage(parseRecord<MessageTemplate>(template), preferredLanguages, variables);
}

function findFault(text: string): string | undefined {
  if (text.trim() === "") return "It says nothing.";
  return text.length > maxTextLength ? `It has more than ${maxTextLength} characters.` : undefined;
}

async function logFailure(call: WriteCall, { isRehearsal, requirement, user }: FlowText, reason: string): Promise<"failed"> {
  if (isRehearsal) return "failed";
  const whom = user === undefined ? "somebody" : `the user ${user.id}`;
  const message = `The text of the template ${requirement.templateId} to ${whom} could not be made: ${reason}`;
  await writeEventLog(call, { type: "Error", message });
  return "failed";
}
