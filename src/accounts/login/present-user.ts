import type { OperationCall } from "../../operations/operation.js";
import { presentRecords } from "../../operations/record-steps.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { usersTable } from "../../resources/users/family.js";
import { users } from "../../resources/users/rules.js";

/** A user as the wire and events show it, in JSON. */
export async function presentUser(call: OperationCall, stored: StoredRecord): Promise<string> {
  const [json = "{}"] = await presentRecords(call, users, [stored]);
  return json;
}

/** The user with this id as events show it; undefined for none. */
export async function findPresentedUser(call: OperationCall, userId: string | undefined): Promise<unknown> {
  const stored = userId === undefined ? undefined : await call.reader.retrieve(globalScope, usersTable, userId);
  return stored && JSON.parse(await presentUser(call, stored));
}
