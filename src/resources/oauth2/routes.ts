import { defineRoutes, type Route } from "../../http/route/define-route.js";
import {
  type AnyOperation,
  defineOperation,
  formOnly,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import type { IntrospectRequest, IntrospectResponse, TokenRequest, TokenResponse, UserInfoResponse } from "./schema.js";
import { toBearerError, toOAuthError } from "./table.js";

/** What can be done by OAuth (RFC 6749, RFC 7662; docs/reference/oauth.md, docs/reference/tokens.md#access-tokens). */
export interface OAuth2Operations {
  /** A token for an entity that proves itself with its secret: the grant `client_credentials`. Refuses with an OAuthError. */
  readonly token: OperationSignature<TokenRequest, TokenResponse>;
  /** What a token says, if it is valid. Refuses with an OAuthError. */
  readonly introspect: OperationSignature<IntrospectRequest, IntrospectResponse>;
  /** Who the user is that calls with a token; the host has none. */
  readonly userInfo: OperationSignature<Record<never, never>, UserInfoResponse>;
}

export const oauth2Operations: OperationsOf<OAuth2Operations> = {
  token: defineOperation(
    "oauth2.token",
    [],
    lazyOperation(() => import("./rules.js"), "issueToken"),
    formOnly,
    toOAuthError,
  ),
  introspect: defineOperation(
    "oauth2.introspect",
    [],
    lazyOperation(() => import("./rules.js"), "introspectToken"),
    formOnly,
    toOAuthError,
  ),
  userInfo: defineOperation(
    "oauth2.userInfo",
    [],
    lazyOperation(() => import("../../accounts/tokens/user-info.js"), "getUserInfo"),
    formOnly,
    toBearerError,
  ),
};

export const oauth2Routes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/oauth2/token", "public", oauth2Operations.token],
  ["POST", "/oauth2/introspect", "public", oauth2Operations.introspect],
  ["GET", "/oauth2/userinfo", "user", oauth2Operations.userInfo],
  ["POST", "/oauth2/userinfo", "user", oauth2Operations.userInfo],
]);
