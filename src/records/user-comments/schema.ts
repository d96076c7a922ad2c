import { id, object, requiredText, type Schema } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** What a caller says about a comment (docs/reference/user-actions.md#comments). */
export interface UserCommentFields {
  /** The text. */
  readonly comment: string;
  /** The user who wrote it. */
  readonly commenterId: string;
  /** The user whom it is about. */
  readonly userId: string;
}

/** A comment on a user, on the wire. */
export interface UserComment extends BaseRecord, UserCommentFields {}

/** The body of POST. */
export interface UserCommentRequest {
  /** The comment: all three fields are required. */
  readonly userComment: UserCommentFields;
}

export const userCommentRequest: Schema<UserCommentRequest> = object({
  userComment: object({ comment: requiredText(), commenterId: id(), userId: id() }),
});
