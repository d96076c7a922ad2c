import type { OAuthSettings, ProtocolHost } from "latchkey/types";
import { type Configuration, interactionPolicy, type JWK, type KoaContextWithOIDC, type SigningAlgorithm } from "oidc-provider";
import type { CookieRules } from "../http/cookies.js";
import { guardedFetch } from "../http/guarded-fetch.js";
import { isAllowedOrigin } from "../http/urls.js";
import type { ProviderPage } from "../interactions.js";
import { currentExchange } from "./exchange.js";
import { askedPrompt, loadGrant } from "./grants/grants.js";
import { knownScopes, scopeClaims } from "./grants/scopes.js";
import { createPolicy, findAccount } from "./policy.js";
import { RecordAdapter } from "./records/record-adapter.js";
import { issuesRefreshToken } from "./tokens.js";

/** What a provider needs beside its tenant. */
export interface ProviderParts {
  readonly host: ProtocolHost;
  readonly cookies: CookieRules;
  /** Shows a page in place of one of the library's. */
  readonly show: (ctx: KoaContextWithOIDC, page: ProviderPage) => Promise<void>;
}

const days = 86_400;

/** The paths of the endpoints. */
export const routes = {
  authorization: "/oauth2/authorize",
  code_verification: "/oauth2/device",
  device_authorization: "/oauth2/device_authorize",
  end_session: "/oauth2/logout",
  introspection: "/oauth2/introspect",
  jwks: "/.well-known/jwks.json",
  pushed_authorization_request: "/oauth2/par",
  revocation: "/oauth2/revoke",
  token: "/oauth2/token",
  userinfo: "/oauth2/userinfo",
} as const;

/** The configuration of the provider of the tenant of the exchange at hand. */
export function createConfiguration(parts: ProviderParts): Configuration {
  const { cookies, host, show } = parts;
  const { tenant } = currentExchange();
  return {
    ...clientRules,
    ...createLogin(host),
    clientBasedCORS: (_ctx, origin) => {
      const settings = currentExchange().client?.settings;
      return host.allowsOrigin(origin) || (settings !== undefined && allowsPages(settings, origin));
    },
    adapter: RecordAdapter,
    claims: { ...scopeClaims, openid: ["sub", "acr", "amr"], auth_time: null, iss: null, sid: null },
    cookies: cookies.toOptions(tenant.id, host.deriveSecrets("oidc cookies")),
    discovery: { frontchannel_logout_supported: true, frontchannel_logout_session_supported: false },
    enabledJWA: { idTokenSigningAlgValues: [...new Set(tenant.keys.map(({ alg }) => alg))] as SigningAlgorithm[] },
    features: createFeatures(show),
    fetch: guardedFetch(host.http),
    jwks: { keys: tenant.keys.map(({ alg, jwk, kid }) => ({ ...jwk, alg, kid, use: "sig" }) as JWK) },
    renderError: (ctx, out) =>
      show(ctx, { kind: "error", status: ctx.status, error: out.error, description: out.error_description }),
    routes,
    scopes: [...knownScopes],
    ttl: lifetimes,
  };
}

// What the settings of the application say.
const clientRules: Configuration = {
  allowOmittingSingleRegisteredRedirectUri: false,
  // Many clients read the claims of their scopes in the ID token alone.
  conformIdTokenClaims: false,
  clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
  expiresWithSession: async () => false,
  extraParams: [askedPrompt, "idp_hint"],
  issueRefreshToken: async (_ctx, client, source) => issuesRefreshToken(client.clientId, source.scope),
  loadExistingGrant: loadGrant,
  pkce: { required: (_ctx, client) => requiresProof(client.clientId) },
  responseTypes: ["code"],
  // A client that proves itself may use a token again.
  rotateRefreshToken: ({ oidc: { client } }) =>
    currentExchange().authentication === "none" || lifetimesOf(client?.clientId ?? "").isOneTimeUse,
};

function createLogin({ publicUrl = "" }: ProviderParts["host"]): Configuration {
  const base = new URL(publicUrl).pathname.replace(/\/$/, "");
  const url = (_ctx: unknown, { uid }: { readonly uid: string }) => `${base}/oauth2/interaction/${uid}`;
  return { findAccount, interactions: { policy: createPolicy(interactionPolicy), url } };
}

// In seconds. A session that is refreshed keeps its end.
const lifetimes: Configuration["ttl"] = {
  AccessToken: (_ctx, _token, client) => lifetimesOf(client.clientId).accessSeconds,
  AuthorizationCode: 60,
  DeviceCode: 600,
  Grant: 90 * days,
  IdToken: (_ctx, _token, client) => lifetimesOf(client.clientId).accessSeconds,
  Interaction: 3_600,
  RefreshToken: (ctx, _token, client) =>
    ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? lifetimesOf(client.clientId).refreshSeconds,
  Session: 14 * days,
};

/** Whether the settings of an application allow pages of an origin. */
export function allowsPages(settings: OAuthSettings, origin: string): boolean {
  return isAllowedOrigin(settings.authorizedOriginURLs, settings.authorizedURLValidationPolicy, origin);
}

function lifetimesOf(clientId: string) {
  return currentExchange().tenant.lifetimes(clientId);
}

// The library asks while it holds the client, which was read a moment before.
function requiresProof(clientId: string): boolean {
  const settings = currentExchange().client?.settings;
  if (settings === undefined || currentExchange().client?.id !== clientId) return true;
  const { clientAuthenticationPolicy, proofKeyForCodeExchangePolicy: policy } = settings;
  if (policy === "NotRequiredWhenUsingClientAuthentication") return clientAuthenticationPolicy !== "Required";
  return policy === "Required";
}

function createFeatures(show: ProviderParts["show"]): Configuration["features"] {
  const on = { enabled: true };
  const off = { enabled: false };
  return {
    backchannelLogout: on,
    claimsParameter: on,
    // The core answers it, for entities.
    clientCredentials: on,
    dPoP: on,
    devInteractions: off,
    deviceFlow: {
      ...on,
      userCodeInputSource: (ctx, _form, _out, error) => {
        if (!hasBegun(ctx)) return toBegin(ctx);
        return show(ctx, { kind: "deviceCode", form: formOf(ctx, "code_verification"), error: error && codeErrorOf(error) });
      },
      userCodeConfirmSource: (ctx, _form, _client, _device, userCode) => {
        const fields = { user_code: userCode, confirm: "yes" };
        return show(ctx, { kind: "deviceConfirm", form: formOf(ctx, "code_verification", fields), userCode });
      },
      successSource: (ctx) => show(ctx, { kind: "deviceDone" }),
    },
    introspection: { ...on, allowedPolicy: isLiveToken },
    pushedAuthorizationRequests: on,
    resourceIndicators: off,
    revocation: { ...on, allowedPolicy: isOwnToken },
    rpInitiatedLogout: {
      ...on,
      logoutSource: (ctx) => show(ctx, { kind: "logout", form: formOf(ctx, "end_session_confirm") }),
      postLogoutSuccessSource: (ctx) => show(ctx, { kind: "loggedOut", frames: [] }),
    },
    userinfo: on,
  };
}

// A refresh token is its client's alone.
function isOwnToken(
  _ctx: unknown,
  client: { readonly clientId: string },
  token: { readonly clientId?: string | undefined },
): boolean {
  return token.clientId === client.clientId;
}

async function isLiveToken(ctx: KoaContextWithOIDC, client: { readonly clientId: string }, token: OwnedToken): Promise<boolean> {
  if (!isOwnToken(ctx, client, token)) return false;
  return token.accountId === undefined || (await findAccount(ctx, token.accountId, token)) !== undefined;
}

interface OwnedToken {
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly kind?: string | undefined;
}

// A form that comes without the session of its page has no page to be shown again on: the library would fail to save the session.
function hasBegun(ctx: KoaContextWithOIDC): boolean {
  return ctx.method !== "POST" || ctx.oidc.session?.exp !== undefined;
}

function toBegin(ctx: KoaContextWithOIDC): void {
  if (ctx.oidc.session !== undefined) Object.assign(ctx.oidc.session, { touched: false });
  ctx.status = 303;
  ctx.redirect(ctx.oidc.urlFor("code_verification"));
}

function formOf(ctx: KoaContextWithOIDC, route: string, fields: Readonly<Record<string, string>> = {}) {
  const { pathname } = new URL(ctx.oidc.urlFor(route));
  const { secret } = ctx.oidc.session?.state ?? {};
  return { action: pathname, fields: { ...fields, xsrf: String(secret) } };
}

const codeErrors = {
  NoCodeError: "missing",
  NotFoundError: "unknown",
  ExpiredError: "expired",
  AlreadyUsedError: "used",
  AbortedError: "aborted",
} as const;

function codeErrorOf({ name }: Error): (typeof codeErrors)[keyof typeof codeErrors] {
  return Object.entries(codeErrors).find(([known]) => known === name)?.[1] ?? "unknown";
}
