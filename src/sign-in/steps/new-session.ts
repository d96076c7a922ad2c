import { generalError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import type { LoginSignals } from "../../people/users/login-history.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { findEnding } from "../../sessions/validity/check-artifact.js";
import { proofOf } from "../../sessions/validity/proof.js";
import type { PasswordChangeReason } from "./require-password-change.js";

/** The identity provider of a login, as events and lambdas show it. */
export interface LoginProvider {
  readonly id: string;
  readonly name: string;
  readonly identityProviderType: string;
}

/** A session that is to begin: who proved to be who, and how. */
export interface NewSession {
  /** As the proof was checked against. */
  readonly user: StoredRecord;
  /** The application that the user wants to use: it exists, is active and of the user's tenant. */
  readonly applicationId: string | undefined;
  /** The claim `authenticationType`: `PASSWORD`, `ONE_TIME_PASSWORD`, `PASSWORDLESS`, `TWO_FACTOR`, `PING`, `WEBAUTHN`; that of the identity provider's type. */
  readonly authenticationType: string;
  /** The identity provider that vouches for the user; absent where this service checked a proof itself. */
  readonly identityProvider?: LoginProvider | undefined;
  /** Why the password that was proved must be changed first. */
  readonly changeReason?: PasswordChangeReason | undefined;
  /** Whether the proof was of two factors already, as a passkey is whose authenticator verified the user. */
  readonly isMultiFactor?: boolean | undefined;
  /** The proof that the login goes back to, where it was of an earlier step. Default: one of `user`. */
  readonly proof?: Proof | undefined;
  /** Whether to issue no tokens. */
  readonly noJwt: boolean;
  /** What was found out of the login; undefined where devices are not tracked. */
  readonly recognition?: LoginSignals | undefined;
  /** What the caller says of the device: an object, kept with the refresh token. */
  readonly metaData?: unknown;
}

/** The proof of a session that begins: what was checked counts as of the record that it was checked against. */
export function proofOfSession(session: ProvenUser): Proof {
  return session.proof ?? proofOf(session.user, session.authenticationType);
}

type ProvenUser = Pick<NewSession, "authenticationType" | "proof" | "user">;

/**
 * The user as they are now. Between the proof and this moment an administrator may have acted, whom a login must not outrun.
 * @throws IdentityError 401 `[invalidCredentials]` when what was proved has ended since, as by another password.
 */
export async function loadUnchanged(
  call: WriteCall,
  session: Pick<NewSession, "user"> & Partial<NewSession>,
  place?: LoginScope,
): Promise<StoredRecord> {
  const { applicationId, user: proven } = session;
  const tenantId = proven.tenantId ?? "";
  const user = await call.reader.retrieve(tenantScope(tenantId), usersTable, proven.id);
  const proof = proofOfSession({ authenticationType: "", ...session });
  const artifact = { kind: "twoFactorLogin", tenantId, userId: proven.id, applicationId, proof } as const;
  const ending = user === undefined ? "removal" : await findEnding(call, artifact, { ...place, user });
  // `assertUsableLogin` says what the caller learns of these.
  if (user === undefined || (ending !== undefined && ending !== "action" && ending !== "expiry"))
    throw generalError("invalidCredentials");
  return user;
}
