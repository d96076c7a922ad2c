import { flag, id, list, localeMap, name, object, option, requiredText, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** One of the choices of an action, such as the place of a badge. */
export interface UserActionOption {
  /** How an action that is taken names it. */
  readonly name: string;
  /** The name in other languages, by locale. */
  readonly localizedNames: Readonly<Record<string, string>>;
}

/** What a caller may say about an action (docs/reference/user-actions.md#actions). */
export interface UserActionFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The template of the mail when an action is canceled. */
  readonly cancelEmailTemplateId?: string | undefined;
  /** The template of the mail when an action ends. */
  readonly endEmailTemplateId?: string | undefined;
  /** Whether events hold the mail to the user. Default false. */
  readonly includeEmailInEventJSON: boolean;
  /** The name in other languages, by locale. */
  readonly localizedNames: Readonly<Record<string, string>>;
  /** The template of the mail when an action is changed. */
  readonly modifyEmailTemplateId?: string | undefined;
  /** What a moderator chooses from when taking the action. Default: nothing. */
  readonly options: readonly UserActionOption[];
  /** Whether users cannot log in while the action lasts; only for a temporal one. Default false. */
  readonly preventLogin: boolean;
  /** Whether the end of an action publishes `user.action`. Default true. */
  readonly sendEndEvent: boolean;
  /** The template of the mail when an action is taken. */
  readonly startEmailTemplateId?: string | undefined;
  /** Whether an action lasts until an instant. Default false: it is only noted. */
  readonly temporal: boolean;
  /** Stored and returned. How receivers are asked, the tenant says. */
  readonly transactionType: "None" | "Any" | "SimpleMajority" | "SuperMajority" | "AbsoluteMajority";
  /** Whether users can be mailed about an action. Default false. */
  readonly userEmailingEnabled: boolean;
  /** Whether events may ask for a notice to the user. Default false. */
  readonly userNotificationsEnabled: boolean;
}

/** A kind of action that moderators take on users, on the wire. */
export interface UserAction extends BaseRecord, UserActionFields {
  /** Whether it can be taken; DELETE makes it inactive. */
  readonly active: boolean;
}

/** The body of POST and PUT. */
export interface UserActionRequest {
  /** The fields of the action; `name` is required. */
  readonly userAction: Partial<Omit<UserActionFields, "options">> &
    Pick<UserActionFields, "name"> & {
      readonly options?: readonly (Pick<UserActionOption, "name"> & Partial<UserActionOption>)[];
    };
}

/** A request whose defaults are filled in. */
export interface ParsedUserActionRequest {
  readonly userAction: UserActionFields;
}

const transactionTypes = ["None", "Any", "SimpleMajority", "SuperMajority", "AbsoluteMajority"] as const;
const localizedNames = localeMap(text()).default({});

export const userActionRequest: Schema<ParsedUserActionRequest> = object({
  userAction: object({
    name: name(),
    cancelEmailTemplateId: id().optional(),
    endEmailTemplateId: id().optional(),
    includeEmailInEventJSON: flag().default(false),
    localizedNames,
    modifyEmailTemplateId: id().optional(),
    options: list(object({ name: requiredText(), localizedNames })).default([]),
    preventLogin: flag().default(false),
    sendEndEvent: flag().default(true),
    startEmailTemplateId: id().optional(),
    temporal: flag().default(false),
    transactionType: option(transactionTypes).default("None"),
    userEmailingEnabled: flag().default(false),
    userNotificationsEnabled: flag().default(false),
  }),
});
