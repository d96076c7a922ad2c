import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type FamilyRow, type IdInput } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type {
  ChangePasswordRequest,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  PasswordChangeResponse,
  SecondFactorResponse,
} from "./schema.js";

/** Whom a login is counted for, and where. */
export type LoginPingInput = IdInput<"userId"> & { readonly applicationId?: string; readonly ipAddress?: string };

/** What can be done about logins (docs/reference/tokens.md#login). */
export interface LoginOperations {
  /** Checks a password and returns tokens, or what is needed first: a second factor or a new password. */
  readonly login: OperationSignature<LoginRequest, LoginResponse | PasswordChangeResponse | SecondFactorResponse>;
  /** Records a login that happened elsewhere; returns the user without tokens. */
  readonly ping: OperationSignature<LoginPingInput, LoginResponse>;
  /** Ends one session or all sessions of a user; succeeds with or without a token. */
  readonly logout: OperationSignature<LogoutRequest, undefined>;
  /** Sets a new password and revokes the refresh tokens of the user. The id is valid once and for ten minutes. */
  readonly changePassword: OperationSignature<ChangePasswordRequest & IdInput<"changePasswordId">, Record<never, never>>;
}

/** The right to choose a new password after proving the old one: found by the digest of its id (see `security/seal.ts`). */
export const passwordChangesTable: Table = defineTable({
  name: "passwordChanges",
  tenancy: "tenant",
  since: 3,
  columns: {
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
    digest: { type: "text" },
    expirationInstant: { type: "integer" },
  },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [{ columns: ["userId"] }, { columns: ["expirationInstant"] }],
});

/** The calls of `logins`. */
export const loginFamily: FamilyRow<"logins", LoginOperations> = {
  name: "logins",
  operations: {
    login: customOperation(),
    ping: customOperation("userId", "applicationId", "ipAddress"),
    logout: customOperation(),
    changePassword: customOperation("changePasswordId"),
  },
  routes: defineRoutes([
    ["POST", "/api/login", "optional", "login"],
    ["PUT", "/api/login", "tenant", "ping"],
    ["PUT", "/api/login/:userId", "tenant", "ping"],
    ["PUT", "/api/login/:userId/:applicationId", "tenant", "ping"],
    ["POST", "/api/login/:userId", "tenant", "ping"],
    ["POST", "/api/login/:userId/:applicationId", "tenant", "ping"],
    ["POST", "/api/logout", "public", "logout"],
    ["POST", "/api/user/change-password/:changePasswordId", "public", "changePassword"],
  ]),
  tables: [passwordChangesTable],
  retention: [[passwordChangesTable, "expirationInstant", 0]],
};
