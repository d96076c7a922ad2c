import { fieldError } from "../../errors/identity-error.js";
import { findInChunks } from "../../operations/bulk-write.js";
import { type Change, type Draft, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { type Filter, type RecordToStore, tenantScope, UniqueViolation } from "../../ports/storage.js";
import { addressFilter, usersTable } from "../../records/users/family.js";
import type { ParsedUserRequest, User } from "../../records/users/schema.js";
import { foldEmailAddress, storedFormsOf } from "../../shared/email-address.js";

/**
 * Checks that no login id of a user is another user's login id of the other type: a login or a password reset by an email address
 * must not reach a user with that address as username.
 * @throws IdentityError 400 `[duplicate]user.username` or `[duplicate]user.email`.
 */
export async function assertUniqueLoginIds(call: WriteCall, { draft, original }: Change<User, ParsedUserRequest>): Promise<void> {
  const { email, id, tenantId, username } = draft.record;
  const isNewName = isLikeAddress(username) && username !== original?.username;
  const lookups: LoginIdLookup[] = isNewName ? [{ column: "email", address: username }] : [];
  if (email !== undefined && email !== original?.email) lookups.push({ column: "usernameFolded", address: email });
  if (lookups.length === 0 || (original === undefined && expectNobody(call, draft, lookups))) return;
  const filters = lookups.map(({ address, column }) => addressFilter(column, address));
  // Every storage serves a single test by a unique key.
  const filter: Filter = filters.length === 1 ? (filters[0] as Filter) : { op: "or", filters };
  const found = await call.tx.find(tenantScope(tenantId), usersTable, filter, { limit: 4 });
  const others = found.filter((user) => user.id !== id).map((user) => parseRecord<User>(user));
  if (others.length === 0) return;
  const isTaken = isNewName && others.some((user) => foldEmailAddress(user.email ?? "") === foldEmailAddress(username));
  throw fieldError("duplicate", isTaken ? "user.username" : "user.email");
}

/** A column in which an address of a user must not occur. */
interface LoginIdLookup {
  readonly column: "email" | "usernameFolded";
  readonly address: string;
}

// Whether the storage checks it later. It would also find a new user with the own address as username.
function expectNobody({ tx }: WriteCall, { columns, record }: Draft<User>, lookups: readonly LoginIdLookup[]): boolean {
  return lookups.every(({ address, column }) => {
    const values = storedFormsOf(address);
    if (values.includes(String(columns[column]))) return false;
    return tx.expectNone?.(tenantScope(record.tenantId), usersTable, column, values) === true;
  });
}

/**
 * The same for new users of a tenant, before they are stored.
 * @throws {@link UniqueViolation} like a storage for login ids of one type.
 */
export async function assertFreeLoginIds(call: WriteCall, tenantId: string, users: readonly RecordToStore[]): Promise<void> {
  const textsOf = (column: string): string[] =>
    users.map(({ columns }) => columns[column]).filter((value) => typeof value === "string");
  const lookups = [
    { key: "username", column: "email", values: textsOf("usernameFolded").filter(isLikeAddress).map(foldEmailAddress) },
    { key: "email", column: "usernameFolded", values: textsOf("email") },
  ];
  for (const { column, key, values } of lookups) {
    if (values.length === 0) continue;
    const found = await findInChunks(call, tenantScope(tenantId), { table: usersTable, column, values });
    if (found.length > 0) throw new UniqueViolation(usersTable.name, [key]);
  }
}

/** Whether a username may be an email address. */
export function isLikeAddress(username: string | undefined): username is string {
  return username?.includes("@") ?? false;
}
