import { generalError, IdentityError } from "../../errors/identity-error.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type StoredRecord } from "../../ports/storage.js";
import { lastsAt, userActionLogsTable } from "../../records/user-action-logs/family.js";
import type { LoginPreventingAction, UserActionLog } from "../../records/user-action-logs/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";

type Reading = Pick<OperationCall, "reader"> & { readonly service: Pick<ServiceContext, "runtime"> };

/** The actions that currently prevent logins of a user. */
export async function findPreventing(call: Reading, userId: string): Promise<readonly StoredRecord[]> {
  const ofUser = [equalsFilter("userId", userId), equalsFilter("preventsLogin", true)];
  const filter: Filter = { op: "and", filters: [...ofUser, lastsAt(call.service.runtime.clock())] };
  return call.reader.find(globalScope, userActionLogsTable, filter);
}

/**
 * @throws IdentityError 409 with the actions that prevent a login to the application; without one, those for all applications.
 * 423 with `retry-after` if failed logins caused all of them.
 */
export async function checkPrevented(call: Reading, userId: string, applicationId = ""): Promise<void> {
  const isAbout = (log: StoredRecord): boolean => {
    const { applicationIds } = parseRecord<UserActionLog>(log);
    return applicationIds.length === 0 || applicationIds.includes(applicationId);
  };
  const preventing = (await findPreventing(call, userId)).filter(isAbout);
  const actions = preventing.map((log) => toPreventing(parseRecord<UserActionLog>(log)));
  if (actions.length === 0) return;
  if (preventing.every(isForFailedLogins)) throw toLocked(actions, call.service.runtime.clock());
  const { generalErrors, status } = generalError("loginPrevented");
  throw new IdentityError(status, { generalErrors: generalErrors.map((entry) => ({ ...entry, data: { actions } })) });
}

function isForFailedLogins(log: StoredRecord): boolean {
  return parseHidden<{ readonly isForFailedLogins?: boolean }>(log)?.isForFailedLogins === true;
}

/** Beyond this, `retry-after` is not sent. */
const maxRetryMs = 366 * 86_400_000;

// The same status as the throttle's.
function toLocked(actions: readonly LoginPreventingAction[], now: number): IdentityError {
  const waitMs = actions.reduce((latest, { expiry = 0 }) => Math.max(latest, expiry - now), 0);
  const headers = waitMs > maxRetryMs ? {} : { headers: { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1_000))) } };
  const { generalErrors, status } = generalError("locked");
  return new IdentityError(status, { generalErrors: generalErrors.map((entry) => ({ ...entry, data: { actions } })) }, headers);
}

function toPreventing(log: UserActionLog): LoginPreventingAction {
  const { actionerUserId, expiry, id: actionId, localizedName, localizedOption, localizedReason } = log;
  const { name, option, reason, reasonCode } = log;
  const texts = { localizedName, localizedOption, localizedReason, name, option, reason, reasonCode };
  return { actionId, actionerUserId, expiry, ...texts };
}
