import { findEffectiveRoles, storedDirectory } from "../../directory/stored-directory.js";
import { parseRecord } from "../../operations/family/family.js";
import { directoryContext, type OperationCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import type { Registration } from "../../records/users/schema.js";
import { tokenSettingsOf } from "../../sessions/ending/lifetimes.js";
import { type TokenSubject, verifiedClaimOf } from "../../sessions/subjects/token-subject.js";
import { type SignedToken, type SignTokenOptions, signToken } from "../../sessions/tokens/sign-token.js";
import { recordUnusedOutput, runForUser } from "../steps/user-lambdas.js";

/** The claims of an access token besides those of its subject. */
export interface AccessTokenClaims {
  readonly authenticationType: string;
  /** The time of the login, in epoch seconds. */
  readonly authTime: number;
  /** The exact time of the login, in epoch milliseconds. Default: now. */
  readonly provenAt?: number | undefined;
  /** The id of the session: the id of its refresh token, if it has one. */
  readonly sessionId: string;
  /** Whether a refresh token is issued too. */
  readonly isRefreshable: boolean;
  /** The thumbprint of the key that binds the token (RFC 9449). */
  readonly jkt: string | undefined;
  /** Set for tokens of the OpenID provider; undefined for a login by the API. */
  readonly openId?: OpenIdToken | undefined;
}

/** The claims that the OpenID provider adds. */
export interface OpenIdToken {
  readonly issuer: string;
  readonly scope: string;
  /** The grant types, such as `authorization_code`. */
  readonly grantTypes: readonly string[];
}

/**
 * Signs an access token with the claims of docs/reference/tokens.md#access-tokens, after the application's lambda. The roles are
 * the user's current ones.
 */
export async function signAccessToken(
  call: OperationCall,
  subject: TokenSubject,
  { authenticationType, authTime, provenAt, sessionId, isRefreshable, jkt, openId }: AccessTokenClaims,
): Promise<SignedToken> {
  const { tenant, user, application } = subject;
  const { accessSeconds, keyId } = tokenSettingsOf(tenant, application);
  const claims = {
    ...applicationClaims(subject, await findRoles(call, subject)),
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
  const population = toPopulation(call, subject, { authenticationType, scopes: claims.scope.split(" ") });
  const header = openId && { gty: openId.grantTypes };
  const lifetimeSeconds = accessSeconds;
  return signToken(call, { tenant, keyId, issuer: openId?.issuer, header, claims, lifetimeSeconds, population, provenAt });
}

// Without a lambda, does nothing.
function toPopulation(
  call: OperationCall,
  subject: TokenSubject,
  context: { readonly authenticationType: string; readonly scopes: readonly string[] },
): SignTokenOptions["population"] {
  const lambdaId = subject.application?.lambdaConfiguration.accessTokenPopulateId;
  if (lambdaId === undefined) return undefined;
  const type = "JWTPopulate";
  return {
    populate: async (jwt) => (await runForUser(call, subject, { lambdaId, type, arguments: { jwt }, context })).jwt as typeof jwt,
    refuse: (message) => recordUnusedOutput(call, { lambdaId, type, tenantId: subject.tenant.id }, message),
  };
}

// An unregistered user gets neither the application nor roles in the token; its audience is the application all the same.
function applicationClaims({ application, registration }: TokenSubject, roles: readonly string[]): object {
  if (application === undefined) return {};
  if (registration === undefined) return { aud: application.id };
  return { applicationId: application.id, aud: application.id, roles };
}

/** The roles in tokens and userinfo. */
export async function findRoles(
  call: OperationCall,
  { user, tenant, application, registration: stored }: TokenSubject,
): Promise<readonly string[]> {
  if (application === undefined || stored === undefined) return [];
  const { directory } = call.service;
  const context = directoryContext(call, tenantScope(tenant.id));
  // Registrations of another directory are not loaded yet.
  const registration = directory === storedDirectory ? parseRecord<Registration>(stored) : undefined;
  return findEffectiveRoles(directory, context, { userId: user.id, applicationId: application.id, registration });
}
