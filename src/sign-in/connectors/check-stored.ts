import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { ConnectorPolicy } from "../../records/tenants/schema.js";
import type { User } from "../../records/users/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import type { VerifiedPassword } from "./call-connector.js";

/** A password to check, and the user with the login id; undefined for an unknown login id. */
export interface PasswordLogin {
  readonly place: LoginScope;
  readonly loginId: string;
  readonly password: string;
  readonly user: StoredRecord | undefined;
}

/**
 * The result of a password check: correct here, correct at a connector, wrong, or unknown because a connector does not answer.
 */
export type CheckedLogin =
  | { readonly kind: "accepted"; readonly policy: ConnectorPolicy; readonly accepted: VerifiedPassword }
  | { readonly kind: "stored"; readonly user: StoredRecord }
  | { readonly kind: "unavailable" }
  | { readonly kind: "wrong" };

/** Checks a password against the stored hash. An unknown user costs the same work as a known one. */
export async function checkStored(call: OperationCall, { password, user }: PasswordLogin): Promise<CheckedLogin> {
  const hash = user && parseHidden<{ readonly passwordHash?: string }>(user)?.passwordHash;
  const isRight = await call.service.accounts.passwords.verify(password, hash);
  return user !== undefined && isRight && parseRecord<User>(user).active ? { kind: "stored", user } : { kind: "wrong" };
}
