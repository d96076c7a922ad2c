import { expiryInstant, flag, id, idSet, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** One step in the life of an action: that it was taken, changed or canceled. */
export interface UserActionHistoryItem {
  /** Who did it; absent where failed logins led to it. */
  readonly actionerUserId?: string | undefined;
  /** Why, in the words of that user. */
  readonly comment?: string | undefined;
  /** When, in epoch milliseconds. */
  readonly createInstant: number;
  /** Until when the action lasted from then on. */
  readonly expiry?: number | undefined;
}

/** The texts of an action, which users may see. */
export interface UserActionTexts {
  /** The name in the first of the user's languages that it has. */
  readonly localizedName?: string | undefined;
  /** The same of the option. */
  readonly localizedOption?: string | undefined;
  /** The same of the reason. */
  readonly localizedReason?: string | undefined;
  /** The name of the action. */
  readonly name: string;
  /** What was chosen of the action's options. */
  readonly option?: string | undefined;
  /** The text of the reason. */
  readonly reason?: string | undefined;
  /** The code of the reason. */
  readonly reasonCode?: string | undefined;
}

/** An action that was taken on a user, on the wire. */
export interface UserActionLog extends BaseRecord, UserActionTexts {
  /** Whom it was taken on. */
  readonly actioneeUserId: string;
  /** Who took it, or changed it last; absent where failed logins led to it. */
  readonly actionerUserId?: string | undefined;
  /** The applications that it is about; empty for all. */
  readonly applicationIds: readonly string[];
  /** What was said last. */
  readonly comment?: string | undefined;
  /** Whether the user is mailed when it ends. */
  readonly emailUserOnEnd: boolean;
  /** Whether the event of its end was published. */
  readonly endEventSent: boolean;
  /** When it ends or ended, in epoch milliseconds; 2^63 - 1 for never. Absent for one that is not temporal. */
  readonly expiry?: number | undefined;
  /** What was done, in its order. */
  readonly history: {
    /** The newest 1,000 steps. */
    readonly historyItems: readonly UserActionHistoryItem[];
  };
  /** Whether the event of its end asks for a notice to the user. */
  readonly notifyUserOnEnd: boolean;
  /** The action. */
  readonly userActionId: string;
}

/** What a change or a cancellation of an action says. */
export interface UserActionChange {
  /** Who does it; required. */
  readonly actionerUserId: string;
  /** Why. */
  readonly comment?: string | undefined;
  /** Whether the user is mailed, now and when it ends. Default false. */
  readonly emailUser?: boolean | undefined;
  /** When it ends, in epoch milliseconds; 2^63 - 1 for never. Required for a temporal action, but not to cancel it. */
  readonly expiry?: number | undefined;
  /** Whether events ask for a notice to the user. Default false. */
  readonly notifyUser?: boolean | undefined;
}

/** What the start of an action says. */
export interface UserActionStart extends UserActionChange {
  /** The user whom it is taken on; required. */
  readonly actioneeUserId: string;
  /** The applications that it is about. Default: all. */
  readonly applicationIds?: readonly string[] | undefined;
  /** One of the action's options. */
  readonly option?: string | undefined;
  /** Why it is taken: one of the reasons. */
  readonly reasonId?: string | undefined;
  /** The action; required. */
  readonly userActionId: string;
}

/** Whether others hear of it. */
export interface UserActionBroadcast {
  /** Whether `user.action` is published. Default false. */
  readonly broadcast?: boolean;
}

/** The body of POST. */
export interface UserActionLogRequest extends UserActionBroadcast {
  /** What is done to whom. */
  readonly action: UserActionStart;
}

/** The body of PUT and DELETE. */
export interface UserActionLogUpdate extends UserActionBroadcast {
  /** What changes. */
  readonly action: UserActionChange;
}

/** An action that prevents a login, as the refusal shows it. */
export interface LoginPreventingAction extends UserActionTexts {
  /** The action that was taken. */
  readonly actionId: string;
  /** Who took it; absent where failed logins led to it. */
  readonly actionerUserId?: string | undefined;
  /** When it ends. */
  readonly expiry?: number | undefined;
}

/** A request whose defaults are filled in. */
export interface ParsedUserActionLogRequest {
  /** Callers name the `actionerUserId`; the service itself does not. */
  readonly action: Partial<UserActionStart> & {
    readonly applicationIds: readonly string[];
    readonly emailUser: boolean;
    readonly notifyUser: boolean;
  };
  readonly broadcast: boolean;
  /** Made by DELETE: the action ends now, and nothing follows. */
  readonly isCanceled?: boolean;
  /** Whether failed logins led to it. */
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
