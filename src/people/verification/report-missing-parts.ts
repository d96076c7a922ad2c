import { findTemplate } from "../../messages/mail/make-template-mail.js";
import { canSendSms } from "../../messages/sms/find-sender.js";
import { pagesOf } from "../../operations/bulk-write.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import type { EmailTemplate } from "../../records/email-templates/schema.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import { tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { loadTenant } from "../../sessions/tokens/sign-token.js";
import { type FlowRequirement, requirementsOfApplication, requirementsOfTenant } from "./flow-requirements.js";

/** The context of a search for missing parts. `assumesSenders`: assume that the host can send mails and texts. */
interface MissingPartContext extends Pick<OperationCall, "reader" | "service"> {
  readonly assumesSenders?: boolean | undefined;
}

/** The fixes that let a message of an account flow leave; undefined where nothing is missing. */
async function findMissingParts(
  call: MissingPartContext,
  place: LoginScope,
  requirement: FlowRequirement,
): Promise<string | undefined> {
  const { hasDefaultText = false, setting, templateId } = requirement;
  const template = templateId === undefined && !hasDefaultText ? `set ${setting}` : undefined;
  const sender = await findMissingSender(call, place, requirement);
  return template !== undefined && sender !== undefined ? `${template}, and ${sender}` : (template ?? sender);
}

async function findMissingSender(
  call: MissingPartContext,
  { tenant }: LoginScope,
  requirement: FlowRequirement,
): Promise<string | undefined> {
  const { channel, messengerId, messengerSetting = "", templateId } = requirement;
  if (channel === "text")
    return call.assumesSenders || (await canSendSms(call, messengerId))
      ? undefined
      : `set ${messengerSetting}, or pass the option sendSms`;
  if (!call.assumesSenders && call.service.mail === undefined) return "pass the option mail, which sends mails";
  if (accountSettingsOf(tenant).emailConfiguration.defaultFromEmail) return undefined;
  const template = await findTemplate(call, templateId);
  if (template === undefined || parseRecord<EmailTemplate>(template).fromEmail) return undefined;
  return "set tenant.emailConfiguration.defaultFromEmail, or fromEmail of the template";
}

/** Logs the missing parts of a message that did not leave: once in this process. */
export async function reportMissingPart(call: WriteCall, place: LoginScope, requirement: FlowRequirement): Promise<void> {
  const missing = await findMissingParts(call, place, requirement);
  const key = keyOf(place, requirement);
  if (missing === undefined) return call.tx.afterCommit(() => call.service.warnings.forget(key));
  const { application, tenant } = place;
  const fields = { tenantId: tenant.id, applicationId: application?.id, setting: requirement.setting };
  call.tx.afterCommit(() => call.service.warnings.warn(key, fields, toLine(place, requirement, missing)));
}

function toLine({ application, tenant }: LoginScope, { cause, channel }: FlowRequirement, missing: string): string {
  const ofApplication = cause.startsWith("application.") && application !== undefined;
  const { id, name } = ofApplication ? application : tenant;
  return `No ${channel} leaves for ${cause} of the ${ofApplication ? "application" : "tenant"} ${name} (${id}): ${missing}.`;
}

function keyOf({ application, tenant }: LoginScope, { cause }: FlowRequirement): string {
  return `${cause} ${cause.startsWith("application.") ? application?.id : tenant.id}`;
}

/** Logs the missing parts that the settings of a tenant require: each once in this process, until corrected. */
export async function reportMissingPartsOfTenant(call: WriteCall, tenant: LoginScope["tenant"]): Promise<void> {
  for (const requirement of requirementsOfTenant(tenant))
    await reportMissingPart(call, { tenant, application: undefined }, requirement);
}

/** The same for an application. */
export async function reportMissingPartsOfApplication(call: WriteCall, application: Application): Promise<void> {
  if (!asksForMessages(application)) return;
  const place = { application, tenant: await loadTenant(call, application.tenantId) };
  for (const requirement of requirementsOfApplication(place)) await reportMissingPart(call, place, requirement);
}

// Most require nothing, and need no look-up of their tenant.
function asksForMessages(application: Application): boolean {
  const { emailConfiguration, passwordlessConfiguration, phoneConfiguration, verifyRegistration } = application;
  const names = [...Object.keys(emailConfiguration), ...Object.keys(phoneConfiguration)];
  return verifyRegistration || passwordlessConfiguration.enabled || names.length > 0;
}

/** The missing parts for the settings of all tenants and applications, in the words of the log: each line once. */
export async function listMissingParts(service: ServiceContext, assumesSenders?: boolean): Promise<readonly string[]> {
  const { storage: reader } = service;
  const tenants = (await reader.find(globalScope, tenantsTable, undefined)).map((stored) => parseRecord<Tenant>(stored));
  const lines = new Set<string>();
  const add = async (place: LoginScope, requirements: readonly FlowRequirement[]): Promise<void> => {
    for (const requirement of requirements) {
      const missing = await findMissingParts({ reader, service, assumesSenders }, place, requirement);
      if (missing !== undefined) lines.add(toLine(place, requirement, missing));
    }
  };
  for (const tenant of tenants) {
    await add({ tenant, application: undefined }, requirementsOfTenant(tenant));
    const reading = { table: applicationsTable, filter: allOf(tenant), column: "id", keyOf: ({ id }: StoredRecord) => id };
    for await (const page of pagesOf({ reader, service }, tenantScope(tenant.id), reading))
      for (const application of page.map((stored) => parseRecord<Application>(stored)).filter(asksForMessages))
        await add({ tenant, application }, requirementsOfApplication({ tenant, application }));
  }
  return [...lines];
}

function allOf({ id }: Tenant): Filter {
  return { op: "equals", column: "tenantId", value: id };
}
