import { findEffectiveRoles, findRegistration } from "../directory/stored-directory.js";
import { generalError, IdentityError } from "../errors/identity-error.js";
import { toBearerError } from "../errors/oauth-error.js";
import type { HandleContext } from "../handle.js";
import type { ApiKeyPrincipal, ClientPrincipal, UserPrincipal } from "../http/authenticate/principal.js";
import { authorizeCall } from "../http/authorize/authorize-call.js";
import { checkHeaderTexts } from "../http/transport/read-parameters.js";
import type { ServiceContext } from "../operations/service-context.js";
import { tenantScope } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import { assertKnownOptions, type OptionNames } from "../shared/known-options.js";
import { parseUuid } from "../shared/text.js";
import { loadTokenCheck } from "./join-authentication.js";

/** A user with access to a route of the host. */
export interface AuthorizedUser extends UserPrincipal {
  /** The application of the token; undefined when the user is not registered to it, or the token has none. */
  readonly applicationId: string | undefined;
  /** The user's roles in that application. */
  readonly roles: readonly string[];
}

/** The caller of a route of the host, by kind. */
export interface RequestIdentities {
  /** A user with an access token. */
  readonly user: AuthorizedUser;
  /** The holder of an API key. */
  readonly apiKey: ApiKeyPrincipal;
}

/** The caller of a route of the host. */
export type RequestIdentity = RequestIdentities[keyof RequestIdentities];

/** Requirements of a token besides its validity. */
export interface VerifyTokenOptions {
  /** The application of the token, to which the user is registered. Default: any, or none. */
  readonly applicationId?: string | undefined;
  /**
   * Whether to check user, registration and session in the storage. Default false: only the signature and expiry are verified.
   */
  readonly fresh?: boolean | undefined;
}

/** Requirements of a route of the host. */
export interface AccessRequirement<Kind extends keyof RequestIdentities = keyof RequestIdentities> extends VerifyTokenOptions {
  /** The kind of caller: a user with an access token, or the holder of an API key. */
  readonly kind: Kind;
  /** A role of the user in the application; of several, one is enough. */
  readonly role?: string | readonly string[] | undefined;
  /** The tenant of the caller. Keys of all tenants pass. Default: any. */
  readonly tenantId?: string | undefined;
}

/** Requirements of a route for users. */
export interface UserGuardOptions extends VerifyTokenOptions {
  /** The tenant of the user. Default: any. */
  readonly tenantId?: string | undefined;
}

/** Requirements of a route for users with a role. */
export interface RoleGuardOptions extends UserGuardOptions {
  /** The application of the role. */
  readonly applicationId: string;
}

/** Requirements of a route for API keys. */
export interface ApiKeyGuardOptions {
  /** The tenant of the key. Keys of all tenants pass. Default: any. */
  readonly tenantId?: string | undefined;
}

/** Route guards in the form of a framework. */
export interface Guards<UserGuard, ApiKeyGuard> {
  /** Admits users with an access token. Others get 401. */
  requireUser(options?: UserGuardOptions): UserGuard;
  /** Admits users with a role; of several, one is enough. Others get 403, or 401 without a valid token. */
  requireRole(role: string | readonly string[], options: RoleGuardOptions): UserGuard;
  /** Admits holders of an API key. Others get 401. */
  requireApiKey(options?: ApiKeyGuardOptions): ApiKeyGuard;
}

/** Operations for guards of the host's routes. */
export interface GuardOperations {
  /**
   * Returns the principal of a valid token of this service that meets the options; undefined for any other text. Does not check
   * proof of possession.
   */
  verifyToken(token: string, options?: VerifyTokenOptions): Promise<AuthorizedUser | ClientPrincipal | undefined>;
  /**
   * Returns the caller of a host's route, authenticated as on the service's own routes.
   * @throws IdentityError 401 without a suitable credential; 403 for a user without the registration or the role.
   */
  authorize<Kind extends keyof RequestIdentities>(
    request: ApiRequest,
    requirement: AccessRequirement<Kind>,
  ): Promise<RequestIdentities[Kind]>;
}

/** Creates the operations of one service. */
export function guardOperations(context: HandleContext): GuardOperations {
  return {
    verifyToken: (token, options) => verifyTokenFor(context.service, token, options),
    authorize: (request, requirement) => authorizeRequest(context, request, requirement),
  };
}

const tokenOptions: OptionNames<VerifyTokenOptions> = { applicationId: "text", fresh: "boolean" };
const requirementOptions: OptionNames<AccessRequirement> = {
  ...tokenOptions,
  kind: "text",
  role: "text or list",
  tenantId: "text",
};

/** @throws TypeError for a requirement that no caller could meet, or with a role but no application. */
function assertRequirement({ ...requirement }: AccessRequirement): void {
  assertKnownOptions<AccessRequirement>("", requirement, requirementOptions);
  for (const name of ["applicationId", "tenantId"] as const)
    if (requirement[name] !== undefined && parseUuid(requirement[name]) === undefined)
      throw new TypeError(`${name} must be a UUID.`);
  if (requirement.role !== undefined && requirement.applicationId === undefined)
    throw new TypeError("A role is one of an application: pass { applicationId }.");
}

/** @throws IdentityError 401 without a suitable credential; 403 without the registration or the role. */
async function authorizeRequest<Kind extends keyof RequestIdentities>(
  context: HandleContext,
  request: ApiRequest,
  requirement: AccessRequirement<Kind>,
): Promise<RequestIdentities[Kind]>;
async function authorizeRequest(
  context: HandleContext,
  request: ApiRequest,
  requirement: AccessRequirement,
): Promise<RequestIdentity> {
  assertRequirement(requirement);
  try {
    return await findCaller(context, request, requirement);
  } catch (error) {
    throw requirement.kind === "user" && error instanceof IdentityError ? toBearerError(error, request) : error;
  }
}

async function findCaller(context: HandleContext, request: ApiRequest, requirement: AccessRequirement): Promise<RequestIdentity> {
  const { kind, tenantId } = requirement;
  checkHeaderTexts(request);
  const caller = await context.authenticator.authenticate(request, true);
  if (caller.kind !== kind) throw generalError("unauthorized");
  const header = request.headers[context.tenantHeaderName.toLowerCase()];
  const named = { name: context.tenantHeaderName, value: header && String(header), isRefusedOnGlobal: false };
  // A key's grants cover endpoints of the service, not the host's routes.
  const unlimited = caller.kind === "apiKey" ? { ...caller, grants: "all" as const } : caller;
  const { principal } = authorizeCall(unlimited, { method: "GET", endpoint: "", access: "tenantOrUser" }, named);
  const bound = principal?.tenantId;
  const isElsewhere = tenantId !== undefined && bound !== undefined && bound !== parseUuid(tenantId);
  if (isElsewhere) throw generalError("unauthorized");
  if (caller.kind !== "apiKey") return checkUser(context.service, caller, requirement);
  return caller.tenantIds === undefined ? caller : { ...caller, tenantId: bound, tenantIds: undefined };
}

async function checkUser(
  service: ServiceContext,
  principal: UserPrincipal,
  requirement: AccessRequirement,
): Promise<AuthorizedUser> {
  const applicationId = requirement.applicationId && parseUuid(requirement.applicationId);
  if (applicationId !== undefined && !isFor(principal, applicationId)) throw generalError("unauthorized");
  const isEnded = requirement.fresh === true && !(await (await loadTokenCheck()).isCurrentToken(service, principal));
  if (isEnded) throw generalError("unauthorized");
  const roles = requirement.fresh === true ? await findRoles(service, principal) : rolesIn(principal);
  if (roles === undefined) throw generalError("unauthorized");
  const own = principal.claims.applicationId;
  const isRegistered = applicationId === undefined || own === applicationId;
  const hasRole = requirement.role === undefined || [requirement.role].flat().some((role) => roles.includes(role));
  if (!isRegistered || !hasRole) throw generalError("forbidden");
  return { ...principal, applicationId: typeof own === "string" ? own : undefined, roles };
}

// The current roles; undefined for a user without a registration to the application of the token.
async function findRoles(
  service: ServiceContext,
  { claims, tenantId, userId }: UserPrincipal,
): Promise<readonly string[] | undefined> {
  const { applicationId } = claims;
  if (typeof applicationId !== "string") return [];
  const context = { scope: tenantScope(tenantId), reader: service.storage };
  const registration = await findRegistration(service.directory, context, { userId, applicationId });
  return registration && findEffectiveRoles(service.directory, context, { userId, applicationId, registration });
}

function isFor({ claims }: UserPrincipal, applicationId: string): boolean {
  return [claims.aud].flat().includes(applicationId);
}

function rolesIn({ claims }: UserPrincipal): readonly string[] {
  return Array.isArray(claims.roles) ? claims.roles.filter((role) => typeof role === "string") : [];
}

async function verifyTokenFor(
  service: ServiceContext,
  token: string,
  options: VerifyTokenOptions = {},
): Promise<AuthorizedUser | ClientPrincipal | undefined> {
  assertKnownOptions("", options, tokenOptions);
  const principal = await service.verifySignedToken(token);
  if (principal?.kind === "client") {
    const isCurrent = options.fresh !== true || (await (await loadTokenCheck()).isCurrentToken(service, principal));
    return isCurrent && options.applicationId === undefined ? principal : undefined;
  }
  if (principal === undefined) return undefined;
  return checkUser(service, principal, { ...options, kind: "user" }).catch((error: unknown) => {
    if (error instanceof IdentityError) return undefined;
    throw error;
  });
}
