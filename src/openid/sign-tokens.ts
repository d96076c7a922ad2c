import { isFor, keyPurposesTable } from "../operations/references/key-purposes.js";
import type { ServiceContext } from "../operations/service-context.js";
import { tenantScope } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import { isBuiltInKey } from "../records/keys/family.js";
import { isSignedBy, parseJws } from "../security/compact-jws.js";
import { isTokenKey, type TokenKey } from "../security/keys/loaded-keys.js";
import { openIdIssuerOf } from "../sessions/ending/issuer.js";
import { tokenSettingsOf } from "../sessions/ending/lifetimes.js";
import { findIdTokenKey, type OpenIdTenant } from "../sessions/ending/read-tenant.js";
import type { TokenSubject } from "../sessions/subjects/token-subject.js";
import { type SignedToken, type SignTokenOptions, signToken } from "../sessions/tokens/sign-token.js";
import { signAccessToken } from "../sign-in/issuing/access-token.js";
import { recordUnusedOutput, runForUser } from "../sign-in/steps/user-lambdas.js";
import { toOpenIdCall } from "./openid-call.js";
import type { OpenIdUnit } from "./openid-unit.js";

/** The subject of a token, with the request. */
interface TokenRequest {
  readonly request: ApiRequest;
  readonly unit: OpenIdUnit;
  readonly tenantId: string;
  readonly userId: string;
  readonly applicationId: string;
  /** The authentication type of the login, such as `PASSWORD` (default) or `WEBAUTHN`. */
  readonly authenticationType: string | undefined;
}

/** An access token to sign. */
export interface AccessTokenRequest extends TokenRequest {
  /** The scopes of the token, separated by spaces. */
  readonly scope: string;
  /** The grants that led to the token, such as `authorization_code`. */
  readonly grantTypes: readonly string[];
  /** The claim `sid`: the session of the refresh token. */
  readonly sessionId: string;
  /** When the user logged in, in epoch seconds. */
  readonly authTime: number;
  /** The instant of the user's last proof of identity, in epoch milliseconds. Default: now. */
  readonly provenAt?: number | undefined;
  /** The thumbprint of the DPoP key that the token is bound to. */
  readonly jkt: string | undefined;
}

/** An ID token to sign. */
export interface IdTokenRequest extends TokenRequest {
  /** The claims of the protocol. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The scopes of the login, for the lambda. */
  readonly scope: string;
}

/** Signs the OpenID provider's tokens like the service's own. */
export class OpenIdTokens {
  readonly #service: ServiceContext;

  constructor(service: ServiceContext) {
    this.#service = service;
  }

  /** Signs an access token. @throws Error when the user may no longer log in. */
  async signAccess(asked: AccessTokenRequest): Promise<SignedToken> {
    const { authTime, grantTypes, jkt, provenAt, scope, sessionId, tenantId } = asked;
    const call = toOpenIdCall(this.#service, tenantId, asked.request);
    const subject = await this.#subjectOf(asked);
    const issuer = openIdIssuerOf(this.#service.accounts.publicUrl, subject.tenant) ?? "";
    const isRefreshable = scope.split(" ").includes("offline_access");
    const authenticationType = grantTypes.at(-1) === "refresh_token" ? "REFRESH_TOKEN" : (asked.authenticationType ?? "PASSWORD");
    const openId = { grantTypes, issuer, scope };
    const session = { authenticationType, authTime, isRefreshable, jkt, openId, provenAt, sessionId };
    return signAccessToken(call, subject, session);
  }

  /** Signs an ID token. @throws Error when the user may no longer log in. */
  async signId(asked: IdTokenRequest): Promise<string> {
    const { applicationId, claims, tenantId, userId } = asked;
    const call = toOpenIdCall(this.#service, tenantId, asked.request);
    const subject = await this.#subjectOf(asked);
    const { application, tenant } = subject;
    const key = await findIdTokenKey(this.#service, tenant, application);
    const { token } = await signToken(call, {
      tenant,
      keyId: key.id,
      issuer: openIdIssuerOf(this.#service.accounts.publicUrl, tenant),
      claims: { ...claims, aud: applicationId, sub: userId },
      lifetimeSeconds: tokenSettingsOf(tenant, application).accessSeconds,
      population: this.#toPopulation(call, subject, asked),
    });
    return token;
  }

  /**
   * Returns the claims of an ID token, even an expired one, that the tenant issued with a current or former key for ID tokens;
   * undefined for any other text.
   */
  async readId(
    token: string,
    tenant: Pick<OpenIdTenant, "id" | "issuer">,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const jws = await parseJws(token);
    const { alg, kid, typ } = jws?.header ?? {};
    const key = typeof kid === "string" ? await this.#service.openKeys.byKid(kid) : undefined;
    if (jws === undefined || !isTokenKey(key) || key.type === "HMAC" || alg !== key.alg || typ !== "JWT") return undefined;
    const { iss, sub, tid, tty } = jws.payload;
    const isOurs = tid === tenant.id && iss === tenant.issuer && typeof sub === "string" && tty === undefined;
    if (!isOurs || jws.header.gty !== undefined || !(await this.#signsFor(key, tenant.id))) return undefined;
    return (await isSignedBy(key.alg, key.verificationKey, jws)) ? jws.payload : undefined;
  }

  // Purposes of keys stay recorded, so that tokens remain valid after a change of keys.
  async #signsFor({ id }: TokenKey, tenantId: string): Promise<boolean> {
    if (isBuiltInKey({ id })) return true;
    const named = await this.#service.storage.find(tenantScope(tenantId), keyPurposesTable, isFor(id, ["token"]), { limit: 1 });
    return named.length > 0;
  }

  async #subjectOf({ applicationId, request, unit, userId }: TokenRequest): Promise<TokenSubject> {
    const subject = await unit.findSubject(request, { applicationId, userId });
    if (subject === undefined) throw new Error("The user may no longer log in.");
    return subject;
  }

  #toPopulation(
    call: ReturnType<typeof toOpenIdCall>,
    subject: TokenSubject,
    asked: IdTokenRequest,
  ): SignTokenOptions["population"] {
    const lambdaId = subject.application?.lambdaConfiguration.idTokenPopulateId;
    if (lambdaId === undefined) return undefined;
    const type = "JWTPopulate";
    const { authenticationType = "PASSWORD", scope } = asked;
    const context = { authenticationType, scopes: scope.split(" ") };
    return {
      populate: async (jwt) =>
        (await runForUser(call, subject, { lambdaId, type, arguments: { jwt }, context })).jwt as typeof jwt,
      refuse: (message) => recordUnusedOutput(call, { lambdaId, type, tenantId: subject.tenant.id }, message),
    };
  }
}
