import { generalError, IdentityError } from "../../errors/identity-error.js";
import { CanonicalText } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type StoredRecord } from "../../ports/storage.js";
import { lastsAt, userActionLogsTable } from "../../resources/user-action-logs/family.js";
import type { LoginPreventingAction, UserActionLog } from "../../resources/user-action-logs/schema.js";
import { usersTable } from "../../resources/users/family.js";
import { saveUser } from "../../resources/users/rules.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { presentUser } from "../login/present-user.js";
import { endGrants } from "../sessions/end-sessions.js";
import { revokeTokens } from "../sessions/revoke-tokens.js";
import { endProofs, proofEndsOf } from "../validity/proof.js";

type Reading = Pick<OperationCall, "reader"> & { readonly service: Pick<ServiceContext, "runtime"> };

async function findPreventing(call: Reading, userId: string): Promise<readonly StoredRecord[]> {
  const ofUser = [equalsFilter("userId", userId), equalsFilter("preventsLogin", true)];
  const filter: Filter = { op: "and", filters: [...ofUser, lastsAt(call.service.runtime.clock())] };
  return call.reader.find(globalScope, userActionLogsTable, filter);
}

/**
 * @throws IdentityError 409 with the actions that prevent a login to the application; to none, those that are about all. 423 with
 * `retry-after` where failed logins led to all of them.
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

/** A longer time is none to wait for. */
const maxRetryMs = 366 * 86_400_000;

// As where the throttle refuses.
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

/**
 * Notes in the user's own record until when actions prevent logins: a login reads nothing else while none does. With `endsSessions`, what the
 * user proved before counts no more, also once the action is over. Returns the user.
 */
async function recordEnd(call: WriteCall, userId: string, endsSessions: boolean): Promise<StoredRecord | undefined> {
  const user = await call.tx.retrieve(globalScope, usersTable, userId);
  const ends = (await findPreventing(call, userId)).map((log) => parseRecord<UserActionLog>(log).expiry ?? 0);
  const loginPreventedUntil = ends.toSorted((a, b) => b - a)[0];
  if (user === undefined) return undefined;
  const ended = endsSessions && { proofEnds: endProofs(proofEndsOf(user), ["sessions"], call.service.runtime.clock()) };
  return saveUser(call, user, {}, { loginPreventedUntil, ...ended });
}

/** Follows a change of an action that prevents logins. Sessions end with the right to begin one, unless it is the action that ended. */
export async function followPrevented(call: WriteCall, log: UserActionLog, hasEnded: boolean): Promise<void> {
  const { actioneeUserId: userId, applicationIds } = log;
  const stored = await recordEnd(call, userId, !hasEnded && applicationIds.length === 0);
  if (stored === undefined || hasEnded) return;
  const own = equalsFilter("userId", userId);
  const named = { op: "in", column: "applicationId", values: applicationIds } as const;
  const filter = applicationIds.length === 0 ? own : ({ op: "and", filters: [own, named] } as const);
  const user = new CanonicalText(await presentUser(call, stored));
  const tenantId = stored.tenantId ?? "";
  await revokeTokens(call, { tenantId, filter, fields: { user, userId } });
  await endGrants(call, { tenantId, userId, applicationIds: applicationIds.length === 0 ? undefined : applicationIds });
}
