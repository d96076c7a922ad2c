/** The endpoints of a provider. */
export interface ProviderEndpoints {
  /** The authorization endpoint, for browsers. */
  readonly authorization_endpoint?: string | undefined;
  /** The endpoint that reports the client of an access token. */
  readonly inspection_endpoint?: string | undefined;
  /** The issuer: its discovery document has the other endpoints. */
  readonly issuer?: string | undefined;
  /** The token endpoint. */
  readonly token_endpoint?: string | undefined;
  /** The userinfo endpoint. */
  readonly userinfo_endpoint?: string | undefined;
}

/** The settings of a provider type with OAuth 2.0 or OpenID Connect. */
export interface ProviderRow {
  readonly endpoints: ProviderEndpoints;
  /** The argument of the reconcile lambda with the provider's claims. */
  readonly argument: string;
  /** The claims for the user's id, username and display name; the first one with a text counts. */
  readonly claims: {
    readonly id: readonly string[];
    readonly displayName: readonly string[];
    readonly username: readonly string[];
  };
  /** The member of the record with the client id. Default `client_id`. */
  readonly clientIdMember?: string;
  /** Whether the client secret goes into the body. Default: into the header. */
  readonly isSecretInBody?: boolean;
  /** Whether the provider supports PKCE; others may refuse its parameters. */
  readonly usesPkce: boolean;
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly scope: string;
  /** Whether an address without `email_verified` counts as verified: the provider only shares verified ones. */
  readonly showsVerifiedEmailsOnly?: boolean;
}

const usual = { id: ["sub"], displayName: ["name"], username: ["preferred_username"] };

/** The provider types with OAuth 2.0 or OpenID Connect. */
export const providerRows: Readonly<Record<string, ProviderRow>> = {
  Apple: {
    endpoints: { issuer: "https://appleid.apple.com" },
    argument: "idToken",
    claims: usual,
    clientIdMember: "servicesId",
    isSecretInBody: true,
    usesPkce: false,
    // With scopes, Apple only responds by form post.
    parameters: { response_mode: "form_post" },
    scope: "openid name email",
  },
  EpicGames: {
    endpoints: {
      authorization_endpoint: "https://www.epicgames.com/id/authorize",
      token_endpoint: "https://api.epicgames.dev/epic/oauth/v2/token",
      userinfo_endpoint: "https://api.epicgames.dev/epic/oauth/v2/userInfo",
    },
    argument: "userInfo",
    claims: { ...usual, displayName: ["preferred_username"] },
    usesPkce: false,
    scope: "basic_profile",
  },
  Facebook: {
    endpoints: {
      authorization_endpoint: "https://www.facebook.com/v21.0/dialog/oauth",
      inspection_endpoint: "https://graph.facebook.com/v21.0/debug_token",
      token_endpoint: "https://graph.facebook.com/v21.0/oauth/access_token",
      userinfo_endpoint: "https://graph.facebook.com/v21.0/me",
    },
    argument: "facebookUser",
    claims: { id: ["id"], displayName: ["name"], username: [] },
    clientIdMember: "appId",
    isSecretInBody: true,
    usesPkce: true,
    scope: "email",
    showsVerifiedEmailsOnly: true,
  },
  Google: {
    endpoints: {
      inspection_endpoint: "https://oauth2.googleapis.com/tokeninfo",
      issuer: "https://accounts.google.com",
    },
    argument: "idToken",
    claims: usual,
    isSecretInBody: true,
    usesPkce: true,
    scope: "openid email profile",
  },
  LinkedIn: {
    endpoints: {
      authorization_endpoint: "https://www.linkedin.com/oauth/v2/authorization",
      token_endpoint: "https://www.linkedin.com/oauth/v2/accessToken",
      userinfo_endpoint: "https://api.linkedin.com/v2/userinfo",
    },
    argument: "linkedInUser",
    claims: { ...usual, username: [] },
    isSecretInBody: true,
    usesPkce: false,
    scope: "openid profile email",
  },
  Nintendo: {
    endpoints: {
      authorization_endpoint: "https://accounts.nintendo.com/connect/1.0.0/authorize",
      token_endpoint: "https://accounts.nintendo.com/connect/1.0.0/api/token",
      userinfo_endpoint: "https://api.accounts.nintendo.com/2.0.0/users/me",
    },
    argument: "userInfo",
    claims: { id: ["id"], displayName: ["nickname"], username: ["nickname"] },
    usesPkce: false,
    scope: "openid user email",
  },
  OpenIDConnect: {
    endpoints: {},
    argument: "jwt",
    claims: usual,
    usesPkce: true,
    scope: "openid email profile",
  },
  SonyPSN: {
    endpoints: {
      authorization_endpoint: "https://ca.account.sony.com/api/v1/oauth/authorize",
      token_endpoint: "https://ca.account.sony.com/api/v1/oauth/token",
      userinfo_endpoint: "https://ca.account.sony.com/api/v1/oauth/userinfo",
    },
    argument: "userInfo",
    claims: { id: ["user_id", "sub"], displayName: ["online_id"], username: ["online_id"] },
    usesPkce: false,
    scope: "psn:s2s",
  },
  Twitch: {
    endpoints: {
      authorization_endpoint: "https://id.twitch.tv/oauth2/authorize",
      inspection_endpoint: "https://id.twitch.tv/oauth2/validate",
      token_endpoint: "https://id.twitch.tv/oauth2/token",
      userinfo_endpoint: "https://id.twitch.tv/oauth2/userinfo",
    },
    argument: "userInfo",
    claims: { ...usual, displayName: ["preferred_username"] },
    isSecretInBody: true,
    usesPkce: false,
    parameters: { claims: '{"userinfo":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}' },
    scope: "openid user:read:email",
  },
  Xbox: {
    endpoints: {
      authorization_endpoint: "https://login.live.com/oauth20_authorize.srf",
      // Xbox exchanges the account token for a console token, which identifies the player.
      inspection_endpoint: "https://user.auth.xboxlive.com/user/authenticate",
      token_endpoint: "https://login.live.com/oauth20_token.srf",
      userinfo_endpoint: "https://xsts.auth.xboxlive.com/xsts/authorize",
    },
    argument: "userInfo",
    claims: { id: ["xid"], displayName: ["gtg"], username: ["gtg"] },
    isSecretInBody: true,
    usesPkce: true,
    scope: "XboxLive.signin offline_access",
  },
};
