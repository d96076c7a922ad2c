import { queueMails } from "../../delivery/queues/message-kinds.js";
import { fieldError, generalError } from "../../errors/identity-error.js";
import { isMailAddress, toHeaderText } from "../../http/schema/mail-address.js";
import { findTemplate, makeTemplateMail } from "../../messages/mail/make-template-mail.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { MailTemplateIds } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import { storeUnusedId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findLoginScope, findRegistration, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { presentUser } from "../relations/present-user.js";
import { type FlowRequirement, mailRequirement } from "./flow-requirements.js";
import { reportMissingPart } from "./report-missing-parts.js";

/** A mail of an account flow. */
export interface FlowMail {
  /** The template and the cause of the mail, or the setting of an optional template. */
  readonly requirement: FlowRequirement | keyof MailTemplateIds;
  /** The tenant sends the mail; its application and the user's registration to it are variables. */
  readonly place: LoginScope;
  /** Undefined for an address without a user. */
  readonly user: StoredRecord | undefined;
  /** Default: the user's email. */
  readonly to?: string | undefined;
  /** Whether to render without sending, so that a flow takes as long as with a user. */
  readonly isRehearsal?: boolean;
  /** Variables beside `application`, `publicUrl`, `registration`, `tenant` and `user`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The reason why a mail or a text is not sent. `failed`: the event log has the details. `noMessenger`: no messenger can send a
 * text.
 */
export type UnsentReason = "failed" | "noAddress" | "noMessenger" | "noTemplate";

/** @throws IdentityError 403 `[noMailTemplate]`, 422 `[noMailAddress]` where a mail was not sent for that reason. */
export function assertSent(unsent: UnsentReason | undefined): void {
  if (unsent === "noTemplate") throw generalError("noMailTemplate");
  if (unsent === "noAddress") throw generalError("noMailAddress");
  if (unsent === "noMessenger") throw fieldError("notConfigured", "tenant.phoneConfiguration.messengerId");
}

/**
 * Queues a mail to a user, in the user's language, to leave after the commit. Returns the reason when there is none. The event
 * log has errors in a template, which do not end the flow.
 */
export async function queueFlowMail(call: WriteCall, mail: FlowMail): Promise<UnsentReason | undefined> {
  const { place } = mail;
  const requirement = typeof mail.requirement === "string" ? mailRequirement(place, mail.requirement) : mail.requirement;
  const unsent = await tryQueue(call, mail, requirement);
  if (unsent === "failed" || (unsent === "noTemplate" && !requirement.isOptional))
    await reportMissingPart(call, place, requirement);
  return unsent;
}

async function tryQueue(call: WriteCall, mail: FlowMail, { templateId }: FlowRequirement): Promise<UnsentReason | undefined> {
  const { place } = mail;
  const user = mail.user && parseRecord<User>(mail.user);
  const { email, fullName = "", id, preferredLanguages = [] } = user ?? {};
  const address = mail.to ?? email ?? "";
  if (templateId === undefined) return "noTemplate";
  if (!isMailAddress(address)) return "noAddress";
  const template = await findTemplate(call, templateId);
  if (template === undefined) return "noTemplate";
  const recipient = {
    name: id ?? address,
    userId: id,
    to: { address, display: toHeaderText(fullName) || undefined },
    tenant: place.tenant,
    languages: preferredLanguages,
    variables: await flowVariables(call, mail),
  };
  const whom = id === undefined ? "somebody" : `the user ${id}`;
  const title = mail.isRehearsal ? undefined : `the template ${templateId} to ${whom}`;
  const made = await makeTemplateMail(call, { template, recipient, title });
  if (made === undefined) return "failed";
  // As many reads and writes as for a mail.
  if (!mail.isRehearsal) await queueMails(call, [made]);
  else await storeUnusedId(call, (await findLoginScope(call, place.tenant.id, undefined)).tenant);
  return undefined;
}

/** The variables of the template for a mail or a text of an account flow. */
export async function flowVariables(
  call: WriteCall,
  { place, user, variables }: Pick<FlowMail, "place" | "user" | "variables">,
): Promise<Readonly<Record<string, unknown>>> {
  const { application, tenant } = place;
  const registration = user && application && (await findRegistration(call, parseRecord<User>(user), application.id));
  return {
    application,
    publicUrl: call.service.accounts.publicUrl,
    registration: registration && JSON.parse(registration.json),
    tenant,
    user: user && JSON.parse(await presentUser(call, user)),
    ...variables,
  };
}
