import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { localesOf } from "../../messages/mail/localized-text.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseHidden,
  parseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import {
  assertPrecondition,
  loadRecord,
  parseRequest,
  requireId,
  toRecordToStore,
} from "../../operations/family/record-steps.js";
import { directoryContext, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { findTenantOfUsers } from "../../operations/references/references.js";
import { changeRecord } from "../../operations/verbs/update.js";
import type { DirectoryUser } from "../../ports/directory.js";
import { type Filter, globalScope, type Table } from "../../ports/storage.js";
import { isDueAt, lastsAt, userActionLogFamily, userActionLogsTable } from "../../records/user-action-logs/family.js";
import type {
  ParsedUserActionLogRequest,
  UserActionHistoryItem,
  UserActionLog,
  UserActionLogRequest,
  UserActionTexts,
} from "../../records/user-action-logs/schema.js";
import { userActionReasonsTable } from "../../records/user-action-reasons/family.js";
import type { UserActionReason } from "../../records/user-action-reasons/schema.js";
import { userActionsTable } from "../../records/user-actions/family.js";
import type { UserAction } from "../../records/user-actions/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { showNever } from "../../shared/never.js";
import { type ActionStep, followAction } from "./follow-action.js";

/** The family of actions that are taken on users (docs/reference/user-actions.md#taking-actions). */
export const userActionLogs: Family<UserActionLog, ParsedUserActionLogRequest> = {
  ...userActionLogFamily,
  rules: {
    listFilter,
    tenantOf,
    toDraft,
    afterWrite,
    present: (_call, records) => records.map(({ json }) => showNever(json)),
  },
};

/** `preventsLogin` is the setting of the action at the time when it was taken. */
export interface HiddenLog {
  readonly isForFailedLogins?: boolean | undefined;
  readonly preventsLogin: boolean;
}

function listFilter(call: OperationCall): Filter {
  const { active, preventingLogin } = call.params;
  const lasts = lastsAt(call.service.runtime.clock());
  const filters: Filter[] = [equalsFilter("userId", requireId(call, "userId"))];
  if (active === "true" || preventingLogin === "true") filters.push(lasts);
  if (active === "false") filters.push({ op: "not", filter: lasts });
  if (preventingLogin === "true") filters.push(equalsFilter("preventsLogin", true));
  return { op: "and", filters };
}

async function tenantOf(call: WriteCall, { action }: ParsedUserActionLogRequest): Promise<string> {
  const { actioneeUserId = "", actionerUserId, userActionId } = action;
  const errors = new FieldErrorList();
  for (const [name, id] of Object.entries({ actioneeUserId, userActionId })) if (!id) errors.add("missing", `action.${name}`);
  errors.throwIfAny();
  // An administrator of another tenant may take it.
  const named = { wrapper: "action", ids: { actioneeUserId, ...nameActioner(actionerUserId) }, mayBeOthers: true };
  const tenantId = await findTenantOfUsers(call, named, errors);
  errors.throwIfAny();
  return tenantId;
}

// The service itself has no user id.
function nameActioner(actionerUserId: string | undefined): Readonly<Record<string, string>> {
  return actionerUserId === undefined ? {} : { actionerUserId };
}

function toDraft(
  call: WriteCall,
  request: ParsedUserActionLogRequest,
  context: DraftContext<UserActionLog>,
): Promise<Draft<UserActionLog>> {
  return context.current === undefined ? startAction(call, request, context) : changeAction(call, request, context);
}

async function startAction(
  call: WriteCall,
  { action, isForFailedLogins }: ParsedUserActionLogRequest,
  { id, now, tenantId = "" }: DraftContext<UserActionLog>,
): Promise<Draft<UserActionLog>> {
  const { actioneeUserId = "", actionerUserId, applicationIds, comment, emailUser, expiry, notifyUser, option } = action;
  const errors = new FieldErrorList();
  const known = await loadNamed<UserAction>(call, userActionsTable, action.userActionId);
  if (known?.active !== true) errors.add("invalid", "action.userActionId");
  const reason = await loadNamed<UserActionReason>(call, userActionReasonsTable, action.reasonId);
  if (action.reasonId !== undefined && reason === undefined) errors.add("invalid", "action.reasonId");
  const chosen = known?.options.find(({ name }) => name === option);
  if (option !== undefined && chosen === undefined) errors.add("invalid", "action.option");
  if (known?.temporal === true) checkExpiry(expiry, now, errors);
  if (!(await hasApplications(call, tenantId, applicationIds))) errors.add("invalid", "action.applicationIds");
  errors.throwIfAny();
  const { id: userActionId = "", localizedNames = {}, name = "", preventLogin = false, temporal = false } = known ?? {};
  const locales = localesOf(languagesOf(await findUser(call, actioneeUserId)));
  const texts: UserActionTexts = {
    localizedName: localize(locales, localizedNames),
    localizedOption: localize(locales, chosen?.localizedNames),
    localizedReason: localize(locales, reason?.localizedTexts),
    ...{ name, option, reason: reason?.text, reasonCode: reason?.code },
  };
  const who = { actioneeUserId, actionerUserId, applicationIds, comment, userActionId };
  const end = { emailUserOnEnd: temporal && emailUser, endEventSent: false, notifyUserOnEnd: temporal && notifyUser };
  const record = {
    ...who,
    ...texts,
    ...end,
    id,
    insertInstant: now,
    lastUpdateInstant: now,
    expiry: temporal ? expiry : undefined,
  };
  return toLogDraft(
    { ...record, history: { historyItems: [toItem(record)] } },
    { isForFailedLogins, preventsLogin: preventLogin },
  );
}

async function changeAction(
  call: WriteCall,
  { action, isCanceled = false }: ParsedUserActionLogRequest,
  { now, current }: DraftContext<UserActionLog>,
): Promise<Draft<UserActionLog>> {
  const { record: before, hidden } = current ?? {};
  if (before?.expiry === undefined || before.expiry <= now)
    throw fieldError("invalid", "actionId", "Only a temporal action that has not ended can be changed.");
  const { actionerUserId, comment = before.comment, emailUser, notifyUser } = action;
  const errors = new FieldErrorList();
  await findTenantOfUsers(call, { wrapper: "action", ids: nameActioner(actionerUserId) }, errors);
  if (!isCanceled) checkExpiry(action.expiry, now, errors);
  errors.throwIfAny();
  const expiry = isCanceled ? now : action.expiry;
  const end = { emailUserOnEnd: emailUser, notifyUserOnEnd: notifyUser };
  const record = { ...before, ...end, actionerUserId, comment, expiry, lastUpdateInstant: now };
  const item = toItem({ ...record, comment: action.comment });
  const history = { historyItems: newestItems([...before.history.historyItems, item], call.service.maxBodyBytes) };
  return toLogDraft({ ...record, history }, hidden ? parseHidden<HiddenLog>({ hidden }) : undefined, isCanceled);
}

const maxItems = 1_000;

// The newest ones, together at most as long as a body, to limit the record.
function newestItems(items: readonly UserActionHistoryItem[], maxBytes: number): readonly UserActionHistoryItem[] {
  let [start, bytes] = [items.length, 0];
  for (const item of items.slice(-maxItems).reverse()) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > maxBytes && start < items.length) break;
    start--;
  }
  return items.slice(start);
}

function toItem(log: Omit<UserActionLog, "history">): UserActionHistoryItem {
  const { actionerUserId, comment, expiry, lastUpdateInstant: createInstant } = log;
  return { actionerUserId, comment, createInstant, expiry };
}

function toLogDraft(record: UserActionLog, hidden: HiddenLog = { preventsLogin: false }, hasEnded = false): Draft<UserActionLog> {
  const { actioneeUserId: userId, expiry = 0, userActionId } = record;
  const { preventsLogin } = hidden;
  return { record, hidden: { ...hidden }, columns: { endInstant: hasEnded ? 0 : expiry, preventsLogin, userActionId, userId } };
}

function checkExpiry(expiry: number | undefined, now: number, errors: FieldErrorList): void {
  if (expiry === undefined) errors.add("missing", "action.expiry");
  else if (expiry <= now) errors.add("invalid", "action.expiry");
}

async function hasApplications(call: WriteCall, tenantId: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const found = await call.service.directory.findApplications(directoryContext(call), ids);
  const known = new Set(found.filter((one) => one.tenantId === tenantId).map(({ id }) => id));
  return ids.every((id) => known.has(id));
}

async function loadNamed<Wire>(call: WriteCall, table: Table, id: string | undefined): Promise<Wire | undefined> {
  const stored = id === undefined ? undefined : await call.reader.retrieve(globalScope, table, id);
  return stored && parseRecord<Wire>(stored);
}

async function findUser(call: WriteCall, id: string): Promise<DirectoryUser | undefined> {
  return (await call.service.directory.findUsers(directoryContext(call), [id]))[0];
}

function languagesOf(user: DirectoryUser | undefined): readonly string[] {
  const languages = user?.preferredLanguages;
  return Array.isArray(languages) ? languages.filter((one) => typeof one === "string") : [];
}

function localize(locales: readonly string[], texts: Readonly<Record<string, string>> = {}): string | undefined {
  const locale = locales.find((known) => Object.hasOwn(texts, known));
  return locale === undefined ? undefined : texts[locale];
}

async function afterWrite(call: WriteCall, change: Change<UserActionLog, ParsedUserActionLogRequest>): Promise<void> {
  const { draft, original, request } = change;
  const { action, broadcast: isBroadcast, isCanceled = false } = request;
  const { emailUser, notifyUser } = action;
  const phase = original === undefined ? "start" : isCanceled ? "cancel" : "modify";
  await follow(call, draft, { phase, isBroadcast, emailUser, notifyUser });
}

type Kind = Pick<ActionStep, "emailUser" | "isBroadcast" | "notifyUser" | "phase">;

async function follow(call: WriteCall, { columns, record: log }: Draft<UserActionLog>, kind: Kind): Promise<void> {
  const action = await loadNamed<UserAction>(call, userActionsTable, log.userActionId);
  const user = await findUser(call, log.actioneeUserId);
  if (action === undefined || user === undefined) return;
  const preventsLogin = columns.preventsLogin === true;
  await followAction(call, { ...kind, action, languages: languagesOf(user), log, preventsLogin, tenantId: user.tenantId });
}

/** DELETE: cancels a temporal action, which ends now. */
async function cancel(call: OperationCall): Promise<OperationResult> {
  await loadRecord(call, userActionLogs);
  const request = await parseRequest(call, userActionLogs, call.body);
  return call.write(async (write) => {
    const stored = await loadRecord(write, userActionLogs);
    await assertPrecondition(write, userActionLogs, stored);
    return changeRecord(write, userActionLogs, stored, { ...request, isCanceled: true });
  });
}

/** Ends an action that has reached its end, unless another process has ended it. */
export async function endAction(call: WriteCall, id: string): Promise<void> {
  const filter: Filter = { op: "and", filters: [equalsFilter("id", id), isDueAt(call.service.runtime.clock())] };
  const [stored] = await call.tx.find(globalScope, userActionLogsTable, filter);
  if (stored === undefined) return;
  const log = parseRecord<UserActionLog>(stored);
  const action = await loadNamed<UserAction>(call, userActionsTable, log.userActionId);
  const isBroadcast = action?.sendEndEvent === true;
  const lastUpdateInstant = call.service.runtime.clock();
  const draft = toLogDraft({ ...log, endEventSent: isBroadcast, lastUpdateInstant }, parseHidden<HiddenLog>(stored), true);
  await call.tx.update(globalScope, userActionLogsTable, toRecordToStore(draft, stored.tenantId, stored.version + 1));
  const { emailUserOnEnd: emailUser, notifyUserOnEnd: notifyUser } = log;
  await follow(call, draft, { phase: "end", isBroadcast, emailUser, notifyUser });
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = { remove: cancel };

export const example: FamilyExample<UserActionLogRequest> = async ({ idAt }) => {
  const userId = await idAt("action.actioneeUserId", "users");
  const userActionId = await idAt("action.userActionId", "userActions");
  return { action: { actioneeUserId: userId, actionerUserId: userId, userActionId } };
};
