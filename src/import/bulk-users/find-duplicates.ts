import { FieldErrorList, fieldError, type IdentityError } from "../../errors/identity-error.js";
import { findInChunks } from "../../operations/bulk-write.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord, tenantScope, type UniqueViolation } from "../../ports/storage.js";
import type { ParsedImportedUser } from "../../records/bulk-users/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { addDuplicate, foldField, pathOf, uniqueFields } from "./parse-import.js";

const columns = { id: "id", email: "email", phoneNumber: "phoneNumber", username: "usernameFolded" } as const;

/** Describes an import's collision with stored users: 400 `[duplicate]users[…]`, naming the values. */
export async function describeDuplicates(
  call: OperationCall,
  users: readonly ParsedImportedUser[],
  tenants: readonly StoredRecord[],
  cause: UniqueViolation,
): Promise<IdentityError> {
  const errors = new FieldErrorList();
  for (const [tenantId, indexes] of Map.groupBy(users.keys(), (index) => tenants[index]?.id ?? ""))
    for (const field of uniqueFields) {
      const keyOf = (user: Partial<Pick<User, (typeof uniqueFields)[number]>> = {}): string =>
        foldField(field, user[field] ?? "");
      const values = [...new Set(indexes.map((index) => keyOf(users[index])))].filter((value) => value !== "");
      const scope = field === "id" ? globalScope : tenantScope(tenantId);
      const found = await findInChunks(call, scope, { table: usersTable, column: columns[field], values });
      const taken = new Set(found.map((record) => keyOf(JSON.parse(record.json) as User)));
      for (const index of indexes)
        if (taken.has(keyOf(users[index]))) addDuplicate(errors, pathOf(index, field), users[index]?.[field] ?? "");
    }
  // The value is free again, or another table has the duplicate.
  return errors.isEmpty
    ? fieldError("duplicate", "users", `Another record has the same [${cause.keys.join(", ")}].`)
    : errors.toError();
}
