import { findTemplate } from "../../../delivery/mail/make-template-mail.js";
import { canSendSms } from "../../../delivery/sms/find-sender.js";
import { parseRecord } from "../../../operations/family/family.js";
import type { WriteCall } from "../../../operations/operation.js";
import type { Application } from "../../../resources/applications/schema.js";
import type { EmailTemplate } from "../../../resources/email-templates/schema.js";
import { accountSettingsOf } from "../../settings/tenant-settings.js";
import { loadTenant } from "../../tokens/sign-token.js";
import type { LoginScope } from "../../tokens/token-subject.js";
import { type FlowRequirement, requirementsOfApplication, requirementsOfTenant } from "./flow-requirements.js";

/** What to do so that a message of an account flow can leave; undefined where nothing is missing. */
export async function findMissingPart(
  call: WriteCall,
  { tenant }: LoginScope,
  requirement: FlowRequirement,
): Promise<string | undefined> {
  const { channel, hasDefaultText = false, messengerId, messengerSetting = "", setting, templateId } = requirement;
  if (templateId === undefined && !hasDefaultText) return `set ${setting}`;
  if (channel === "text")
    return (await canSendSms(call, messengerId)) ? undefined : `set ${messengerSetting}, or pass the option sendSms`;
  if (call.service.mail === undefined) return "pass the option mail, which sends mails";
  if (accountSettingsOf(tenant).emailConfiguration.defaultFromEmail) return undefined;
  const template = await findTemplate(call, templateId);
  if (template === undefined || parseRecord<EmailTemplate>(template).fromEmail) return undefined;
  return "set tenant.emailConfiguration.defaultFromEmail, or fromEmail of the template";
}

/** Logs what is missing for a message that did not leave: once in this process. */
export async function reportMissingPart(call: WriteCall, place: LoginScope, requirement: FlowRequirement): Promise<void> {
  const missing = await findMissingPart(call, place, requirement);
  const key = keyOf(place, requirement);
  if (missing === undefined) return call.tx.afterCommit(() => call.service.warnings.forget(key));
  const { cause, channel, setting } = requirement;
  const { application, tenant } = place;
  const ofApplication = cause.startsWith("application.") && application !== undefined;
  const { id, name } = ofApplication ? application : tenant;
  const owner = `${ofApplication ? "application" : "tenant"} ${name} (${id})`;
  const message = `No ${channel} leaves for ${cause} of the ${owner}: ${missing}.`;
  const fields = { tenantId: tenant.id, applicationId: application?.id, setting };
  call.tx.afterCommit(() => call.service.warnings.warn(key, fields, message));
}

function keyOf({ application, tenant }: LoginScope, { cause }: FlowRequirement): string {
  return `${cause} ${cause.startsWith("application.") ? application?.id : tenant.id}`;
}

/** Logs what the settings of a tenant ask for and cannot have: each once in this process, until it is mended. */
export async function reportMissingPartsOfTenant(call: WriteCall, tenant: LoginScope["tenant"]): Promise<void> {
  for (const requirement of requirementsOfTenant(tenant))
    await reportMissingPart(call, { tenant, application: undefined }, requirement);
}

/** The same of an application. */
export async function reportMissingPartsOfApplication(call: WriteCall, application: Application): Promise<void> {
  const { emailConfiguration, passwordlessConfiguration, phoneConfiguration, verifyRegistration } = application;
  const names = [...Object.keys(emailConfiguration), ...Object.keys(phoneConfiguration)];
  if (!verifyRegistration && !passwordlessConfiguration.enabled && names.length === 0) return;
  const place = { application, tenant: await loadTenant(call, application.tenantId) };
  for (const requirement of requirementsOfApplication(place)) await reportMissingPart(call, place, requirement);
}
