import { generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { passwordChangesTable } from "../../resources/logins/family.js";
import { changePassword, users } from "../../resources/users/rules.js";
import type { User } from "../../resources/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { hashPassword } from "../../security/password.js";
import { digestSecret } from "../../security/seal.js";

/** How long somebody has to choose a new password. */
const lifetimeMs = 600_000;

/** The answer to a user who proved who he is and must choose another password before anything else (docs/reference/tokens.md#login: 203). */
export async function requirePasswordChange(call: OperationCall, { id: userId, tenantId }: User): Promise<OperationResult> {
  const { clock, newId, random } = call.service.runtime;
  const changePasswordId = Buffer.from(random(32)).toString("base64url");
  const now = clock();
  const columns = { userId, digest: digestSecret(changePasswordId), expirationInstant: now + lifetimeMs };
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const record = { id: newId(), tenantId, version: 1, json: toCanonicalJson({ userId }), hidden: null, columns, ...instants };
  await call.write((write) => write.tx.insert(tenantScope(tenantId), passwordChangesTable, [record]));
  return { status: 203, json: toCanonicalJson({ changePasswordId, changePasswordReason: "Administrative" }) };
}

/**
 * Sets the password of the user to whom {@link requirePasswordChange} issued an id. An id works once; using one revokes all of the user's.
 * @throws IdentityError 404 for an id that is unknown, used or too old, and for a user who was locked out.
 */
export async function completePasswordChange(call: OperationCall, changePasswordId: string, password: string): Promise<void> {
  // Verify the id before hashing: a wrong id must cost neither the caller's time nor our CPU.
  await findUser(call, changePasswordId);
  const passwordHash = await hashPassword(password);
  await call.write(async (write: WriteCall) => {
    const user = await findUser(write, changePasswordId);
    await write.tx.remove(tenantScope(user.tenantId ?? ""), passwordChangesTable, equalsFilter("userId", user.id));
    await changePassword(write, user, passwordHash);
  });
}

async function findUser(call: OperationCall, changePasswordId: string): Promise<StoredRecord> {
  const isAlive = { op: "compare", column: "expirationInstant", comparison: ">", value: call.service.runtime.clock() } as const;
  const filters = [equalsFilter("digest", digestSecret(changePasswordId)), isAlive];
  const [found] = await call.reader.find(call.scope, passwordChangesTable, { op: "and", filters }, { limit: 1 });
  const user =
    found && (await call.reader.retrieve(globalScope, users.table, parseRecord<{ readonly userId: string }>(found).userId));
  if (user === undefined || !parseRecord<User>(user).active) throw generalError("notFound");
  return user;
}
