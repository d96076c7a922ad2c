import type { AuditLog } from "../../records/audit-logs/schema.js";
import type { Entity } from "../../records/entities/schema.js";
import type { EventLog } from "../../records/event-logs/schema.js";
import type { TwoFactorMethod } from "../../records/factors/two-factor-state.js";
import type { GroupMember } from "../../records/group-members/schema.js";
import type { Group } from "../../records/groups/schema.js";
import type { RefreshToken } from "../../records/refresh-tokens/schema.js";
import type { Registration, User } from "../../records/users/schema.js";

/** A user in an event: a host may have fewer members of its own users than the wire of this service. Never with a password. */
export type EventUser = Partial<User> & Pick<User, "id">;

/** A registration in an event. */
export type EventRegistration = Partial<Registration> & Pick<Registration, "applicationId">;

/** A group in an event. */
export type EventGroup = Partial<Group> & Pick<Group, "id">;

/** An entity in an event: without its secret. */
export type EventEntity = Partial<Omit<Entity, "clientSecret">> & Pick<Entity, "id">;

interface OfUser {
  readonly user: EventUser;
}

interface OfGroup {
  readonly group: EventGroup;
}

interface OfMembers extends OfGroup {
  /** Only those that changed. */
  readonly members: readonly (Partial<GroupMember> & Pick<GroupMember, "userId">)[];
}

interface OfRegistration extends OfUser {
  readonly applicationId: string;
  readonly registration: EventRegistration;
}

interface OfLogin extends OfUser {
  readonly applicationId?: string | undefined;
  readonly authenticationType: string;
  readonly connectorId?: string | undefined;
  readonly identityProviderId?: string | undefined;
  readonly identityProviderName?: string | undefined;
  readonly ipAddress?: string | undefined;
}

interface OfSecondFactor extends OfUser {
  readonly applicationId?: string | undefined;
  readonly ipAddress?: string | undefined;
}

interface OfLink extends OfUser {
  readonly identityProviderLink: Readonly<Record<string, unknown>>;
}

interface OfDuplicate extends OfUser {
  readonly duplicateEmail?: string | undefined;
  readonly duplicateIdentities: readonly { readonly type: string; readonly value: string }[];
  readonly duplicatePhoneNumber?: string | undefined;
  readonly duplicateUsername?: string | undefined;
  /** The user with the login id. */
  readonly existing: EventUser;
}

interface OfMethod extends OfUser {
  readonly method: Partial<TwoFactorMethod> & Readonly<Record<"id" | "method", string>>;
}

interface OfAction {
  readonly action: string;
  readonly actionId: string;
  readonly actioneeUserId: string;
  readonly actionerUserId?: string | undefined;
  readonly applicationIds?: readonly string[] | undefined;
  readonly comment?: string | undefined;
  readonly email?: Readonly<Record<string, unknown>> | undefined;
  readonly emailedUser?: boolean | undefined;
  readonly expiry?: number | undefined;
  readonly localizedAction?: string | undefined;
  readonly localizedDuration?: string | undefined;
  readonly localizedOption?: string | undefined;
  readonly localizedReason?: string | undefined;
  readonly notifyUser?: boolean | undefined;
  readonly option?: string | undefined;
  readonly phase: "start" | "modify" | "cancel" | "end";
  readonly reason?: string | undefined;
  readonly reasonCode?: string | undefined;
}

/**
 * The members of each event type beside its envelope (docs/reference/events.md#event-types). Instants are epoch milliseconds. The
 * `.complete` twins have the same members and are sent along.
 */
export interface EventShapes {
  /** An entry of the audit log was created; an event of the instance. */
  readonly "audit-log.create": { readonly auditLog: Partial<AuditLog> & Pick<AuditLog, "message"> };
  /** An entity was created. Since 1.69.0. */
  readonly "entity.create": { readonly entity: EventEntity };
  /** An entity was removed. Since 1.69.0. */
  readonly "entity.delete": { readonly entity: EventEntity };
  /** An entity changed; `original` is the version before. Since 1.69.0. */
  readonly "entity.update": { readonly entity: EventEntity; readonly original: EventEntity };
  /** An entry of the event log was created; an event of the instance. */
  readonly "event-log.create": { readonly eventLog: EventLog };
  /** A group was created. */
  readonly "group.create": OfGroup;
  /** A group was removed. */
  readonly "group.delete": OfGroup;
  /** Users became members of a group: at most 1,000 in one event. */
  readonly "group.member.add": OfMembers;
  /** Users left a group: at most 1,000 in one event. */
  readonly "group.member.remove": OfMembers;
  /** Memberships of a group changed, such as their `data`: at most 1,000 in one event. */
  readonly "group.member.update": OfMembers;
  /** A group changed; `original` is the version before. */
  readonly "group.update": OfGroup & { readonly original: EventGroup };
  /** These applications sign tokens with another key. */
  readonly "jwt.public-key.update": { readonly applicationIds: readonly string[] };
  /** A refresh token gave a new access token. Tokens come without their signature; `refreshToken` is its id. */
  readonly "jwt.refresh": {
    readonly applicationId?: string | undefined;
    /** The access token that the new one replaces. */
    readonly original?: string | undefined;
    readonly refreshToken: string;
    readonly token: string;
    readonly userId: string;
  };
  /** Refresh tokens were revoked: one, all of a user, or all of an application. */
  readonly "jwt.refresh-token.revoke": {
    readonly applicationId?: string | undefined;
    readonly applicationTimeToLiveInSeconds: Readonly<Record<string, number>>;
    readonly refreshToken?: RefreshToken | undefined;
    readonly user?: EventUser | undefined;
    readonly userId?: string | undefined;
  };
  /** A kickstart ended; an event of the instance. */
  readonly "kickstart.success": { readonly instanceId: string };
  /** A moderator acted on a user, such as with a ban. */
  readonly "user.action": OfAction;
  /** Many users were created at once. Only hosts publish it. */
  readonly "user.bulk.create": { readonly users: readonly EventUser[] };
  /** A user was created. */
  readonly "user.create": OfUser;
  /** A user was deactivated. */
  readonly "user.deactivate": OfUser;
  /** A user was removed. */
  readonly "user.delete": OfUser;
  /** The email address of a user changed. */
  readonly "user.email.update": OfUser & { readonly previousEmail: string };
  /** A user verified an email address. */
  readonly "user.email.verified": OfUser;
  /** A user was linked to an account at an identity provider. */
  readonly "user.identity-provider.link": OfLink;
  /** A link to an account at an identity provider was removed. */
  readonly "user.identity-provider.unlink": OfLink;
  /** An email address, username or phone number of a user changed: one event for each. */
  readonly "user.identity.update": OfUser & {
    readonly loginIdType: string;
    readonly newLoginId?: string | undefined;
    readonly previousLoginId?: string | undefined;
  };
  /** A user verified a login id. */
  readonly "user.identity.verified": OfUser & { readonly loginId: string; readonly loginIdType: string };
  /** A login was refused; without `user` for an unknown login id. */
  readonly "user.login.failed": Partial<OfUser> & {
    readonly applicationId?: string | undefined;
    readonly authenticationType: string;
    readonly ipAddress?: string | undefined;
    readonly reason?: { readonly code: string; readonly lambdaId?: string; readonly lambdaResult?: unknown } | undefined;
  };
  /** A user logged in from a device for the first time. Only hosts publish it. */
  readonly "user.login.new-device": OfLogin;
  /** A user logged in. */
  readonly "user.login.success": OfLogin;
  /** A login looked suspicious, for example to an `MFARequirement` lambda. */
  readonly "user.login.suspicious": OfLogin & { readonly threatsDetected: readonly string[] };
  /** A new user was refused because `existing` has the login id. */
  readonly "user.loginId.duplicate.create": OfDuplicate;
  /** A change of a user was refused because `existing` has the login id. */
  readonly "user.loginId.duplicate.update": OfDuplicate;
  /** A user logged in with a password that is common or was published in a breach. */
  readonly "user.password.breach": OfUser;
  /** A message to reset a password was sent. */
  readonly "user.password.reset.send": OfUser;
  /** A user began to reset a password. */
  readonly "user.password.reset.start": OfUser;
  /** A user reset a password. */
  readonly "user.password.reset.success": OfUser;
  /** A password changed. */
  readonly "user.password.update": OfUser;
  /** A user was reactivated. */
  readonly "user.reactivate": OfUser;
  /** A user was registered to an application. */
  readonly "user.registration.create": OfRegistration;
  /** A registration was removed. */
  readonly "user.registration.delete": OfRegistration;
  /** A registration changed; `original` is the version before. */
  readonly "user.registration.update": OfRegistration & { readonly original: EventRegistration };
  /** A registration was verified. */
  readonly "user.registration.verified": OfRegistration;
  /** A login asked for a second factor. Since 1.68.0. */
  readonly "user.two-factor.challenge": OfSecondFactor;
  /** A code of a second factor was wrong at a login. Since 1.68.0. */
  readonly "user.two-factor.failed-attempt": OfSecondFactor;
  /** A user has another method of a second factor. */
  readonly "user.two-factor.method.add": OfMethod;
  /** A method of a second factor was removed. */
  readonly "user.two-factor.method.remove": OfMethod;
  /** A code of a second factor was right at a login. Since 1.68.0. */
  readonly "user.two-factor.success": OfSecondFactor;
  /** A user changed; `original` is the version before. */
  readonly "user.update": OfUser & { readonly original: EventUser };
}

/** The name of a kind of event that can be published. */
export type PublishedType = keyof EventShapes;
