import { CanonicalText } from "../../json/canonical-json.js";
import { localesOf } from "../../messages/mail/localized-text.js";
import { mailUser } from "../../messages/mail/mail-user.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import type { MailMessage } from "../../ports/event-transport.js";
import type { UserActionLog } from "../../records/user-action-logs/schema.js";
import type { UserAction } from "../../records/user-actions/schema.js";
import { never, neverText } from "../../shared/never.js";
import { followPrevented } from "./prevented-logins.js";

/** A step in the life of an action. */
export interface ActionStep {
  readonly phase: "start" | "modify" | "cancel" | "end";
  readonly action: UserAction;
  readonly log: UserActionLog;
  readonly tenantId: string;
  /** In the order of the user's preference. */
  readonly languages: readonly string[];
  readonly preventsLogin: boolean;
  readonly isBroadcast: boolean;
  readonly emailUser: boolean;
  readonly notifyUser: boolean;
}

/** Runs the consequences of a step: prevents logins or not, mails the user, and publishes the event. */
export async function followAction(call: WriteCall, step: ActionStep): Promise<void> {
  const { action, log, phase, tenantId } = step;
  if (step.preventsLogin) await followPrevented(call, log, phase === "cancel" || phase === "end");
  const said = toEventFields(call, step);
  const mail = step.emailUser && action.userEmailingEnabled ? await mailStep(call, step, said) : undefined;
  if (!step.isBroadcast) return;
  const email = mail !== undefined && action.includeEmailInEventJSON ? toEmail(mail) : undefined;
  const fields = { ...said, email, emailedUser: mail !== undefined, phase };
  await publishEvent(call, { type: "user.action", tenantId, linkedObjectId: log.actioneeUserId, fields });
}

type Fields = Readonly<Record<string, unknown>>;

function toEventFields(call: WriteCall, { action, languages, log, notifyUser }: ActionStep): Fields {
  const { actioneeUserId, actionerUserId, applicationIds, comment, expiry, id: actionId, name, option } = log;
  const { localizedName: localizedAction, localizedOption, localizedReason, reason, reasonCode } = log;
  return {
    ...{ action: name, actionId, actioneeUserId, actionerUserId, applicationIds, comment, option, reason, reasonCode },
    ...{ localizedAction, localizedOption, localizedReason },
    expiry: expiry === never ? new CanonicalText(neverText) : expiry,
    localizedDuration: showDuration(expiry, call.service.runtime.clock(), languages),
    notifyUser: notifyUser && action.userNotificationsEnabled,
  };
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

function showDuration(expiry: number | undefined, now: number, languages: readonly string[]): string | undefined {
  if (expiry === undefined || expiry === never || expiry <= now) return undefined;
  const [unit, size] = units.find((known) => known[1] <= expiry - now) ?? units[3];
  const locales = [...localesOf(languages).map((locale) => locale.replace("_", "-")), "en"];
  return new Intl.NumberFormat(locales, { style: "unit", unit, unitDisplay: "long" }).format(Math.floor((expiry - now) / size));
}

function toEmail({ bcc, cc, from, html, subject, text, to }: MailMessage): object {
  return { bcc, cc, from, html, subject, text, to: [to] };
}

const templateOf = {
  start: "startEmailTemplateId",
  modify: "modifyEmailTemplateId",
  cancel: "cancelEmailTemplateId",
  end: "endEmailTemplateId",
} as const;

function mailStep(
  call: WriteCall,
  { action, log, phase, tenantId }: ActionStep,
  fields: Fields,
): Promise<MailMessage | undefined> {
  const event = JSON.parse(JSON.stringify({ ...fields, phase, type: "user.action" }));
  const mail = { templateId: action[templateOf[phase]], tenantId, userId: log.actioneeUserId, variables: { event } };
  return mailUser(call, { ...mail, cause: `the action ${log.id}` });
}
