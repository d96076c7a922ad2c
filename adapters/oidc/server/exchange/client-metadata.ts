import type { OAuthSettings, OpenIdClient } from "latchkey/types";
import type { AdapterPayload, AllClientMetadata } from "oidc-provider";
import { isRegistered } from "../../http/urls.js";
import type { Exchange } from "./exchange.js";

/** Grants that the provider implements; others are stored but unused. */
const grants: ReadonlySet<string> = new Set([
  "authorization_code",
  "refresh_token",
  "urn:ietf:params:oauth:grant-type:device_code",
]);

/**
 * Returns the client metadata for the current request: the requested URL if it is registered, and the authentication method if
 * the application allows it. Undefined for an application of another tenant.
 */
export async function findClientMetadata(exchange: Exchange, clientId: string): Promise<AdapterPayload | undefined> {
  const client = await exchange.core.findClient(clientId);
  if (client === undefined || client.id !== clientId || client.tenantId !== exchange.tenant.id) return undefined;
  exchange.client = client;
  return { ...(await toMetadata(exchange, client)) } as AdapterPayload;
}

async function toMetadata(exchange: Exchange, client: OpenIdClient): Promise<AllClientMetadata> {
  const { params, tenant } = exchange;
  const { name, settings } = client;
  const redirect = redirectOf(settings, await findRedirect(exchange));
  const ending = params.get("post_logout_redirect_uri") ?? undefined;
  const grantTypes = settings.enabledGrants.filter((grant) => grants.has(grant));
  const isAuthorizing = grantTypes.includes("authorization_code");
  return {
    client_id: client.id,
    client_name: name,
    client_secret: settings.clientSecret,
    token_endpoint_auth_method: await authenticationOf(exchange, settings),
    application_type:
      redirect === undefined || /^https:|^http:\/\/(?!127\.0\.0\.1|\[::1\]|localhost)/.test(redirect) ? "web" : "native",
    redirect_uris: isAuthorizing ? [redirect ?? makeUnusableUrl(exchange)] : [],
    post_logout_redirect_uris: ending !== undefined && isEnd(settings, ending) ? [ending] : [],
    grant_types: isAuthorizing ? grantTypes : grantTypes.filter((grant) => grant !== "refresh_token" || grantTypes.length > 1),
    response_types: isAuthorizing ? ["code"] : [],
    id_token_signed_response_alg: tenant.algorithmOf(client.id) as AllClientMetadata["id_token_signed_response_alg"],
    ...(settings.backchannelLogoutURL && {
      backchannel_logout_uri: settings.backchannelLogoutURL,
      backchannel_logout_session_required: true,
    }),
  };
}

// A random placeholder for the required redirect URL, when the request has no registered one: nobody can request it.
function makeUnusableUrl({ random }: Exchange): string {
  return `https://${Buffer.from(random(16)).toString("hex")}.invalid/`;
}

function redirectOf({ authorizedRedirectURLs, authorizedURLValidationPolicy }: OAuthSettings, asked: string | undefined) {
  return asked !== undefined && isRegistered(authorizedRedirectURLs, authorizedURLValidationPolicy, asked) ? asked : undefined;
}

/** Whether a logout may redirect to a URL. */
function isEnd(settings: OAuthSettings, url: string): boolean {
  return redirectOf(settings, url) !== undefined || settings.logoutURL === url;
}

// After the first request, the URL is in the library's own records.
async function findRedirect({ params, request, unit }: Exchange): Promise<string | undefined> {
  const given = params.get("redirect_uri");
  if (given !== null) return given;
  const pushed = /^urn:ietf:params:oauth:request_uri:(.+)$/.exec(params.get("request_uri") ?? "")?.[1];
  const [, uid] = /\/oauth2\/(?:authorize|interaction)\/([\w-]+)/.exec(request.path) ?? [];
  const stored =
    pushed === undefined ? uid && (await unit.find("Interaction", uid)) : await unit.find("PushedAuthorizationRequest", pushed);
  if (!stored) return undefined;
  const known = pushed === undefined ? stored.params : decodeRequest(stored.request);
  const url = typeof known === "object" && known !== null && "redirect_uri" in known ? known.redirect_uri : undefined;
  return typeof url === "string" ? url : undefined;
}

// A pushed request is stored as an unsigned JWT.
function decodeRequest(jwt: unknown): unknown {
  const [, payload = ""] = String(jwt).split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString() || "null");
}

async function authenticationOf(exchange: Exchange, settings: OAuthSettings): Promise<Exchange["authentication"]> {
  const { authentication } = exchange;
  return authentication === "none" && !(await mayBePublic(exchange, settings)) ? "client_secret_basic" : authentication;
}

// A client without a secret proves with a code verifier that it started the login; its refresh tokens need no secret.
async function mayBePublic({ params, unit }: Exchange, settings: OAuthSettings): Promise<boolean> {
  const { clientAuthenticationPolicy: policy, proofKeyForCodeExchangePolicy: proof } = settings;
  if (policy === "Required") return false;
  if (params.get("grant_type") === "authorization_code" && (policy === "NotRequiredWhenUsingPKCE" || proof !== "NotRequired"))
    return params.has("code_verifier");
  const token = params.get("refresh_token");
  if (policy === "NotRequired" || token === null) return true;
  // For an ended token, the client must get `invalid_grant`, which asks for a new login, not an authentication error.
  const found = await unit.find("RefreshToken", token);
  return found === undefined || found.isPublic === true;
}
