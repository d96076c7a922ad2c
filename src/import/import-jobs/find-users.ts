import { FieldErrorList, type IdentityError } from "../../errors/identity-error.js";
import { findInChunks } from "../../operations/bulk-write.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { addDuplicate, foldField, uniqueFields } from "../bulk-users/parse-import.js";
import type { PreparedRow } from "./prepare-rows.js";

/** A row with the tenant that its user is of. */
export interface TenantRow extends PreparedRow {
  readonly tenant: StoredRecord;
}

const columns = { id: "id", email: "email", phoneNumber: "phoneNumber", username: "usernameFolded" } as const;

type UniqueField = keyof typeof columns;

/** What a row shares with users who exist. */
export interface Match {
  /** The one user whom the row is about; undefined where there are several, or one of another tenant. */
  readonly user: StoredRecord | undefined;
  readonly fields: readonly UniqueField[];
}

/** What no two users of a tenant may share, as texts that say which field of which tenant they are. */
export function keysOf({ tenant, user }: TenantRow): readonly string[] {
  return uniqueFields.flatMap((field) => {
    const value = user[field] ?? "";
    return value === "" ? [] : [`${field} ${field === "id" ? "" : tenant.id} ${foldField(field, value)}`];
  });
}

/** The rows that share something with users who exist: a look for each field, however many rows there are. */
export async function findMatches(call: OperationCall, rows: readonly TenantRow[]): Promise<ReadonlyMap<TenantRow, Match>> {
  const matches = new Map<TenantRow, Match>();
  for (const [tenantId, ofTenant] of Map.groupBy(rows, ({ tenant }) => tenant.id))
    for (const field of uniqueFields) {
      // An id that the row does not name is a fresh one.
      const asking = ofTenant.filter(({ given, user }) => (field === "id" ? given.id !== undefined : (user[field] ?? "") !== ""));
      const keyOf = ({ user }: TenantRow): string => foldField(field, user[field] ?? "");
      const scope = field === "id" ? globalScope : tenantScope(tenantId);
      const values = [...new Set(asking.map(keyOf))];
      if (values.length === 0) continue;
      const found = await findInChunks(call, scope, { table: usersTable, column: columns[field], values });
      const byKey = new Map(found.map((stored) => [keyOfStored(field, stored), stored]));
      for (const row of asking) {
        const stored = byKey.get(keyOf(row));
        if (stored !== undefined) matches.set(row, addMatch(matches.get(row), field, stored, tenantId));
      }
    }
  return matches;
}

function keyOfStored(field: UniqueField, stored: StoredRecord): string {
  return field === "id" ? stored.id : foldField(field, parseRecord<User>(stored)[field] ?? "");
}

function addMatch(known: Match | undefined, field: UniqueField, stored: StoredRecord, tenantId: string): Match {
  const isOther = stored.tenantId !== tenantId || (known !== undefined && known.user?.id !== stored.id);
  return { user: isOther ? undefined : stored, fields: [...(known?.fields ?? []), field] };
}

/** The refusal of a row that shares values with users who exist. */
export function toDuplicateError({ user }: PreparedRow, fields: readonly UniqueField[]): IdentityError {
  const errors = new FieldErrorList();
  for (const field of fields) addDuplicate(errors, `user.${field}`, user[field] ?? "");
  return errors.toError();
}
