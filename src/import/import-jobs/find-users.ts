import { FieldErrorList, type IdentityError } from "../../errors/identity-error.js";
import { findInChunks } from "../../operations/bulk-write.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { addDuplicate, foldField, uniqueFields } from "../bulk-users/parse-import.js";
import type { PreparedRow } from "./prepare-rows.js";

/** A row with the tenant of its user. */
export interface TenantRow extends PreparedRow {
  readonly tenant: StoredRecord;
}

const columns = { id: "id", email: "email", phoneNumber: "phoneNumber", username: "usernameFolded" } as const;

type UniqueField = keyof typeof columns;

/** The stored users that a row matches. */
export interface Match {
  /** The one matching user; undefined for several, or one of another tenant. */
  readonly user: StoredRecord | undefined;
  readonly fields: readonly UniqueField[];
}

/** Returns a key for each unique value of a row, made of field, tenant and value. A generated id needs none. */
export function keysOf({ given, tenant, user }: TenantRow): readonly string[] {
  return uniqueFields.flatMap((field) => {
    const value = (field === "id" && given.id === undefined ? undefined : user[field]) ?? "";
    return value === "" ? [] : [`${field} ${field === "id" ? "" : tenant.id} ${foldField(field, value)}`];
  });
}

/** Finds the rows that match stored users, with one query a field and tenant. */
export async function findMatches(call: OperationCall, rows: readonly TenantRow[]): Promise<ReadonlyMap<TenantRow, Match>> {
  const matches = new Map<TenantRow, Match>();
  for (const [tenantId, ofTenant] of Map.groupBy(rows, ({ tenant }) => tenant.id))
    for (const field of uniqueFields) {
      // Without an id in the row, the id is new.
      const asking = ofTenant.filter(({ given, user }) => (field === "id" ? given.id !== undefined : (user[field] ?? "") !== ""));
      const keyOf = ({ user }: TenantRow): string => foldField(field, user[field] ?? "");
      const scope = field === "id" ? globalScope : tenantScope(tenantId);
      const values = [...new Set(asking.map(keyOf))];
      if (values.length === 0) continue;
      const found = await findInChunks(call, scope, { table: usersTable, column: columns[field], values });
      const byKey = new Map(found.map((stored) => [keyOfStored(field, stored), stored]));
      for (const row of asking) {
        const stored = byKey.get(keyOf(row));
        if (stored === undefined) continue;
        const known = matches.get(row);
        const isOther = stored.tenantId !== tenantId || (known !== undefined && known.user?.id !== stored.id);
        matches.set(row, { user: isOther ? undefined : stored, fields: [...(known?.fields ?? []), field] });
      }
    }
  return matches;
}

function keyOfStored(field: UniqueField, stored: StoredRecord): string {
  return field === "id" ? stored.id : foldField(field, parseRecord<User>(stored)[field] ?? "");
}

/** Describes a row's collision with stored users. */
export function toDuplicateError({ user }: PreparedRow, fields: readonly UniqueField[]): IdentityError {
  const errors = new FieldErrorList();
  for (const field of fields) addDuplicate(errors, `user.${field}`, user[field] ?? "");
  return errors.toError();
}
