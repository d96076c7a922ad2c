import { createHash } from "node:crypto";
import { Provider } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import { currentExchange } from "../exchange/exchange.js";
import { toServiceSeconds } from "../exchange/library-time.js";
import { findUserInfoClaims } from "./asked-claims.js";

interface AccessTokenModel {
  readonly accountId: string;
  readonly clientId: string;
  readonly expiration: number;
  readonly grantId?: string | undefined;
  readonly gty?: string | undefined;
  readonly jkt?: string | undefined;
  scope?: string | undefined;
}

interface IdTokenModel {
  readonly client: { readonly clientId: string };
  /** All claims about the user and the login. */
  readonly available: Readonly<Record<string, unknown>>;
  readonly scope?: string | undefined;
  payload(): Promise<Record<string, unknown>>;
}

/** The source of new tokens: a code, or an earlier refresh token. */
interface TokenSource {
  readonly claims?: unknown;
  readonly authTime?: number | undefined;
  readonly scope?: string | undefined;
}

/**
 * Makes a provider issue the service's tokens, with its claims, keys and lambdas. The library has no option for this: its own JWT
 * access tokens are for resource servers only, and one key signs the ID tokens of all clients.
 */
export function useServiceTokens(provider: Provider): void {
  Object.defineProperty(provider.AccessToken.prototype, "getValueAndPayload", { value: signAccessToken });
  Object.defineProperty(provider.IdToken.prototype, "issue", { value: signIdToken });
  Object.defineProperty(provider.IdToken, "validate", { value: readIdToken });
}

/** Whether an application gets a refresh token for these scopes. */
export async function issuesRefreshToken(clientId: string, scope: string | undefined): Promise<boolean> {
  const { core } = currentExchange();
  const { enabledGrants, generateRefreshTokens } = (await core.findClient(clientId))?.settings ?? {};
  const isEnabled = generateRefreshTokens === true && enabledGrants?.includes("refresh_token") === true;
  return isEnabled && scope?.split(" ").includes("offline_access") === true;
}

// A session without a refresh token has its own record, for revocation.
async function signAccessToken(this: AccessTokenModel): Promise<{ readonly value: string }> {
  const { authenticationType, core, proof, request, tenant, unit } = currentExchange();
  const { accountId: userId, clientId, gty = "authorization_code", jkt } = this;
  const { AuthorizationCode, DeviceCode, RefreshToken } = Provider.ctx?.oidc.entities ?? {};
  const source: TokenSource = RefreshToken ?? AuthorizationCode ?? DeviceCode ?? {};
  const isRefreshable = RefreshToken !== undefined || (await issuesRefreshToken(clientId, source.scope));
  this.scope = withOffline(this.scope ?? "", isRefreshable);
  if (!isRefreshable) {
    const userInfoClaims = findUserInfoClaims(source.claims);
    const session = { accountId: userId, clientId, grantId: this.grantId, proof, userInfoClaims };
    unit.upsert("AccessToken", unit.sessionId, session, this.expiration);
  }
  const { token } = await core.tokens.signAccess({
    request,
    unit,
    tenantId: tenant.id,
    userId,
    applicationId: clientId,
    authenticationType,
    authTime: source.authTime === undefined ? Math.floor(core.clock() / 1_000) : toServiceSeconds(source.authTime),
    grantTypes: gty.split(" ").map((name) => name.replace(/^.*:/, "")),
    jkt,
    provenAt: isObject(proof) && typeof proof.at === "number" ? proof.at : undefined,
    scope: this.scope,
    sessionId: unit.sessionId,
  });
  unit.accessToken = token;
  return { value: token };
}

// The scope shows the client whether it got a refresh token.
function withOffline(scope: string, isRefreshable: boolean): string {
  const others = scope.split(" ").filter((one) => one !== "offline_access" && one !== "");
  return [...others, ...(isRefreshable ? ["offline_access"] : [])].join(" ");
}

async function signIdToken(this: IdTokenModel): Promise<string> {
  const { authenticationType, core, request, tenant, unit } = currentExchange();
  const { sub, ...claims } = await this.payload();
  const { clientId } = this.client;
  // The left half of a digest of the code or token issued beside the ID token (OpenID Connect Core 3.3.2.11).
  for (const name of ["at_hash", "c_hash", "s_hash"]) {
    const value = claims[name];
    if (typeof value === "string") claims[name] = halfDigest(tenant.algorithmOf(clientId), value);
  }
  const { acr, amr, auth_time } = this.available;
  const time = auth_time === undefined ? undefined : toServiceSeconds(Number(auth_time));
  return core.tokens.signId({
    request,
    unit,
    tenantId: tenant.id,
    userId: String(sub),
    applicationId: clientId,
    authenticationType: Provider.ctx?.oidc.entities.RefreshToken === undefined ? authenticationType : "REFRESH_TOKEN",
    claims: { ...claims, acr, amr, auth_time: time, sid: claims.sid ?? unit.sessionId },
    // The library reduces the scopes of an ID token to those with known claims, so use the scope of the access token.
    scope: Provider.ctx?.oidc.entities.AccessToken?.scope ?? this.scope ?? "",
  });
}

function halfDigest(alg: string, text: string): string {
  const name = alg.endsWith("384") ? "sha384" : alg.endsWith("256") ? "sha256" : "sha512";
  const digest = createHash(name).update(text).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

async function readIdToken(token: string, client: { readonly clientId: string }): Promise<{ readonly payload: unknown }> {
  const { core, tenant } = currentExchange();
  const payload = await core.tokens.readId(token, tenant);
  if (![payload?.aud].flat().includes(client.clientId)) throw new Error("The ID token is not one of the client.");
  return { payload };
}
