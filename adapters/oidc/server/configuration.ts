import type { OAuthSettings } from "latchkey/types";
import { type Configuration, interactionPolicy, type JWK, type SigningAlgorithm } from "oidc-provider";
import { guardedFetch } from "../http/guarded-fetch.js";
import { routes } from "../http/routes.js";
import { isAllowedOrigin } from "../http/urls.js";
import { currentExchange } from "./exchange/exchange.js";
import { createPolicy, findAccount } from "./exchange/policy.js";
import { askedPrompt, loadGrant } from "./grants/grants.js";
import { RecordAdapter } from "./grants/record-adapter.js";
import { knownScopes, scopeClaims } from "./grants/scopes.js";
import { issuesRefreshToken } from "./grants/tokens.js";
import { createLibraryOptions, type ProviderParts } from "./interactions/library-options.js";

const days = 86_400;

/** Returns the library configuration for the tenant of the current exchange. */
export function createConfiguration(parts: ProviderParts): Configuration {
  const { cookies, host, pages } = parts;
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
    features: createLibraryOptions(parts),
    fetch: guardedFetch(host.http),
    jwks: { keys: tenant.keys.map(({ alg, jwk, kid }) => ({ ...jwk, alg, kid, use: "sig" }) as JWK) },
    renderError: (ctx, out) =>
      pages.show(ctx, { kind: "error", status: ctx.status, error: out.error, description: out.error_description }),
    routes,
    scopes: [...knownScopes],
    ttl: lifetimes,
  };
}

// Rules from the application's settings.
const clientRules: Configuration = {
  allowOmittingSingleRegisteredRedirectUri: false,
  // Many clients read the claims of their scopes only from the ID token.
  conformIdTokenClaims: false,
  clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
  expiresWithSession: async () => false,
  extraParams: [askedPrompt, "idp_hint"],
  issueRefreshToken: async (_ctx, client, source) => issuesRefreshToken(client.clientId, source.scope),
  loadExistingGrant: loadGrant,
  pkce: { required: (_ctx, client) => requiresProof(client.clientId) },
  responseTypes: ["code"],
  // An authenticated client may reuse a token.
  rotateRefreshToken: ({ oidc: { client } }) =>
    currentExchange().authentication === "none" || lifetimesOf(client?.clientId ?? "").isOneTimeUse,
};

function createLogin({ publicUrl = "" }: ProviderParts["host"]): Configuration {
  const base = new URL(publicUrl).pathname.replace(/\/$/, "");
  const url = (_ctx: unknown, { uid }: { readonly uid: string }) => `${base}/oauth2/interaction/${uid}`;
  return { findAccount, interactions: { policy: createPolicy(interactionPolicy), url } };
}

// In seconds. A refreshed session keeps its end.
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

/** Whether an application allows pages of an origin. */
export function allowsPages(settings: OAuthSettings, origin: string): boolean {
  return isAllowedOrigin(settings.authorizedOriginURLs, settings.authorizedURLValidationPolicy, origin);
}

function lifetimesOf(clientId: string) {
  return currentExchange().tenant.lifetimes(clientId);
}

// The library calls this right after reading the client.
function requiresProof(clientId: string): boolean {
  const settings = currentExchange().client?.settings;
  if (settings === undefined || currentExchange().client?.id !== clientId) return true;
  const { clientAuthenticationPolicy, proofKeyForCodeExchangePolicy: policy } = settings;
  if (policy === "NotRequiredWhenUsingClientAuthentication") return clientAuthenticationPolicy !== "Required";
  return policy === "Required";
}
