import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type FamilyRow, type IdInput } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type {
  ChangePasswordRequest,
  ChangePasswordResponse,
  CheckPasswordChangeInput,
  ForgotPasswordRequest,
  ForgotPasswordResponse,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  PasswordChangeResponse,
  SecondFactorResponse,
  VerificationRequiredResponse,
} from "./schema.js";

/** The user, and optionally the application, of a login elsewhere. */
export type LoginPingInput = IdInput<"userId"> & { readonly applicationId?: string; readonly ipAddress?: string };

/** Operations on logins (docs/reference/tokens.md#login). */
export interface LoginOperations {
  /** Checks a password and returns tokens, or the next requirement: a second factor, a new password or a verification. */
  readonly login: OperationSignature<
    LoginRequest,
    LoginResponse | PasswordChangeResponse | SecondFactorResponse | VerificationRequiredResponse
  >;
  /** Records a login that happened elsewhere; returns the user without tokens. */
  readonly ping: OperationSignature<LoginPingInput, LoginResponse>;
  /** Ends one session or all sessions of a user; succeeds with or without a token. */
  readonly logout: OperationSignature<LogoutRequest, undefined>;
  /** Starts the change of a forgotten password; returns the id to a caller with a key, and nothing to other callers. */
  readonly forgotPassword: OperationSignature<ForgotPasswordRequest, ForgotPasswordResponse>;
  /**
   * Whether a password can be changed by an id, or for a login id; 400 `[TrustTokenRequired]` for a user with a second factor.
   */
  readonly checkPasswordChange: OperationSignature<CheckPasswordChangeInput, undefined>;
  /** Sets a new password by an id or for a login id, and revokes the refresh tokens of the user. An id works once. */
  readonly changePassword: OperationSignature<ChangePasswordRequest, ChangePasswordResponse>;
}

/**
 * One-time ids of account flows, such as the one in the link of a mail: each works once, for one purpose, until it expires.
 * Only the digest is stored.
 */
export const oneTimeIdsTable: Table = defineTable({
  name: "oneTimeIds",
  tenancy: "tenant",
  since: 8,
  columns: {
    purpose: { type: "text" },
    userId: { type: "id", isNullable: true, references: { table: "users", onRemove: "cascade" } },
    applicationId: { type: "id", isNullable: true, references: { table: "applications", onRemove: "cascade" } },
    digest: { type: "text" },
    expirationInstant: { type: "integer" },
  },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [{ columns: ["userId"] }, { columns: ["applicationId"] }, { columns: ["expirationInstant"] }],
});

/** The family of logins. */
export const loginFamily: FamilyRow<"logins", LoginOperations> = {
  name: "logins",
  operations: {
    login: customOperation(),
    ping: customOperation("userId", "applicationId", "ipAddress"),
    logout: customOperation(),
    forgotPassword: customOperation(),
    checkPasswordChange: customOperation("changePasswordId", "loginId"),
    changePassword: customOperation(),
  },
  routes: defineRoutes([
    ["POST", "/api/login", "optional", "login"],
    ["PUT", "/api/login", "tenant", "ping"],
    ["PUT", "/api/login/:userId", "tenant", "ping"],
    ["PUT", "/api/login/:userId/:applicationId", "tenant", "ping"],
    ["POST", "/api/login/:userId", "tenant", "ping"],
    ["POST", "/api/login/:userId/:applicationId", "tenant", "ping"],
    ["POST", "/api/logout", "public", "logout"],
    ["POST", "/api/user/forgot-password", "optional", "forgotPassword"],
    ["GET", "/api/user/change-password", "optionalOrUser", "checkPasswordChange"],
    ["GET", "/api/user/change-password/:changePasswordId", "optional", "checkPasswordChange"],
    ["POST", "/api/user/change-password", "optionalOrUser", "changePassword"],
    ["POST", "/api/user/change-password/:changePasswordId", "optionalOrUser", "changePassword"],
  ]),
  tables: [oneTimeIdsTable],
  retention: [[oneTimeIdsTable, "expirationInstant", 0]],
};
