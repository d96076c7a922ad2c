import { generalError } from "../../errors/identity-error.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { usersTable } from "../../resources/users/family.js";
import type { User } from "../../resources/users/schema.js";
import { digestSecret } from "../../security/seal.js";
import type { LoginSignals } from "../devices/login-history.js";
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
  /** Whether to issue no tokens. */
  readonly noJwt: boolean;
  /** What was found out of the login; undefined where devices are not tracked. */
  readonly recognition?: LoginSignals | undefined;
  /** What the caller says of the device: an object, kept with the refresh token. */
  readonly metaData?: unknown;
}

/**
 * The user as he is now. Between the proof and this moment an administrator may have acted, whom a login must not outrun.
 * @throws IdentityError 404 when he went, was locked out or got another password since.
 */
export async function loadUnchanged(call: WriteCall, proven: StoredRecord): Promise<StoredRecord> {
  const fresh = await call.reader.retrieve(tenantScope(proven.tenantId ?? ""), usersTable, proven.id);
  const isSame = (one: StoredRecord): boolean =>
    one.hidden === proven.hidden || passwordDigestOf(one) === passwordDigestOf(proven);
  if (fresh === undefined || !parseRecord<User>(fresh).active || !isSame(fresh)) throw generalError("notFound");
  return fresh;
}

/** Identifies a password of a user: the digest of its first hash. */
export function passwordDigestOf(user: StoredRecord): string {
  const hidden = parseHidden<{ readonly firstHashDigest?: string; readonly passwordHash?: string }>(user);
  return hidden?.firstHashDigest ?? digestSecret(hidden?.passwordHash ?? "");
}
