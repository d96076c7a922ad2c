import type { OperationCall } from "../operations/operation.js";
import type { Proof } from "../records/refresh-tokens/schema.js";
import { usersTable } from "../records/users/family.js";
import { findTokenSubject, type LoginScope, type TokenSubject } from "../sessions/subjects/token-subject.js";
import { proofOf } from "../sessions/validity/proof.js";
import { filterUserInfo } from "../sign-in/issuing/claims.js";
import { toUserInfo } from "../sign-in/issuing/user-info.js";

/** A user who may log in. */
export interface OpenIdUser {
  /** The id of the user. */
  readonly id: string;
  /** Whether the user is registered to the requested application. */
  readonly isRegistered: boolean;
  /** Returns the user's proof of identity, now or at an instant in epoch milliseconds, by types of authentication. */
  readonly proof: (by: readonly string[], at?: number) => Proof;
  /** Returns the claims of scopes, separated by spaces, and claims that the client requested by name. */
  readonly claims: (scope: string, names?: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
}

/** Creates the user for the provider's library. */
export function toOpenIdUser(call: OperationCall, subject: TokenSubject): OpenIdUser {
  const { registration, user } = subject;
  return {
    id: user.id,
    isRegistered: registration !== undefined,
    proof: (by, at) => (at === undefined ? proofOf(subject.stored, by) : { at, by }),
    claims: async (scope, names) => filterUserInfo(subject, await toUserInfo(call, subject, { scope }), { scope, names }),
  };
}

/** Returns the subject of tokens; undefined for a removed user. `findEnding` checks whether the user may log in. */
export async function findSubject(
  call: OperationCall,
  userId: string,
  findScope: () => Promise<LoginScope>,
): Promise<TokenSubject | undefined> {
  const stored = await call.reader.retrieve(call.scope, usersTable, userId);
  return stored && findTokenSubject(call, stored, await findScope());
}
