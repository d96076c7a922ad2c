import { FieldErrorList } from "../../errors/identity-error.js";
import type { Family } from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import { requireId } from "../../operations/family/record-steps.js";
import { findTenantOfUsers } from "../../operations/references/references.js";
import { userCommentFamily } from "../../records/user-comments/family.js";
import type { UserComment, UserCommentRequest } from "../../records/user-comments/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";

/** The family of comments on users (docs/reference/user-actions.md#comments). */
export const userComments: Family<UserComment, UserCommentRequest> = {
  ...userCommentFamily,
  rules: {
    listFilter: (call) => equalsFilter("userId", requireId(call, "userId")),
    tenantOf: async (call, { userComment: { commenterId, userId } }) => {
      const errors = new FieldErrorList();
      const named = { wrapper: "userComment", ids: { userId, commenterId }, mayBeOthers: true };
      const tenantId = await findTenantOfUsers(call, named, errors);
      errors.throwIfAny();
      return tenantId;
    },
    toDraft: (_call, { userComment }, { id, now }) => ({
      record: { ...userComment, id, insertInstant: now, lastUpdateInstant: now },
      columns: {
        commenterId: userComment.commenterId,
        commentFolded: foldText(userComment.comment),
        userId: userComment.userId,
      },
    }),
  },
};

export const example: FamilyExample<UserCommentRequest> = async ({ idAt, number }) => {
  const userId = await idAt("userComment.userId", "users");
  return { userComment: { comment: `Comment ${number}`, commenterId: userId, userId } };
};
