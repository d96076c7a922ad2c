import { generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { type Filter, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { digestOfCredential, passkeysTable } from "../../records/passkeys/family.js";
import type { Passkey } from "../../records/passkeys/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";

/** The passkeys of a user, oldest first. */
export async function findPasskeys(call: OperationCall, userId: string): Promise<readonly StoredRecord[]> {
  const sort = (["insertInstant", "id"] as const).map((column) => ({ column, direction: "asc" }) as const);
  const { answerSize: sizeLimit } = call.service;
  return call.reader.find(call.scope, passkeysTable, equalsFilter("userId", userId), { sort, sizeLimit });
}

/** The passkeys of a user for a domain. */
export async function findUsablePasskeys(
  call: OperationCall,
  userId: string,
  relyingPartyId: string,
): Promise<readonly Passkey[]> {
  const passkeys = (await findPasskeys(call, userId)).map(parseRecord<Passkey>);
  return passkeys.filter((passkey) => passkey.relyingPartyId === relyingPartyId);
}

/** The passkey of a tenant by its credential id; undefined for an unknown one. */
export async function findByCredentialId(
  call: OperationCall,
  tenantId: string,
  credentialId: string,
): Promise<StoredRecord | undefined> {
  const filter: Filter = equalsFilter("credentialDigest", digestOfCredential(credentialId));
  return (await call.reader.find(tenantScope(tenantId), passkeysTable, filter, { limit: 1 }))[0];
}

/** The active user with an id. @throws IdentityError 404 for a user who is unknown, out of the call's scope or inactive. */
export async function loadActiveUser(call: OperationCall, userId: string): Promise<StoredRecord> {
  const user = await call.reader.retrieve(call.scope, usersTable, userId);
  if (user === undefined || !parseRecord<User>(user).active) throw generalError("notFound");
  return user;
}
