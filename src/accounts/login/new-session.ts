import type { StoredRecord } from "../../ports/storage.js";
import type { LoginSignals } from "../devices/login-history.js";
import type { PasswordChangeReason } from "./required-step.js";

/** A session that is to begin: who proved to be who, and how. */
export interface NewSession {
  /** As the proof was checked against. */
  readonly user: StoredRecord;
  /** The application that the user wants to use: it exists, is active and of the user's tenant. */
  readonly applicationId: string | undefined;
  /** The claim `authenticationType`: `PASSWORD`, `ONE_TIME_PASSWORD`, `PASSWORDLESS`, `TWO_FACTOR`, `PING`. */
  readonly authenticationType: string;
  /** Why the password that was proved must be changed first. */
  readonly changeReason?: PasswordChangeReason | undefined;
  /** Whether to issue no tokens. */
  readonly noJwt: boolean;
  /** What was found out of the login; undefined where devices are not tracked. */
  readonly recognition?: LoginSignals | undefined;
  /** What the caller says of the device: an object, kept with the refresh token. */
  readonly metaData?: unknown;
}
