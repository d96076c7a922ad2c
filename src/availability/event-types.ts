/**
 * A type of event: one row of the reference's section 6, with the additions of docs/reference/webhooks.md#transactional-events,
 * docs/reference/events.md#event-types and docs/reference/service.md#versions-and-plans.
 */
export interface EventType {
  readonly name: string;
  /** The cause, as a clause such as "a user is created". */
  readonly trigger: string;
  /** The owner of its events: a tenant, the instance, or the webhook under test. */
  readonly scope: "tenant" | "instance" | "webhook";
  /** Whether webhooks may have to approve the cause before it is stored. */
  readonly isTransactional: boolean;
  /** The members besides the envelope, if known; not every event has all of them. */
  readonly fields: readonly string[];
  /** The first version with it; absent: every version. */
  readonly since?: string;
  /** The lowest plan that sends it; absent: every plan. Webhooks may list it in any plan. */
  readonly plan?: "starter" | "essentials" | "enterprise";
}

type Fields = EventType["fields"];

/** The first version, and the lowest plan. */
type Limits = Pick<EventType, "since" | "plan">;

/** An event that may need approval. */
function question(name: string, trigger: string, fields: Fields, limits: Limits = {}): EventType {
  return { name, trigger, scope: "tenant", isTransactional: true, fields, ...limits };
}

/** An event without approval. */
function notice(name: string, trigger: string, fields: Fields, limits: Limits = {}): EventType {
  return { ...question(name, trigger, fields, limits), isTransactional: false };
}

/** An event that receivers may refuse, and its `.complete` twin, which reports that the change was committed. */
function pair(name: string, trigger: string, fields: Fields, limits: Limits = {}, ofTwin: Limits = limits): EventType[] {
  const twin = notice(`${name}.complete`, `the transaction in which ${trigger} is complete`, fields, ofTwin);
  return [question(name, trigger, fields, limits), twin];
}

const since1_6: Limits = { since: "1.6.0" };
const since1_30: Limits = { since: "1.30.0" };
const since1_36: Limits = { since: "1.36.0" };
const threat: Limits = { since: "1.30.0", plan: "enterprise" };
const secondFactor: Limits = { since: "1.68.0", plan: "enterprise" };
const entities: Limits = { since: "1.69.0" };

const action: Fields = [
  "action",
  "actionId",
  "actioneeUserId",
  "actionerUserId",
  "applicationIds",
  "comment",
  "email",
  "emailedUser",
  "expiry",
  "localizedAction",
  "localizedDuration",
  "localizedOption",
  "localizedReason",
  "notifyUser",
  "option",
  "phase",
  "reason",
  "reasonCode",
];
const duplicate: Fields = [
  "duplicateEmail",
  "duplicateIdentities",
  "duplicatePhoneNumber",
  "duplicateUsername",
  "existing",
  "user",
];
/** The reference does not document these fields. They are those of login events without a completed login. */
const factor: Fields = ["applicationId", "ipAddress", "user"];
const link: Fields = ["identityProviderLink", "user"];
const login: Fields = [
  "applicationId",
  "authenticationType",
  "connectorId",
  "identityProviderId",
  "identityProviderName",
  "ipAddress",
  "user",
];
const registration: Fields = ["applicationId", "registration", "user"];
const revocation: Fields = ["applicationId", "applicationTimeToLiveInSeconds", "refreshToken", "user", "userId"];

/** The events of the whole instance: never part of a tenant's configuration, never transactional. */
const instanceEvents: readonly EventType[] = [
  notice("audit-log.create", "an audit log is created", ["auditLog"], since1_30),
  notice("event-log.create", "an event log is created", ["eventLog"], since1_30),
  notice("kickstart.success", "kickstart completed successfully", ["instanceId"], since1_30),
];

const tokenEvents: readonly EventType[] = [
  question("jwt.public-key.update", "a key pair that signs JWTs may have changed", ["applicationIds"]),
  question("jwt.refresh", "an access token is refreshed", ["applicationId", "original", "refreshToken", "token", "userId"], {
    since: "1.16.0",
  }),
  question("jwt.refresh-token.revoke", "a refresh token is revoked", revocation),
];

const userEvents: readonly EventType[] = [
  question("user.action", "a user action is triggered", action),
  question("user.bulk.create", "several users are created at once", ["users"]),
  ...pair("user.create", "a user is created", ["user"], {}, since1_30),
  question("user.deactivate", "a user is deactivated", ["user"]),
  ...pair("user.delete", "a user is deleted", ["user"], {}, since1_30),
  notice("user.email.update", "a user changes their email address", ["previousEmail", "user"], since1_30),
  question("user.email.verified", "a user verifies their email address", ["user"], { since: "1.8.0" }),
  notice("user.identity-provider.link", "a user is linked to an identity provider", link, since1_36),
  notice("user.identity-provider.unlink", "such a link is removed", link, since1_36),
  question("user.identity.update", "a login id of a user changes", ["loginIdType", "newLoginId", "previousLoginId", "user"]),
  question("user.identity.verified", "an identity of a user is verified", ["loginId", "loginIdType", "user"], {
    since: "1.59.0",
  }),
  notice("user.loginId.duplicate.create", "a user is to be created with a login id in use", duplicate, threat),
  notice("user.loginId.duplicate.update", "a user is to be given a login id in use", duplicate, threat),
  question(
    "user.login.failed",
    "a login fails",
    ["applicationId", "authenticationType", "ipAddress", "reason", "user"],
    since1_6,
  ),
  question("user.login.new-device", "a login begins on a new device", login, threat),
  question("user.login.success", "a login completes", login, since1_6),
  question("user.login.suspicious", "a login is considered a potential threat", [...login, "threatsDetected"], threat),
  question("user.password.breach", "a password is found among breached ones", ["user"], { since: "1.15.0", plan: "starter" }),
  notice("user.password.reset.send", "a forgot-password email was sent", ["user"], threat),
  notice("user.password.reset.start", "the reset of a password started", ["user"], threat),
  notice("user.password.reset.success", "a user reset their password", ["user"], threat),
  notice("user.password.update", "a user updated their password", ["user"], threat),
  question("user.reactivate", "a user is reactivated", ["user"]),
  ...pair("user.registration.create", "a registration is created", registration, since1_6, since1_30),
  ...pair("user.registration.delete", "a registration is deleted", registration, since1_6, since1_30),
  ...pair("user.registration.update", "a registration is updated", [...registration, "original"], since1_6, since1_30),
  question("user.registration.verified", "a registration is verified", registration, { since: "1.8.0" }),
  question("user.two-factor.challenge", "a second factor is asked for", factor, secondFactor),
  question("user.two-factor.failed-attempt", "a second factor was wrong", factor, secondFactor),
  notice("user.two-factor.method.add", "a user added a two-factor method", ["method", "user"], threat),
  notice("user.two-factor.method.remove", "a user removed a two-factor method", ["method", "user"], threat),
  question("user.two-factor.success", "a second factor was right", factor, secondFactor),
  ...pair("user.update", "a user is updated", ["original", "user"], {}, since1_30),
];

/** The reference requires a plan that is not known for sure: every plan sends them. */
const groupEvents: readonly EventType[] = [
  ...pair("group.create", "a group is created", ["group"]),
  ...pair("group.delete", "a group is deleted", ["group"]),
  ...pair("group.member.add", "members are added to a group", ["group", "members"]),
  ...pair("group.member.remove", "members are removed from a group", ["group", "members"]),
  ...pair("group.member.update", "members of a group are updated", ["group", "members"]),
  ...pair("group.update", "a group is updated", ["group", "original"]),
];

/** The reference does not document their fields, which are like those of groups. */
const entityEvents: readonly EventType[] = [
  ...pair("entity.create", "an entity is created", ["entity"], entities),
  ...pair("entity.delete", "an entity is deleted", ["entity"], entities),
  ...pair("entity.update", "an entity is updated", ["entity", "original"], entities),
];

/** Every type of event: the 41 of the reference and the later ones of docs/reference/events.md#event-types. */
export const eventTypes: readonly EventType[] = [
  ...instanceEvents.map((event): EventType => ({ ...event, scope: "instance" })),
  ...tokenEvents,
  ...userEvents,
  ...groupEvents,
  ...entityEvents,
  { ...notice("test", "somebody tries out a webhook", ["message"]), scope: "webhook" },
];

/** A tenant's settings for one event (docs/reference/webhooks.md#transactional-events). */
export interface EventSetting {
  /** Whether the event goes to webhooks and the broker. Default true. */
  readonly enabled: boolean;
  /** How many webhooks must approve before the commit. Default `None`: no approval. */
  readonly transactionType: "None" | "Any" | "SimpleMajority" | "SuperMajority" | "AbsoluteMajority";
}

const typesByName = new Map(eventTypes.map((type) => [type.name, type]));

/** Whether any version has an event of this name. */
export function isEventName(name: string): boolean {
  return typesByName.has(name);
}

/**
 * Returns the effective settings: those of tenant events, with `None` for events without approval. Settings of unknown events and
 * of instance events are left out.
 */
export function toEffectiveSettings(events: Readonly<Record<string, EventSetting>>): Record<string, EventSetting> {
  const effective = Object.entries(events).flatMap(([name, setting]): [string, EventSetting][] => {
    const type = typesByName.get(name);
    if (type?.scope !== "tenant") return [];
    return [[name, type.isTransactional ? setting : { ...setting, transactionType: "None" }]];
  });
  return Object.fromEntries(effective);
}
