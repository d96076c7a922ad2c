import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { usersTable } from "../../resources/users/family.js";
import type { User } from "../../resources/users/schema.js";
import { findTokenSubject, type LoginScope, type TokenSubject } from "../tokens/token-subject.js";
import { toUserInfo } from "../tokens/user-info.js";
import { filterUserInfo } from "./claims.js";

/** A user who may log in. */
export interface OpenIdUser {
  /** The id of the user. */
  readonly id: string;
  /** Whether the user is registered to the application that was asked about. */
  readonly isRegistered: boolean;
  /** A login of before, in epoch seconds, counts for nothing: the password has changed since. */
  readonly loginsCountFrom: number;
  /** The claims that scopes stand for, apart by blanks, and those that were asked for by name. */
  readonly claims: (scope: string, names?: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
}

/** A user as the provider's library needs him. */
export function toOpenIdUser(call: OperationCall, subject: TokenSubject): OpenIdUser {
  const { registration, user } = subject;
  const { passwordLastUpdateInstant = 0 } = user;
  return {
    id: user.id,
    isRegistered: registration !== undefined,
    // Both are of one second where a login follows the change.
    loginsCountFrom: Math.floor(passwordLastUpdateInstant / 1_000),
    claims: async (scope, names) => filterUserInfo(subject, await toUserInfo(call, subject, { scope }), { scope, names }),
  };
}

/** Whom tokens for a user are made for; undefined for one who may not log in. */
export async function findSubject(
  call: OperationCall,
  userId: string,
  findScope: () => Promise<LoginScope>,
): Promise<TokenSubject | undefined> {
  const stored = await call.reader.retrieve(call.scope, usersTable, userId);
  if (stored === undefined) return undefined;
  const { active, expiry } = parseRecord<User>(stored);
  if (!active || (expiry !== undefined && expiry <= call.service.runtime.clock())) return undefined;
  return findTokenSubject(call, stored, await findScope());
}
