import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { runBulkWrite } from "../../operations/bulk-write.js";
import { audited } from "../../operations/family/audit-change.js";
import { type Change, type Draft, type Family, parseRecord, toBaseRecord } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import {
  assertPrecondition,
  loadRecord,
  presentOne,
  replaceRecord,
  toRecordToStore,
} from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { referencesAt } from "../../operations/references/references.js";
import { removeRecord } from "../../operations/verbs/remove.js";
import { runUpdate } from "../../operations/verbs/update.js";
import type { StoredRecord } from "../../ports/storage.js";
import { userActionFamily, userActionReferences } from "../../records/user-actions/family.js";
import type { ParsedUserActionRequest, UserAction, UserActionRequest } from "../../records/user-actions/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";

/** The family of the actions that moderators take (docs/reference/user-actions.md#actions). */
export const userActions: Family<UserAction, ParsedUserActionRequest> = {
  ...userActionFamily,
  referencesOf: referencesAt("userAction", userActionReferences),
  rules: {
    listFilter: ({ params }) => equalsFilter("active", params.inactive !== "true"),
    toDraft: (_call, { userAction }, context) =>
      toUserActionDraft({ ...userAction, ...toBaseRecord(context), active: context.current?.record.active ?? true }),
    check,
  },
};

function toUserActionDraft(record: UserAction): Draft<UserAction> {
  return { record, columns: { active: record.active, nameFolded: foldText(record.name) } };
}

async function check(_call: WriteCall, { draft }: Change<UserAction, ParsedUserActionRequest>): Promise<void> {
  const { preventLogin, temporal } = draft.record;
  if (preventLogin && !temporal)
    throw fieldError("invalid", "userAction.preventLogin", "Only a temporal action can prevent logins.");
}

async function setActive(call: WriteCall, stored: StoredRecord, active: boolean): Promise<StoredRecord> {
  const draft = toUserActionDraft({ ...parseRecord(stored), active, lastUpdateInstant: call.service.runtime.clock() });
  const record = toRecordToStore(draft, null, stored.version + 1);
  return audited(call, userActions, stored, async () => {
    await replaceRecord(call, userActions, record);
    return record;
  });
}

/** PUT: replaces an action, or with `?reactivate=true` makes an inactive one active again. */
function update(call: OperationCall): Promise<OperationResult> {
  if (call.params.reactivate !== "true") return runUpdate(call, userActions);
  return call.write(async (write) => {
    const stored = await loadRecord(write, userActions);
    await assertPrecondition(write, userActions, stored);
    return presentOne(write, userActions, await setActive(write, stored, true));
  });
}

/** DELETE: makes an action inactive; `hardDelete=true` removes it with all of its logs. */
function remove(call: OperationCall): Promise<OperationResult> {
  return runBulkWrite(call, async (write, noteCount) => {
    const stored = await loadRecord(write, userActions);
    await assertPrecondition(write, userActions, stored);
    if (call.params.hardDelete === "true") await removeRecord(write, userActions, stored, noteCount);
    else await setActive(write, stored, false);
    return emptyResult;
  });
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = { update, remove };

export const example: FamilyExample<UserActionRequest> = ({ number }) => ({ userAction: { name: `Action ${number}` } });
