import { toBearerError, toOAuthError } from "../../errors/oauth-error.js";
import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import { formOnly, type OperationSignature } from "../../operations/operation.js";
import type { IntrospectRequest, IntrospectResponse, TokenRequest, TokenResponse, UserInfoResponse } from "./schema.js";

/** What can be done by OAuth (RFC 6749, RFC 7662; docs/reference/oauth.md, docs/reference/tokens.md#access-tokens). */
export interface OAuth2Operations {
  /** A token for an entity that proves itself with its secret: the grant `client_credentials`. Refuses with an OAuthError. */
  readonly token: OperationSignature<TokenRequest, TokenResponse>;
  /** What a token says, if it is valid. Refuses with an OAuthError. */
  readonly introspect: OperationSignature<IntrospectRequest, IntrospectResponse>;
  /** Who the user is that calls with a token; the host has none. */
  readonly userInfo: OperationSignature<Record<never, never>, UserInfoResponse>;
}

/** The calls of `oauth2`. */
export const oauth2Family: FamilyRow<"oauth2", OAuth2Operations> = {
  name: "oauth2",
  operations: {
    token: { ...customOperation(), bodyKinds: formOnly, toRefusal: toOAuthError },
    introspect: { ...customOperation(), bodyKinds: formOnly, toRefusal: toOAuthError },
    userInfo: { ...customOperation(), bodyKinds: formOnly, toRefusal: toBearerError },
  },
  routes: defineRoutes([
    ["POST", "/oauth2/token", "public", "token"],
    ["POST", "/oauth2/introspect", "client", "introspect"],
    ["GET", "/oauth2/userinfo", "user", "userInfo"],
    ["POST", "/oauth2/userinfo", "user", "userInfo"],
  ]),
};
