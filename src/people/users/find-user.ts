import { fieldError, generalError, invalidOption } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { Family } from "../../operations/family/family.js";
import { loadRecord, optionalId, presentOne } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { onlyTenant } from "../../operations/references/references.js";
import type { Filter, StoredRecord, TenantScope } from "../../ports/storage.js";
import { loginIdFilter, usersTable } from "../../records/users/family.js";
import { loginIdTypes } from "../../records/users/login-id-types.js";
import type { ParsedUserRequest, User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { findId } from "../../sessions/one-time-ids/one-time-ids.js";
import { isGiven } from "../../shared/text.js";

/** The purposes of ids from flows, by parameter. */
const purposesOf = {
  changePasswordId: ["changePassword", "setupPassword"],
  verificationId: ["emailVerification", "phoneVerification"],
} as const;

/**
 * GET by email, username, login id or an id from a flow; in several tenants a login id needs the tenant
 * (docs/reference/authentication.md#tenant-header). Users can find only themselves.
 */
export async function findUser(call: OperationCall, users: Family<User, ParsedUserRequest>): Promise<OperationResult> {
  if (call.principal?.kind === "user") return presentOne(call, users, await loadOwn(call, call.principal.userId));
  if (optionalId(call, "userId") !== undefined) return presentOne(call, users, await loadRecord(call, users));
  const owner = await findByIssuedId(call);
  if (owner !== undefined) return presentOne(call, users, owner);
  const filter = toLookup(call);
  if (filter === undefined) throw fieldError("missing", "userId");
  const scope: TenantScope =
    call.scope.kind === "tenant" ? call.scope : { kind: "tenant", tenantId: (await onlyTenant(call)).id };
  const [user] = await call.reader.find(scope, usersTable, filter, { limit: 1 });
  if (user === undefined) throw generalError("notFound");
  return presentOne(call, users, user);
}

async function findByIssuedId(call: OperationCall): Promise<StoredRecord | undefined> {
  const { changePasswordId, verificationId } = call.params;
  const [name, id] = isGiven(changePasswordId)
    ? (["changePasswordId", changePasswordId] as const)
    : (["verificationId", verificationId] as const);
  if (!isGiven(id)) return undefined;
  for (const purpose of purposesOf[name]) {
    const { userId } = (await findId(call, purpose, id)) ?? {};
    if (userId !== undefined) return call.reader.retrieve(call.scope, usersTable, userId);
  }
  throw generalError("notFound");
}

function toLookup(call: OperationCall): Filter | undefined {
  const { email, username, loginId } = call.params;
  const types = readLoginIdTypes(call);
  const lookups = [
    ["email", email ?? (types.includes("email") ? loginId : undefined)],
    ["username", username ?? (types.includes("username") ? loginId : undefined)],
    ["phoneNumber", types.includes("phoneNumber") ? loginId : undefined],
  ] as const;
  const filters = lookups.flatMap(([type, value]) => (isGiven(value) ? [loginIdFilter(type, value)] : []));
  // A login id that belongs to no user counts as given.
  return [email, username, loginId].some(isGiven) ? { op: "or", filters } : undefined;
}

function readLoginIdTypes({ params }: OperationCall): readonly string[] {
  if (!isGiven(params.loginIdTypes)) return ["email", "username"];
  const types = params.loginIdTypes.split(",").map((type) => type.trim());
  const isKnown = (type: string): boolean => loginIdTypes.some((known) => known === type);
  if (!types.every(isKnown)) throw invalidOption("loginIdTypes", loginIdTypes);
  return types;
}

// The same answer for other users and for unknown ones.
async function loadOwn(call: OperationCall, userId: string): Promise<StoredRecord> {
  const lookup = toLookup(call);
  const wanted = optionalId(call, "userId") ?? userId;
  const filters = [
    equalsFilter("id", userId),
    equalsFilter("id", wanted),
    equalsFilter("active", true),
    ...(lookup ? [lookup] : []),
  ];
  const [own] = await call.reader.find(call.scope, usersTable, { op: "and", filters }, { limit: 1 });
  if (own === undefined) throw generalError("notFound");
  return own;
}
