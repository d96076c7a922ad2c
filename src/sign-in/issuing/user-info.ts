import { generalError } from "../../errors/identity-error.js";
import type { TokenClaims, UserPrincipal } from "../../http/authenticate/principal.js";
import { hasHeader } from "../../http/authenticate/read-credential.js";
import { noStoreHeaders, type OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import { usersTable } from "../../records/users/family.js";
import { findLoginScope, findTokenSubject, type TokenSubject, verifiedClaimOf } from "../../sessions/subjects/token-subject.js";
import { applicationIdOf } from "../../sessions/validity/check-token.js";
import { findUserInfoClaims } from "../../sessions/validity/live-session.js";
import { runForUser } from "../steps/user-lambdas.js";
import { findRoles } from "./access-token.js";
import { filterUserInfo } from "./claims.js";

/**
 * GET and POST /oauth2/userinfo: the current claims of a token's user (OIDC Core 5.3), after the lambda of the token's
 * application.
 * @throws IdentityError 401 without a user's token in a header, and for an ended token.
 */
export async function getUserInfo(call: OperationCall): Promise<OperationResult> {
  const { principal, request } = call;
  // Cookies do not count: browsers send them automatically.
  const isPresented = request === undefined || hasHeader(request);
  if (principal?.kind !== "user" || !isPresented) throw generalError("unauthorized");
  const { claims, tenantId, userId } = principal;
  const stored = await call.reader.retrieve(call.scope, usersTable, userId);
  if (stored === undefined) throw generalError("unauthorized");
  const subject = await findTokenSubject(call, stored, await findLoginScope(call, tenantId, applicationIdOf(claims)));
  const all = await toUserInfo(call, subject, claims);
  // Other tokens were issued to the application itself, which may read the user.
  const shown = Array.isArray(claims.gty) ? await filterByToken(call, { all, principal, subject }) : all;
  const userInfo = await populate(call, subject, { jwt: claims, userInfo: shown });
  return { status: 200, json: toCanonicalJson(userInfo), headers: noStoreHeaders };
}

interface AskedUserInfo {
  readonly all: Readonly<Record<string, unknown>>;
  readonly principal: UserPrincipal;
  readonly subject: TokenSubject;
}

// The claims of a token's scopes, and those that its client requested by name.
async function filterByToken(call: OperationCall, { all, principal, subject }: AskedUserInfo) {
  const names = await findUserInfoClaims(call, principal);
  return filterUserInfo(subject, all, { names, scope: String(principal.claims.scope) });
}

/** Every claim of a user. */
export async function toUserInfo(
  call: OperationCall,
  subject: TokenSubject,
  { scope }: { readonly scope?: unknown; readonly [claim: string]: unknown },
): Promise<Readonly<Record<string, unknown>>> {
  const { application, registration, tenant, user } = subject;
  const { firstName, fullName, lastName } = user;
  const names = [firstName, lastName].filter((name) => name !== undefined);
  const isRegistered = application !== undefined && registration !== undefined;
  return {
    ...(isRegistered && { applicationId: application.id, roles: await findRoles(call, subject) }),
    birthdate: user.birthDate,
    email: user.email,
    email_verified: verifiedClaimOf(subject, "email"),
    family_name: lastName,
    given_name: firstName,
    middle_name: user.middleName,
    name: fullName ?? (names.length === 0 ? undefined : names.join(" ")),
    phone_number: user.phoneNumber,
    picture: user.imageUrl,
    preferred_username: user.username,
    scope,
    sub: user.id,
    tid: tenant.id,
  };
}

async function populate(
  call: OperationCall,
  subject: TokenSubject,
  given: { readonly jwt: TokenClaims; readonly userInfo: object },
): Promise<unknown> {
  const lambdaId = subject.application?.lambdaConfiguration.userinfoPopulateId;
  if (lambdaId === undefined) return given.userInfo;
  const lambdaCall = { lambdaId, type: "UserInfoPopulate", arguments: given, context: {} } as const;
  return (await runForUser(call, subject, lambdaCall)).userInfo;
}
