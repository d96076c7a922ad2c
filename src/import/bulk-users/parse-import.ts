import { FieldErrorList, fieldError, IdentityError } from "../../errors/identity-error.js";
import { withoutAbsentFields } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { isLikeAddress } from "../../people/users/shared-login-ids.js";
import type { ParsedImportedUser } from "../../records/bulk-users/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { foldEmailAddress } from "../../shared/email-address.js";
import { inChunks } from "../../shared/in-steps.js";
import { isObject } from "../../shared/objects.js";
import { foldPhoneNumber, foldText, formatPath } from "../../shared/text.js";

const userImportRequest = lazySchema("import", "userImportRequest");

const parseSize = 200;

/**
 * Parses the users of a body, in steps without blocking the event loop.
 * @throws IdentityError 400 with all field errors at once, up to the listed maximum; `[empty]users` for none.
 */
export async function parseUsers(call: OperationCall): Promise<readonly ParsedImportedUser[]> {
  const given = isObject(call.body) ? call.body.users : undefined;
  if (!Array.isArray(given)) return (await parseWith(userImportRequest, call.body)).users;
  if (given.length === 0) throw fieldError("empty", "users");
  const errors = new FieldErrorList();
  const parsed: ParsedImportedUser[] = [];
  let start = 0;
  const toPath = ([users = "", index, ...rest]: readonly PropertyKey[]): string =>
    formatPath([users, ...(typeof index === "number" ? [start + index] : []), ...rest]);
  await inChunks({ ...call.service.runtime, size: parseSize }, given, async (chunk) => {
    if (errors.isFull) return;
    const users = chunk.map((user) => (withoutAbsentFields(call, "user", { user }) as { readonly user: unknown }).user);
    try {
      for (const user of (await parseWith(userImportRequest, { users }, toPath)).users) parsed.push(user);
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      errors.addAll(error);
    }
    start += chunk.length;
  });
  errors.throwIfAny();
  return parsed;
}

/** The fields that must be unique: ids globally, the others within a tenant. */
export const uniqueFields = ["id", "email", "phoneNumber", "username"] as const;

/** Returns the value of a field in its form for comparisons. */
export function foldField(field: (typeof uniqueFields)[number], value: string): string {
  if (field === "email") return foldEmailAddress(value);
  if (field === "username") return foldText(value);
  return field === "phoneNumber" ? foldPhoneNumber(value) : foldText(value);
}

/** Returns the path of a field of the user at this index. */
export function pathOf(index: number, ...members: readonly PropertyKey[]): string {
  return formatPath(["users", index, ...members]);
}

/** Adds an error that the value is in use. */
export function addDuplicate(errors: FieldErrorList, path: string, value: string): void {
  errors.add("duplicate", path, `The value [${value}] of [${path}] is already in use.`);
}

/**
 * @param tenantIds the tenants of the users, in the same order.
 * @throws IdentityError 400 `[duplicate]users[…]` naming the values that two users of the body share.
 */
export function assertUnique(users: readonly ParsedImportedUser[], tenantIds: readonly string[]): void {
  const seen = new Set<string>();
  const errors = new FieldErrorList();
  const owners = new Map(users.map(({ email = "" }, index) => [`${tenantIds[index]} ${foldField("email", email)}`, index]));
  for (const [index, { username }] of users.entries()) {
    const owner = isLikeAddress(username) ? owners.get(`${tenantIds[index]} ${foldField("email", username)}`) : index;
    if (owner !== undefined && owner !== index) addDuplicate(errors, pathOf(index, "username"), username ?? "");
  }
  for (const [index, user] of users.entries())
    for (const field of uniqueFields) {
      const value = user[field];
      if (value === undefined || value === "") continue;
      // An id is unique across all tenants.
      const key = `${field} ${field === "id" ? "" : tenantIds[index]} ${foldField(field, value)}`;
      if (seen.has(key)) addDuplicate(errors, pathOf(index, field), value);
      seen.add(key);
    }
  errors.throwIfAny();
}
