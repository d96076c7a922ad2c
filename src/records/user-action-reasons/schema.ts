import { localeMap, name, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** Writable fields of a reason (docs/reference/user-actions.md#reasons). */
export interface UserActionReasonFields {
  /** A short text for programs; unique in the service, compared without case. */
  readonly code: string;
  /** The text in other languages, by locale. */
  readonly localizedTexts: Readonly<Record<string, string>>;
  /** The reason for people; unique in the service, compared without case. */
  readonly text: string;
}

/** A reason for actions, on the wire. */
export interface UserActionReason extends BaseRecord, UserActionReasonFields {}

/** The body of POST and PUT. */
export interface UserActionReasonRequest {
  /** The fields of the reason; `code` and `text` are required. */
  readonly userActionReason: Partial<UserActionReasonFields> & Pick<UserActionReasonFields, "code" | "text">;
}

export type ParsedUserActionReasonRequest = { readonly userActionReason: UserActionReasonFields };

export const userActionReasonRequest: Schema<ParsedUserActionReasonRequest> = object({
  userActionReason: object({ code: name(), localizedTexts: localeMap(text()).default({}), text: name() }),
});
