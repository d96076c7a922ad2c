import type { OperationCall } from "../../operations/operation.js";
import { deviceEvents } from "../../people/users/login-history.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { readLoginReceivers } from "./login-receivers.js";

/**
 * Whether devices are tracked for a login: an event about them has a receiver, a mail about them has a template, or a lambda
 * decides on second factors. The receivers are cached, not read for each login.
 */
export async function isTracked(call: OperationCall, place: LoginScope): Promise<boolean> {
  const { availability, eventSettings } = call.service;
  const { application, tenant } = place;
  const sent = deviceEvents.filter((type) => availability.isSent(type));
  if (sent.length === 0) return false;
  if (hasTemplate(place) || application?.lambdaConfiguration.multiFactorRequirementId !== undefined) return true;
  if (tenant.lambdaConfiguration.multiFactorRequirementId !== undefined) return true;
  const receivers = await eventSettings.findReceivers(async () => readLoginReceivers(call.reader));
  const { events } = tenant.eventConfiguration;
  const isReceived = (type: string): boolean =>
    receivers?.everywhere.has(type) === true || receivers?.byTenant.get(tenant.id)?.has(type) === true;
  return sent.some((type) => events[type]?.enabled !== false && isReceived(type));
}

function hasTemplate({ application, tenant }: LoginScope): boolean {
  return [applicationSettingsOf(application), accountSettingsOf(tenant)].some(
    ({ emailConfiguration: mails }) =>
      mails.loginNewDeviceEmailTemplateId !== undefined || mails.loginSuspiciousEmailTemplateId !== undefined,
  );
}
