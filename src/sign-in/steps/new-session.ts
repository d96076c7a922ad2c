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

/** A session to begin: the user and the proof. */
export interface NewSession {
  /** The record that the proof was checked against. */
  readonly user: StoredRecord;
  /** The application to log in to: it exists, is active and belongs to the user's tenant. */
  readonly applicationId: string | undefined;
  /**
   * The claim `authenticationType`: `PASSWORD`, `ONE_TIME_PASSWORD`, `PASSWORDLESS`, `TWO_FACTOR`, `PING`, `WEBAUTHN`, or that of
   * the identity provider's type.
   */
  readonly authenticationType: string;
  /** The identity provider that authenticated the user; absent when this service checked the proof. */
  readonly identityProvider?: LoginProvider | undefined;
  /** The reason why the user must change the password first. */
  readonly changeReason?: PasswordChangeReason | undefined;
  /** Whether the proof covers two factors, such as a passkey with user verification. */
  readonly isMultiFactor?: boolean | undefined;
  /** The original proof of the login, from an earlier step. Default: a proof of `user`. */
  readonly proof?: Proof | undefined;
  /** Whether to issue no tokens. */
  readonly noJwt: boolean;
  /** The recognized device and threats; undefined when devices are not tracked. */
  readonly recognition?: LoginSignals | undefined;
  /** The caller's description of the device: an object, stored with the refresh token. */
  readonly metaData?: unknown;
}

/** The proof of a new session, based on the record that it was checked against. */
export function proofOfSession(session: ProvenUser): Proof {
  return session.proof ?? proofOf(session.user, session.authenticationType);
}

type ProvenUser = Pick<NewSession, "authenticationType" | "proof" | "user">;

/**
 * The current user. An administrator may have acted since the proof: a login must not bypass that.
 * @throws IdentityError 401 `[invalidCredentials]` when the proof has ended since, as by another password.
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
  // `assertUsableLogin` throws the errors for these.
  if (user === undefined || (ending !== undefined && ending !== "action" && ending !== "expiry"))
    throw generalError("invalidCredentials");
  return user;
}
