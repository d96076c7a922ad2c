import { type Family, toBaseRecord } from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import { userActionReasonFamily } from "../../records/user-action-reasons/family.js";
import type {
  ParsedUserActionReasonRequest,
  UserActionReason,
  UserActionReasonRequest,
} from "../../records/user-action-reasons/schema.js";
import { foldText } from "../../shared/text.js";

/** The family of the reasons for actions (docs/reference/user-actions.md#reasons). */
export const userActionReasons: Family<UserActionReason, ParsedUserActionReasonRequest> = {
  ...userActionReasonFamily,
  rules: {
    toDraft: (_call, { userActionReason }, context) => ({
      record: { ...userActionReason, ...toBaseRecord(context) },
      columns: { codeFolded: foldText(userActionReason.code), textFolded: foldText(userActionReason.text) },
    }),
  },
};

export const example: FamilyExample<UserActionReasonRequest> = ({ number }) => ({
  userActionReason: { code: `R${number}`, text: `Reason ${number}` },
});
