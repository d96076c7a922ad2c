import { toCanonicalJson } from "latchkey";
import type { User } from "latchkey/types";
import { isObject } from "../../internal/objects.js";
import { toUserChange } from "../mapping/user-change.js";
import { userFieldPaths } from "../mapping/user-fields.js";
import { ScimError } from "../schema/errors.js";
import type { ScimResource } from "../schema/schemas.js";
import type { TypeCall } from "../server/call.js";
import { type ConverterOptions, readOptions, runConverter } from "../server/converters.js";
import { assertRecordSize } from "../server/record-size.js";
import type { Write } from "../server/run-writes.js";

/** SCIM attributes by the API's fields in errors. */
export const userPaths: ReadonlyMap<string, string> = new Map(Object.entries(userFieldPaths));

/** API fields that a SCIM resource defines completely: without a value, they are removed. */
const mappedFields: ReadonlySet<string> = new Set([
  ...Object.keys(userFieldPaths).map((path) => path.slice("user.".length)),
  "data",
  "password",
]);

/** The API's user for a resource. */
export interface UserDraft {
  readonly user: Readonly<Record<string, unknown>>;
  readonly isActive: boolean;
  readonly options: ConverterOptions;
}

/** Converts a whole resource to a user: by the default mapping, then the tenant's request converter. */
export async function draftUser(call: TypeCall, resource: ScimResource, current?: User): Promise<UserDraft> {
  const { active, password, user } = toUserChange(call.type, resource, current);
  const others = Object.entries(current ?? {}).filter(([name]) => !mappedFields.has(name));
  const isActive = active ?? current?.active ?? true;
  const mapped = { ...Object.fromEntries(others), ...user, ...(password !== undefined && { password }) };
  const lambdaId = call.tenant.converters[call.type.id]?.request;
  assertRecordSize(call, user);
  if (lambdaId === undefined) return { user: mapped, isActive, options: {} };
  const given = { user: { memberships: [], registrations: [], ...mapped, active: isActive }, options: {}, scimUser: resource };
  const changed = await runConverter(call, lambdaId, given);
  if (!isObject(changed.user)) throw new ScimError(400, "invalidValue", "The request converter left no user.");
  const { active: converted, ...fields } = changed.user;
  const { memberships: _memberships, registrations: _registrations, ...own } = fields;
  assertRecordSize(call, own);
  return { user: fields, isActive: converted !== false, options: readOptions(changed.options) };
}

/** Returns the operations that create a user. */
export function toCreateWrites(call: TypeCall, id: string, { isActive, options, user }: UserDraft): readonly Write[] {
  const { applicationId } = options;
  const declared = call.tenant.verifiesEmail ? user : { verified: true, ...user };
  const writes: Write[] = [(api) => api.users.create({ userId: id, user: declared }, call.options)];
  if (applicationId !== undefined)
    writes.push((api) => api.registrations.create({ userId: id, registration: { applicationId } }, call.options));
  if (!isActive) writes.push((api) => api.users.remove({ userId: id }, call.options));
  return writes;
}

/** Returns the operations that change a user to a draft; none when they are equal. `etag`: the version of the user. */
export function toChangeWrites(
  call: TypeCall,
  { user: current, etag }: { readonly user: User; readonly etag: string | undefined },
  draft: UserDraft,
): readonly Write[] {
  const { id: userId } = current;
  const isChanged = draft.user.password !== undefined || !isSame(current, draft.user);
  const writes: Write[] = [];
  const versioned = { ...call.options, ...(etag !== undefined && { ifMatch: etag }) };
  if (isChanged) writes.push((api) => api.users.update({ userId, user: draft.user }, versioned));
  const options = isChanged ? call.options : versioned;
  if (current.active && !draft.isActive) writes.push((api) => api.users.remove({ userId }, options));
  if (!current.active && draft.isActive) writes.push((api) => api.users.update({ userId, reactivate: true }, options));
  return writes;
}

// Unmapped fields that a converter omits count as unchanged.
function isSame(current: User, user: Readonly<Record<string, unknown>>): boolean {
  const before: Readonly<Record<string, unknown>> = { ...current };
  const names = new Set([...mappedFields, ...Object.keys(user)]);
  return [...names].every((name) => {
    if (user[name] === undefined && !mappedFields.has(name)) return true;
    return toCanonicalJson(emptyAsAbsent(user[name])) === toCanonicalJson(emptyAsAbsent(before[name]));
  });
}

function emptyAsAbsent(value: unknown): unknown {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;
}
