import { type EventType, eventTypes } from "../../availability/event-types.js";
import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { resolveTenant } from "../../operations/references/references.js";
import { findNearestName } from "../../shared/known-options.js";
import { isObjectOrList, valueAt } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";
import type { EventShapes, PublishedType } from "./event-shapes.js";

type Given = Readonly<Record<string, unknown>>;

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Publishes an event from a host. @throws IdentityError 400 for a type that is unknown, not publishable or not in the version or
 * plan, an unknown tenant, and missing members; 401 for events of the instance from a caller that is bound to a tenant.
 */
export async function publishGiven(call: OperationCall): Promise<OperationResult> {
  const given: Given = isObjectOrList(call.body) ? { ...call.body } : {};
  const type = findType(call, given.type);
  assertComplete(type, given);
  assertKnown(type, given);
  return call.write(async (write) => {
    const written = await publishEvent(write, await toNewEvent(write, type, given));
    return { status: 200, json: written?.wire ?? "{}" };
  });
}

function findType({ service }: OperationCall, name: unknown): EventType {
  if (!isThere(name)) throw fieldError("missing", "type");
  const type = eventTypes.find((event) => event.name === name);
  const isOwn = type !== undefined && Object.hasOwn(requiredFields, type.name);
  if (!isOwn || !service.availability.hasValue("webhook.eventsEnabled", type.name)) throw fieldError("invalid", "type");
  if (!service.availability.isSent(type.name)) throw fieldError("notLicensed", "type");
  return type;
}

function assertComplete({ name }: EventType, given: Given): void {
  const errors = new FieldErrorList();
  const required: Readonly<Record<string, unknown>> = Reflect.get(requiredFields, name);
  for (const member of Object.keys(required)) if (!isThere(given[member])) errors.add("missing", member);
  errors.throwIfAny();
}

/** Members of every event that a host may not set. */
const carried = ["actor", "createInstant", "id", "info", "instanceId", "linkedObjectId", "sequence", "tenantId", "type"];

function assertKnown({ fields }: EventType, given: Given): void {
  const known = new Set<string>([...carried, ...fields]);
  const errors = new FieldErrorList();
  for (const member of Object.keys(given)) {
    const nearest = known.has(member) ? undefined : findNearestName(member, known);
    const advice = nearest === undefined ? "" : ` Did you mean [${nearest}]?`;
    if (!known.has(member)) errors.add("unknown", member, `There is no member [${member}].${advice}`);
  }
  errors.throwIfAny();
}

async function toNewEvent(call: WriteCall, type: EventType, given: Given): Promise<NewEvent> {
  const tenantId = await findTenant(call, type, given.tenantId);
  const linkedObjectId = readLinked(given);
  const members = ["info", ...type.fields].filter((name) => isThere(given[name]));
  const fields = Object.fromEntries(members.map((name) => [name, withoutPasswords(given[name])]));
  return { type: type.name, ...(tenantId && { tenantId }), ...(linkedObjectId && { linkedObjectId }), fields };
}

async function findTenant(call: WriteCall, { scope }: EventType, given: unknown): Promise<string | undefined> {
  if (scope === "tenant")
    return resolveTenant(call, isThere(given) ? { tenantId: readId(given, "tenantId"), path: "tenantId" } : undefined);
  if (isThere(given)) throw fieldError("invalid", "tenantId", "The event is one of the whole instance.");
  if (call.scope.kind === "tenant") throw generalError("unauthorized");
  return undefined;
}

function readLinked(given: Given): string | undefined {
  if (isThere(given.linkedObjectId)) return readId(given.linkedObjectId, "linkedObjectId");
  const ids = ["user.id", "group.id", "entity.id"].map((path) => valueAt(given, path));
  return ids.find((id) => typeof id === "string");
}

function readId(value: unknown, path: string): string {
  const id = typeof value === "string" ? parseUuid(value) : undefined;
  if (id === undefined) throw fieldError("invalid", path);
  return id;
}

const secrets: ReadonlySet<string> = new Set(["clientSecret", "password", "passwordHash", "salt"]);

// A host that passes a stored user must not publish the password (docs/reference/events.md#event-types).
function withoutPasswords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPasswords);
  if (!isObjectOrList(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !secrets.has(name)));
}

/** The required members of a shape. */
type RequiredOf<Shape> = { [Name in keyof Shape]-?: Record<never, never> extends Pick<Shape, Name> ? never : Name }[keyof Shape];

/** The compiler checks the table against the shapes: an extra or missing member is an error. */
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

/** The required members of events from a host, by type. */
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
