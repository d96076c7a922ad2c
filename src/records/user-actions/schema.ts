import { flag, id, list, localeMap, name, object, option, requiredText, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** A choice of an action, such as the place of a badge. */
export interface UserActionOption {
  /** The name that a new action refers to. */
  readonly name: string;
  /** The name in other languages, by locale. */
  readonly localizedNames: Readonly<Record<string, string>>;
}

/** Writable fields of an action (docs/reference/user-actions.md#actions). */
export interface UserActionFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The template of the mail when an action is canceled. */
  readonly cancelEmailTemplateId?: string | undefined;
  /** The template of the mail when an action ends. */
  readonly endEmailTemplateId?: string | undefined;
  /** Whether events contain the mail to the user. Default false. */
  readonly includeEmailInEventJSON: boolean;
  /** The name in other languages, by locale. */
  readonly localizedNames: Readonly<Record<string, string>>;
  /** The template of the mail when an action is changed. */
  readonly modifyEmailTemplateId?: string | undefined;
  /** The choices of the moderator. Default: none. */
  readonly options: readonly UserActionOption[];
  /** Whether users cannot log in during the action; only for a temporal one. Default false. */
  readonly preventLogin: boolean;
  /** Whether the end of an action publishes `user.action`. Default true. */
  readonly sendEndEvent: boolean;
  /** The template of the mail when an action is taken. */
  readonly startEmailTemplateId?: string | undefined;
  /** Whether the action lasts until an instant. Default false: it is only recorded. */
  readonly temporal: boolean;
  /** Stored and returned only: the event configuration of the tenant determines transactions. */
  readonly transactionType: "None" | "Any" | "SimpleMajority" | "SuperMajority" | "AbsoluteMajority";
  /** Whether actions can mail users. Default false. */
  readonly userEmailingEnabled: boolean;
  /** Whether events can request a notification of the user. Default false. */
  readonly userNotificationsEnabled: boolean;
}

/** A kind of action that moderators take on users, on the wire. */
export interface UserAction extends BaseRecord, UserActionFields {
  /** Whether it is available; DELETE deactivates it. */
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

export type ParsedUserActionRequest = { readonly userAction: UserActionFields };

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
