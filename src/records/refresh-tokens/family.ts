import type { TokenClaims } from "../../http/authenticate/principal.js";
import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type FamilyRow, type IdInput } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { openIdRecordsTable } from "../openid-records.js";
import type { RefreshRequest, RefreshToken } from "./schema.js";

/** A new access token, and its refresh token. */
export interface RefreshResponse {
  /** The refresh token: a new one if `refreshTokenUsagePolicy` is `OneTimeUse`. */
  readonly refreshToken: string;
  /** The id of the refresh token. */
  readonly refreshTokenId: string;
  /** The new access token, a JWT. */
  readonly token: string;
}

/** The refresh tokens to revoke: one by id or value, or all of a user, an application or both. */
export interface RevokeTokensInput {
  /** Revokes the refresh token with this id; 404 for an unknown one. */
  readonly tokenId?: string;
  /** Revokes the refresh token with this value. */
  readonly token?: string;
  /** Revokes all refresh tokens of this user; with `applicationId` those for the application. */
  readonly userId?: string;
  /** Revokes all refresh tokens for this application. */
  readonly applicationId?: string;
  /** With `userId` or `applicationId`: the refresh token to keep, such as that of the caller's session. */
  readonly exceptTokenId?: string;
}

/** Operations on the tokens of logins (docs/reference/tokens.md#access-tokens, docs/reference/tokens.md#login). */
export interface JwtOperations {
  /** Issues an access token for a refresh token. */
  readonly refresh: OperationSignature<RefreshRequest, RefreshResponse>;
  /** Returns the refresh tokens of a user. */
  readonly list: OperationSignature<Partial<IdInput<"userId">>, { readonly refreshTokens: readonly RefreshToken[] }>;
  /** Returns a refresh token by its id, without its value. */
  readonly retrieve: OperationSignature<IdInput<"tokenId">, { readonly refreshToken: RefreshToken }>;
  /** Revokes refresh tokens, by id, value, user or application. */
  readonly revoke: OperationSignature<RevokeTokensInput, undefined>;
  /** Returns the claims of the caller's token. Not for the host, which has no token. */
  readonly validate: OperationSignature<Record<never, never>, { readonly jwt: TokenClaims }>;
}

/** Refresh tokens, by the digest of their value (see `security/seal.ts`). */
export const refreshTokensTable: Table = defineTable({
  name: "refreshTokens",
  tenancy: "tenant",
  since: 3,
  columns: {
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
    applicationId: { type: "id", isNullable: true, references: { table: "applications", onRemove: "cascade" } },
    digest: { type: "text" },
    expirationInstant: { type: "integer" },
    /** The grant of the user to a client: see `openid`. */
    grantId: { type: "text", isNullable: true, since: 9 },
  },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [
    { columns: ["userId"] },
    { columns: ["applicationId"] },
    { columns: ["expirationInstant"] },
    { columns: ["grantId"], since: 9 },
  ],
});

/** The family of tokens. */
export const jwtFamily: FamilyRow<"jwt", JwtOperations> = {
  name: "jwt",
  operations: {
    refresh: customOperation(),
    list: customOperation("userId"),
    retrieve: customOperation("tokenId"),
    revoke: customOperation("tokenId", "token", "userId", "applicationId", "exceptTokenId"),
    validate: customOperation(),
  },
  // Users list and revoke their own tokens.
  routes: defineRoutes([
    ["POST", "/api/jwt/refresh", "public", "refresh"],
    ["GET", "/api/jwt/refresh", "tenantOrUser", "list"],
    ["GET", "/api/jwt/refresh/:tokenId", "tenantOrUser", "retrieve"],
    ["DELETE", "/api/jwt/refresh", "tenantOrUser", "revoke"],
    ["DELETE", "/api/jwt/refresh/:tokenId", "tenantOrUser", "revoke"],
    ["GET", "/api/jwt/validate", "token", "validate"],
  ]),
  tables: [refreshTokensTable],
  retention: [[refreshTokensTable, "expirationInstant", 0]],
  announced: [refreshTokensTable, openIdRecordsTable],
};
