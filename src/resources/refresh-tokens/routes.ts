import type { TokenClaims } from "../../http/authenticate/principal.js";
import { defineRoutes, type Route } from "../../http/route/define-route.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import type { IdInput } from "../../operations/wire-types.js";
import type { RefreshRequest, RefreshToken } from "./schema.js";

/** A fresh access token, and the refresh token that it was made from. */
export interface RefreshResponse {
  /** The same refresh token: it does not change when you use it. */
  readonly refreshToken: string;
  /** The id of the refresh token. */
  readonly refreshTokenId: string;
  /** The new access token, a JWT. */
  readonly token: string;
}

/** Which refresh tokens to revoke: one by its id or value, or all of a user, an application or both. */
export interface RevokeTokensInput {
  /** Revokes the refresh token with this id; 404 for an unknown one. */
  readonly tokenId?: string;
  /** Revokes the refresh token with this value. */
  readonly token?: string;
  /** Revokes all refresh tokens of this user; with `applicationId` those for the application. */
  readonly userId?: string;
  /** Revokes all refresh tokens for this application. */
  readonly applicationId?: string;
}

/** What can be done with the tokens of logins (docs/reference/tokens.md#access-tokens, docs/reference/tokens.md#login). */
export interface JwtOperations {
  /** Issues an access token for a refresh token. */
  readonly refresh: OperationSignature<RefreshRequest, RefreshResponse>;
  /** Returns the refresh tokens of a user. */
  readonly list: OperationSignature<Partial<IdInput<"userId">>, { readonly refreshTokens: readonly RefreshToken[] }>;
  /** Returns a refresh token by its id, without its value. */
  readonly retrieve: OperationSignature<IdInput<"tokenId">, { readonly refreshToken: RefreshToken }>;
  /** Revokes refresh tokens, by id, value, user or application. */
  readonly revoke: OperationSignature<RevokeTokensInput, undefined>;
  /** For callers with a token; the host has none. */
  readonly validate: OperationSignature<Record<never, never>, { readonly jwt: TokenClaims }>;
}

export const jwtOperations: OperationsOf<JwtOperations> = {
  refresh: defineOperation(
    "jwt.refresh",
    [],
    lazyOperation(() => import("./rules.js"), "refreshAccessToken"),
  ),
  list: defineOperation(
    "jwt.list",
    ["userId"],
    lazyOperation(() => import("./rules.js"), "listRefreshTokens"),
  ),
  retrieve: defineOperation(
    "jwt.retrieve",
    ["tokenId"],
    lazyOperation(() => import("./rules.js"), "retrieveRefreshToken"),
  ),
  revoke: defineOperation(
    "jwt.revoke",
    ["tokenId", "token", "userId", "applicationId"],
    lazyOperation(() => import("./rules.js"), "revokeRefreshTokens"),
  ),
  validate: defineOperation(
    "jwt.validate",
    [],
    lazyOperation(() => import("./rules.js"), "validateToken"),
  ),
};

const { refresh, list, retrieve, revoke, validate } = jwtOperations;

// Users see and revoke their own.
export const jwtRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/jwt/refresh", "public", refresh],
  ["GET", "/api/jwt/refresh", "tenantOrUser", list],
  ["GET", "/api/jwt/refresh/:tokenId", "tenantOrUser", retrieve],
  ["DELETE", "/api/jwt/refresh", "tenantOrUser", revoke],
  ["DELETE", "/api/jwt/refresh/:tokenId", "tenantOrUser", revoke],
  ["GET", "/api/jwt/validate", "token", validate],
]);
