import { findEffectiveRoles, storedDirectory } from "../../directory/stored-directory.js";
import { parseRecord } from "../../operations/family/family.js";
import { directoryContext, type OperationCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import type { Registration } from "../../records/users/schema.js";
import { tokenSettingsOf } from "../../sessions/ending/lifetimes.js";
import { type TokenSubject, verifiedClaimOf } from "../../sessions/subjects/token-subject.js";
import { type SignedToken, type SignTokenOptions, signToken } from "../../sessions/tokens/sign-token.js";
import { recordUnusedOutput, runForUser } from "../steps/user-lambdas.js";

/** What a token says beside its subject. */
export interface AccessTokenClaims {
  readonly authenticationType: string;
  /** When the user proved who he is, in epoch seconds. */
  readonly authTime: number;
  /** When exactly, in epoch milliseconds. Default: now. */
  readonly provenAt?: number | undefined;
  /** The session: the id of its refresh token where it has one. */
  readonly sessionId: string;
  /** Whether a refresh token goes with it. */
  readonly isRefreshable: boolean;
  /** The thumbprint of the key that the token is bound to (RFC 9449). */
  readonly jkt: string | undefined;
  /** The roles of the user in the application, where they were read before. Default: read now. */
  readonly roles?: readonly string[] | undefined;
  /** What a client of the OpenID provider got it for; undefined for a login by the API. */
  readonly openId?: OpenIdToken | undefined;
}

/** What the OpenID provider says of a token. */
export interface OpenIdToken {
  readonly issuer: string;
  /** The scopes that were granted. */
  readonly scope: string;
  /** How the token was obtained, such as `authorization_code`. */
  readonly grantTypes: readonly string[];
}

/**
 * Signs an access token with the claims of docs/reference/tokens.md#access-tokens, as the lambda of the application leaves them. The roles are those that the user
 * has at this moment.
 */
export async function signAccessToken(
  call: OperationCall,
  subject: TokenSubject,
  { authenticationType, authTime, provenAt, sessionId, isRefreshable, jkt, openId, roles }: AccessTokenClaims,
): Promise<SignedToken> {
  const { tenant, user, application } = subject;
  const { accessSeconds, keyId } = tokenSettingsOf(tenant, application);
  const claims = {
    ...applicationClaims(subject, roles ?? (await findRoles(call, subject))),
    auth_time: authTime,
    authenticationType,
    cnf: jkt === undefined ? undefined : { jkt },
    email: user.email,
    email_verified: verifiedClaimOf(subject, "email"),
    phone_number: user.phoneNumber,
    preferred_username: user.username,
    scope: openId?.scope ?? (isRefreshable ? "openid offline_access" : "openid"),
    ...(openId !== undefined && { client_id: application?.id, gty: openId.grantTypes }),
    sid: sessionId,
    sub: user.id,
    tty: "at",
  };
  const population = toPopulation(call, subject, authenticationType, claims.scope);
  const header = openId && { gty: openId.grantTypes };
  const lifetimeSeconds = accessSeconds;
  return signToken(call, { tenant, keyId, issuer: openId?.issuer, header, claims, lifetimeSeconds, population, provenAt });
}

// The lambda of the application; without one nothing of lambdas is looked at.
function toPopulation(
  call: OperationCall,
  subject: TokenSubject,
  authenticationType: string,
  scope: string,
): SignTokenOptions["population"] {
  const lambdaId = subject.application?.lambdaConfiguration.accessTokenPopulateId;
  if (lambdaId === undefined) return undefined;
  const type = "JWTPopulate";
  const context = { authenticationType, scopes: scope.split(" ") };
  return {
    populate: async (jwt) => (await runForUser(call, subject, { lambdaId, type, arguments: { jwt }, context })).jwt as typeof jwt,
    refuse: (message) => recordUnusedOutput(call, { lambdaId, type, tenantId: subject.tenant.id }, message),
  };
}

// Who is not registered has neither the application nor roles in the token; it is made for the application all the same.
function applicationClaims({ application, registration }: TokenSubject, roles: readonly string[]): object {
  if (application === undefined) return {};
  if (registration === undefined) return { aud: application.id };
  return { applicationId: application.id, aud: application.id, roles };
}

/** The roles that tokens and userinfo name. */
export async function findRoles(
  call: OperationCall,
  { user, tenant, application, registration: stored }: TokenSubject,
): Promise<readonly string[]> {
  if (application === undefined || stored === undefined) return [];
  const { directory } = call.service;
  const context = directoryContext(call, tenantScope(tenant.id));
  // What another directory says of it is not known yet.
  const registration = directory === storedDirectory ? parseRecord<Registration>(stored) : undefined;
  return findEffectiveRoles(directory, context, { userId: user.id, applicationId: application.id, registration });
}
