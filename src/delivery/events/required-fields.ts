import type { EventShapes, PublishedType } from "./event-shapes.js";

/** The members of a shape that are always there. */
type RequiredOf<Shape> = { [Name in keyof Shape]-?: Record<never, never> extends Pick<Shape, Name> ? never : Name }[keyof Shape];

/** The compiler holds the table to the shapes: a member too many or too few is an error. */
type Required<Shape> = Readonly<Record<RequiredOf<Shape>, true>>;

const user = { user: true } as const;
const group = { group: true } as const;
const entity = { entity: true } as const;
const members = { ...group, members: true } as const;
const registration = { ...user, applicationId: true, registration: true } as const;
const login = { ...user, authenticationType: true } as const;
const link = { ...user, identityProviderLink: true } as const;
const duplicate = { ...user, duplicateIdentities: true, existing: true } as const;
const method = { ...user, method: true } as const;

/** What an event must say that a host publishes, by its type. */
export const requiredFields: { readonly [Type in PublishedType]: Required<EventShapes[Type]> } = {
  "audit-log.create": { auditLog: true },
  "entity.create": entity,
  "entity.delete": entity,
  "entity.update": { ...entity, original: true },
  "event-log.create": { eventLog: true },
  "group.create": group,
  "group.delete": group,
  "group.member.add": members,
  "group.member.remove": members,
  "group.member.update": members,
  "group.update": { ...group, original: true },
  "jwt.public-key.update": { applicationIds: true },
  "jwt.refresh": { refreshToken: true, token: true, userId: true },
  "jwt.refresh-token.revoke": { applicationTimeToLiveInSeconds: true },
  "kickstart.success": { instanceId: true },
  "user.action": { action: true, actionId: true, actioneeUserId: true, phase: true },
  "user.bulk.create": { users: true },
  "user.create": user,
  "user.deactivate": user,
  "user.delete": user,
  "user.email.update": { ...user, previousEmail: true },
  "user.email.verified": user,
  "user.identity-provider.link": link,
  "user.identity-provider.unlink": link,
  "user.identity.update": { ...user, loginIdType: true },
  "user.identity.verified": { ...user, loginId: true, loginIdType: true },
  "user.login.failed": { authenticationType: true },
  "user.login.new-device": login,
  "user.login.success": login,
  "user.login.suspicious": { ...login, threatsDetected: true },
  "user.loginId.duplicate.create": duplicate,
  "user.loginId.duplicate.update": duplicate,
  "user.password.breach": user,
  "user.password.reset.send": user,
  "user.password.reset.start": user,
  "user.password.reset.success": user,
  "user.password.update": user,
  "user.reactivate": user,
  "user.registration.create": registration,
  "user.registration.delete": registration,
  "user.registration.update": { ...registration, original: true },
  "user.registration.verified": registration,
  "user.two-factor.challenge": user,
  "user.two-factor.failed-attempt": user,
  "user.two-factor.method.add": method,
  "user.two-factor.method.remove": method,
  "user.two-factor.success": user,
  "user.update": { ...user, original: true },
};
