import type { AuditLog } from "../../resources/audit-logs/schema.js";
import type { Entity } from "../../resources/entities/schema.js";
import type { EventLog } from "../../resources/event-logs/schema.js";
import type { GroupMember } from "../../resources/group-members/schema.js";
import type { Group } from "../../resources/groups/schema.js";
import type { RefreshToken } from "../../resources/refresh-tokens/schema.js";
import type { Registration, User } from "../../resources/users/schema.js";
import type { TwoFactorMethod } from "../../resources/users/two-factor-state.js";

/** A user as events show one: what a host knows of its own users may be less than the wire shows of ours. Never with a password. */
export type EventUser = Partial<User> & Pick<User, "id">;

/** A registration as events show one. */
export type EventRegistration = Partial<Registration> & Pick<Registration, "applicationId">;

/** A group as events show one. */
export type EventGroup = Partial<Group> & Pick<Group, "id">;

/** An entity as events show one: without its secret. */
export type EventEntity = Partial<Omit<Entity, "clientSecret">> & Pick<Entity, "id">;

interface OfUser {
  readonly user: EventUser;
}

interface OfGroup {
  readonly group: EventGroup;
}

interface OfMembers extends OfGroup {
  /** Those that changed, and no others. */
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
  /** The user who has the login id. */
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
 * What each kind of event says beside its envelope (docs/reference/events.md#event-types). Instants are epoch milliseconds. The `.complete` twins say
 * the same as their events and are sent along with them.
 */
export interface EventShapes {
  readonly "audit-log.create": { readonly auditLog: Partial<AuditLog> & Pick<AuditLog, "message"> };
  readonly "entity.create": { readonly entity: EventEntity };
  readonly "entity.delete": { readonly entity: EventEntity };
  readonly "entity.update": { readonly entity: EventEntity; readonly original: EventEntity };
  readonly "event-log.create": { readonly eventLog: EventLog };
  readonly "group.create": OfGroup;
  readonly "group.delete": OfGroup;
  readonly "group.member.add": OfMembers;
  readonly "group.member.remove": OfMembers;
  readonly "group.member.update": OfMembers;
  readonly "group.update": OfGroup & { readonly original: EventGroup };
  readonly "jwt.public-key.update": { readonly applicationIds: readonly string[] };
  readonly "jwt.refresh": {
    readonly applicationId?: string | undefined;
    /** The access token that the new one takes the place of. */
    readonly original?: string | undefined;
    readonly refreshToken: string;
    readonly token: string;
    readonly userId: string;
  };
  readonly "jwt.refresh-token.revoke": {
    readonly applicationId?: string | undefined;
    readonly applicationTimeToLiveInSeconds: Readonly<Record<string, number>>;
    readonly refreshToken?: RefreshToken | undefined;
    readonly user?: EventUser | undefined;
    readonly userId?: string | undefined;
  };
  readonly "kickstart.success": { readonly instanceId: string };
  readonly "user.action": OfAction;
  readonly "user.bulk.create": { readonly users: readonly EventUser[] };
  readonly "user.create": OfUser;
  readonly "user.deactivate": OfUser;
  readonly "user.delete": OfUser;
  readonly "user.email.update": OfUser & { readonly previousEmail: string };
  readonly "user.email.verified": OfUser;
  readonly "user.identity-provider.link": OfLink;
  readonly "user.identity-provider.unlink": OfLink;
  readonly "user.identity.update": OfUser & {
    readonly loginIdType: string;
    readonly newLoginId?: string | undefined;
    readonly previousLoginId?: string | undefined;
  };
  readonly "user.identity.verified": OfUser & { readonly loginId: string; readonly loginIdType: string };
  readonly "user.login.failed": Partial<OfUser> & {
    readonly applicationId?: string | undefined;
    readonly authenticationType: string;
    readonly ipAddress?: string | undefined;
    readonly reason?: { readonly code: string; readonly lambdaId?: string; readonly lambdaResult?: unknown } | undefined;
  };
  readonly "user.login.new-device": OfLogin;
  readonly "user.login.success": OfLogin;
  readonly "user.login.suspicious": OfLogin & { readonly threatsDetected: readonly string[] };
  readonly "user.loginId.duplicate.create": OfDuplicate;
  readonly "user.loginId.duplicate.update": OfDuplicate;
  readonly "user.password.breach": OfUser;
  readonly "user.password.reset.send": OfUser;
  readonly "user.password.reset.start": OfUser;
  readonly "user.password.reset.success": OfUser;
  readonly "user.password.update": OfUser;
  readonly "user.reactivate": OfUser;
  readonly "user.registration.create": OfRegistration;
  readonly "user.registration.delete": OfRegistration;
  readonly "user.registration.update": OfRegistration & { readonly original: EventRegistration };
  readonly "user.registration.verified": OfRegistration;
  readonly "user.two-factor.challenge": OfSecondFactor;
  readonly "user.two-factor.failed-attempt": OfSecondFactor;
  readonly "user.two-factor.method.add": OfMethod;
  readonly "user.two-factor.method.remove": OfMethod;
  readonly "user.two-factor.success": OfSecondFactor;
  readonly "user.update": OfUser & { readonly original: EventUser };
}

/** The name of a kind of event that can be published. */
export type PublishedType = keyof EventShapes;
