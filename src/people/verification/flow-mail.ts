import { queueMails } from "../../delivery/queues/message-kinds.js";
import { fieldError, generalError } from "../../errors/identity-error.js";
import { isMailAddress, toHeaderText } from "../../http/schema/mail-address.js";
import { findTemplate, makeTemplateMail } from "../../messages/mail/make-template-mail.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { MailTemplateIds } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import { issueId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findRegistration, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { presentUser } from "../relations/present-user.js";
import { type FlowRequirement, mailRequirement } from "./flow-requirements.js";
import { reportMissingPart } from "./report-missing-parts.js";

/** A mail of an account flow. */
export interface FlowMail {
  /** The template, and what asks for the mail, or the setting that may name one; no mail where no template is named. */
  readonly requirement: FlowRequirement | keyof MailTemplateIds;
  /** Its tenant sends the mail; its application and the user's registration to it are variables. */
  readonly place: LoginScope;
  /** Undefined where nobody has the address yet. */
  readonly user: StoredRecord | undefined;
  /** Default: the user's email. */
  readonly to?: string | undefined;
  /** Whether nobody gets it: it is made so that a flow takes as long as for a user. */
  readonly isRehearsal?: boolean;
  /** Variables beside `application`, `publicUrl`, `registration`, `tenant` and `user`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Why a mail or a text is not sent. `failed`: the event log says why. `noMessenger`: nothing could send a text. */
export type UnsentReason = "failed" | "noAddress" | "noMessenger" | "noTemplate";

/** @throws IdentityError 403 `[noMailTemplate]`, 422 `[noMailAddress]` where a mail was not sent for that reason. */
export function assertSent(unsent: UnsentReason | undefined): void {
  if (unsent === "noTemplate") throw generalError("noMailTemplate");
  if (unsent === "noAddress") throw generalError("noMailAddress");
  if (unsent === "noMessenger") throw fieldError("notConfigured", "tenant.phoneConfiguration.messengerId");
}

/**
 * Queues a mail to a user, in the user's language; it leaves after the commit. Returns why there is none. What is wrong with a template
 * does not end the flow: it is in the event log.
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
  // As many statements as for a mail.
  if (mail.isRehearsal) await issueId(call, place.tenant, { purpose: "oneTimePassword" });
  else await queueMails(call, [made]);
  return undefined;
}

/** What the template of a mail or a text of an account flow knows. */
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
