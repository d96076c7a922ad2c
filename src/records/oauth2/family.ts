import { toBearerError, toOAuthError } from "../../errors/oauth-error.js";
import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import { formOnly, type OperationSignature } from "../../operations/operation.js";
import type { IntrospectRequest, IntrospectResponse, TokenRequest, TokenResponse, UserInfoResponse } from "./schema.js";

/** Operations of OAuth (RFC 6749, RFC 7662; docs/reference/oauth.md, docs/reference/tokens.md#access-tokens). */
export interface OAuth2Operations {
  /** Issues a token to an entity that authenticates with its secret: the grant `client_credentials`. Throws an OAuthError. */
  readonly token: OperationSignature<TokenRequest, TokenResponse>;
  /** Returns the claims of a valid token. Throws an OAuthError. */
  readonly introspect: OperationSignature<IntrospectRequest, IntrospectResponse>;
  /** Returns the claims of the user of the caller's token. Not for the host, which has no token. */
  readonly userInfo: OperationSignature<Record<never, never>, UserInfoResponse>;
}

/** The family of OAuth calls. */
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
