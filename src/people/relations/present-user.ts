import type { PresentedFamily } from "../../operations/family/family.js";
import { presentRecords } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { userFamily, usersTable } from "../../records/users/family.js";
import type { ParsedUserRequest, User } from "../../records/users/schema.js";
import { presentWithRelations } from "./user-relations.js";

const users: PresentedFamily<User, ParsedUserRequest> = { ...userFamily, rules: { present: presentWithRelations } };

/** A user in JSON, as on the wire and in events. */
export async function presentUser(call: OperationCall, stored: StoredRecord): Promise<string> {
  const [json = "{}"] = await presentRecords(call, users, [stored]);
  return json;
}

/** The user with this id in the form of events; undefined for none. */
export async function findPresentedUser(call: OperationCall, userId: string | undefined): Promise<unknown> {
  const stored = userId === undefined ? undefined : await call.reader.retrieve(globalScope, usersTable, userId);
  return stored && JSON.parse(await presentUser(call, stored));
}
