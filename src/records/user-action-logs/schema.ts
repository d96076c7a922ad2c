import { expiryInstant, flag, id, idSet, object, type Schema, text, type WithDefaults } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** A step in the history of an action: taken, changed or canceled. */
export interface UserActionHistoryItem {
  /** The acting user; absent if failed logins caused the step. */
  readonly actionerUserId?: string | undefined;
  /** The comment of that user. */
  readonly comment?: string | undefined;
  /** Epoch milliseconds. */
  readonly createInstant: number;
  /** The end of the action after this step. */
  readonly expiry?: number | undefined;
}

/** The texts of an action that users may see. */
export interface UserActionTexts {
  /** The name in the user's most preferred available language. */
  readonly localizedName?: string | undefined;
  /** The option in that language. */
  readonly localizedOption?: string | undefined;
  /** The reason in that language. */
  readonly localizedReason?: string | undefined;
  /** The name of the action. */
  readonly name: string;
  /** The chosen option of the action. */
  readonly option?: string | undefined;
  /** The text of the reason. */
  readonly reason?: string | undefined;
  /** The code of the reason. */
  readonly reasonCode?: string | undefined;
}

/** An action taken on a user, on the wire. */
export interface UserActionLog extends BaseRecord, UserActionTexts {
  /** The user that the action was taken on. */
  readonly actioneeUserId: string;
  /** The user that took it, or last changed it; absent if failed logins caused it. */
  readonly actionerUserId?: string | undefined;
  /** The affected applications; empty for all. */
  readonly applicationIds: readonly string[];
  /** The latest comment. */
  readonly comment?: string | undefined;
  /** Whether to mail the user when it ends. */
  readonly emailUserOnEnd: boolean;
  /** Whether the event of its end was published. */
  readonly endEventSent: boolean;
  /** The end, in epoch milliseconds; 2^63 - 1 for never. Absent for a non-temporal action. */
  readonly expiry?: number | undefined;
  /** The steps, in order. */
  readonly history: {
    /** The newest 1,000 steps. */
    readonly historyItems: readonly UserActionHistoryItem[];
  };
  /** Whether the event of its end requests a notification of the user. */
  readonly notifyUserOnEnd: boolean;
  /** The kind of action. */
  readonly userActionId: string;
}

/** A change or a cancellation of an action. */
export interface UserActionChange {
  /** The acting user; required. */
  readonly actionerUserId: string;
  /** The reason, as free text. */
  readonly comment?: string | undefined;
  /** Whether to mail the user, now and when it ends. Default false. */
  readonly emailUser?: boolean | undefined;
  /** The end, in epoch milliseconds; 2^63 - 1 for never. Required for a temporal action, but not to cancel it. */
  readonly expiry?: number | undefined;
  /** Whether events request a notification of the user. Default false. */
  readonly notifyUser?: boolean | undefined;
}

/** A new action. */
export interface UserActionStart extends UserActionChange {
  /** The user to take it on; required. */
  readonly actioneeUserId: string;
  /** The affected applications. Default: all. */
  readonly applicationIds?: readonly string[] | undefined;
  /** One of the action's options. */
  readonly option?: string | undefined;
  /** A reason from the list of reasons. */
  readonly reasonId?: string | undefined;
  /** The kind of action; required. */
  readonly userActionId: string;
}

/** The publication of an action. */
export interface UserActionBroadcast {
  /** Whether to publish `user.action`. Default false. */
  readonly broadcast?: boolean;
}

/** The body of POST. */
export interface UserActionLogRequest extends UserActionBroadcast {
  /** The new action. */
  readonly action: UserActionStart;
}

/** The body of PUT and DELETE. */
export interface UserActionLogUpdate extends UserActionBroadcast {
  /** The change of the action. */
  readonly action: UserActionChange;
}

/** An action that prevents a login, in the error response. */
export interface LoginPreventingAction extends UserActionTexts {
  /** The id of the action. */
  readonly actionId: string;
  /** The user that took it; absent if failed logins caused it. */
  readonly actionerUserId?: string | undefined;
  /** The end, in epoch milliseconds. */
  readonly expiry?: number | undefined;
}

export interface ParsedUserActionLogRequest extends Required<UserActionBroadcast> {
  /** Callers set `actionerUserId`; the service itself does not. */
  readonly action: WithDefaults<Partial<UserActionStart>, "applicationIds" | "emailUser" | "notifyUser">;
  /** Set by DELETE: the action ends now, without mail and event of its end. */
  readonly isCanceled?: boolean;
  /** Whether failed logins caused it. */
  readonly isForFailedLogins?: boolean;
}

export const userActionLogRequest: Schema<ParsedUserActionLogRequest> = object({
  action: object({
    actioneeUserId: id().optional(),
    actionerUserId: id(),
    applicationIds: idSet().default([]),
    comment: text().optional(),
    emailUser: flag().default(false),
    expiry: expiryInstant().optional(),
    notifyUser: flag().default(false),
    option: text().optional(),
    reasonId: id().optional(),
    userActionId: id().optional(),
  }),
  broadcast: flag().default(false),
});
