import { data, id, instant, list, object, type Schema, text } from "../../http/schema/fields.js";

/** A refresh token of another system. */
export interface ImportedRefreshToken {
  /** The value of the token: 16 to 1,000 characters. Stored as a digest. */
  readonly token: string;
  /** The user of the token. */
  readonly userId: string;
  /** An application that the user is registered to. */
  readonly applicationId?: string | undefined;
  /** Default: a new UUID. */
  readonly id?: string | undefined;
  /** When the token was issued, in epoch milliseconds. Default: now. */
  readonly insertInstant?: number | undefined;
  /** Metadata of the device, from the login. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** The instant of the login, in epoch milliseconds, at which the lifetime begins. Default: `insertInstant`. */
  readonly startInstant?: number | undefined;
}

/** The body of an import of refresh tokens. */
export interface RefreshTokenImportRequest {
  /** The tokens. All of them are stored, or none. */
  readonly refreshTokens: readonly ImportedRefreshToken[];
  /** Ignored: an import always reports every fault. */
  readonly validateDbConstraints?: boolean | undefined;
}

/** The refresh tokens of the body, without a limit. */
export const refreshTokenImportRequest: Schema<RefreshTokenImportRequest> = object({
  refreshTokens: list(
    object({
      applicationId: id().optional(),
      id: id().optional(),
      insertInstant: instant().optional(),
      metaData: data().optional(),
      startInstant: instant().optional(),
      token: text().min(16, { error: "tooShort" }).max(1_000, { error: "tooLong" }),
      userId: id(),
    }),
  ),
});
