import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { createRecord } from "../../operations/verbs/create.js";
import { changeRecord } from "../../operations/verbs/update.js";
import { type Filter, globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { FailedLoginSettings } from "../../records/settings/tenant-settings.js";
import { lastsAt, userActionLogsTable } from "../../records/user-action-logs/family.js";
import { userActionsTable } from "../../records/user-actions/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { never } from "../../shared/never.js";
import { type HiddenLog, userActionLogs } from "./rules.js";

/** Takes the tenant's action on a user whose logins failed too often, unless it is already in force. */
export async function startFailedLoginAction(
  call: WriteCall,
  settings: FailedLoginSettings,
  { id, tenantId }: StoredRecord,
): Promise<void> {
  const { actionDuration, actionDurationUnit, emailUser, userActionId = "" } = settings;
  const stored = await call.reader.retrieve(globalScope, userActionsTable, userActionId);
  // An administrator may have made it inactive.
  if (stored === undefined || !parseRecord<{ readonly active: boolean }>(stored).active) return;
  if (
    (await findActive(call, id)).some((log) => parseRecord<{ readonly userActionId: string }>(log).userActionId === userActionId)
  )
    return;
  const { clock, newId } = call.service.runtime;
  const expiry = addDuration(clock(), actionDuration, actionDurationUnit);
  const action = { actioneeUserId: id, applicationIds: [], emailUser, expiry, notifyUser: false, userActionId };
  const within = { ...call, scope: tenantScope(tenantId ?? "") };
  await createRecord(within, userActionLogs, { action, broadcast: true, isForFailedLogins: true }, newId());
}

/** Ends the actions that failed logins caused, where the tenant wants that after a password reset. */
export async function cancelFailedLoginActions(
  call: WriteCall,
  { actionCancelPolicy, emailUser }: FailedLoginSettings,
  user: StoredRecord,
): Promise<void> {
  if (!actionCancelPolicy.onPasswordReset) return;
  const within = { ...call, scope: tenantScope(user.tenantId ?? "") };
  const action = { applicationIds: [], emailUser, notifyUser: false };
  for (const log of await findActive(call, user.id))
    await changeRecord(within, userActionLogs, log, { action, broadcast: true, isCanceled: true });
}

async function findActive(call: WriteCall, userId: string): Promise<readonly StoredRecord[]> {
  const filter: Filter = { op: "and", filters: [equalsFilter("userId", userId), lastsAt(call.service.runtime.clock())] };
  const lasting = await call.reader.find(globalScope, userActionLogsTable, filter);
  return lasting.filter((log) => parseHidden<HiddenLog>(log)?.isForFailedLogins === true);
}

const minute = 60_000;
const lengths = { MINUTES: minute, HOURS: 60 * minute, DAYS: 1_440 * minute, WEEKS: 10_080 * minute } as const;

/** The end of a duration by the UTC calendar; never, beyond the range of the calendar. */
function addDuration(start: number, count: number, unit: FailedLoginSettings["actionDurationUnit"]): number {
  const date = new Date(start);
  if (unit === "MONTHS" || unit === "YEARS") {
    const day = date.getUTCDate();
    date.setUTCMonth(date.getUTCMonth() + (unit === "MONTHS" ? count : 12 * count));
    // A month after 31 January is the last day of February, not a day in March.
    if (date.getUTCDate() !== day) date.setUTCDate(0);
  } else date.setTime(start + count * lengths[unit]);
  return Number.isNaN(date.getTime()) ? never : date.getTime();
}
