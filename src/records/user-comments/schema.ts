import { id, object, requiredText, type Schema } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** Writable fields of a comment (docs/reference/user-actions.md#comments). */
export interface UserCommentFields {
  /** The text. */
  readonly comment: string;
  /** The author. */
  readonly commenterId: string;
  /** The subject of the comment. */
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
