import {
  type AccessRequirement,
  assertKnownOptions,
  type IdentityService,
  type OptionNames,
  type VerifyTokenOptions,
} from "latchkey";

/** What a route asks of a user. */
export interface UserGuardOptions extends VerifyTokenOptions {
  /** The tenant of the user. Default: any. */
  readonly tenantId?: string | undefined;
}

/** What a route asks of a user with a role. */
export interface RoleGuardOptions extends UserGuardOptions {
  /** The application of the role. */
  readonly applicationId: string;
}

/** What a route asks of the holder of an API key. */
export interface ApiKeyGuardOptions {
  /** The tenant of the key; keys of all tenants pass. Default: any. */
  readonly tenantId?: string | undefined;
}

/** Guards of routes, as a framework takes them. */
export interface Guards<UserGuard, ApiKeyGuard> {
  /** Lets users with an access token pass. Others get 401. */
  requireUser(options?: UserGuardOptions): UserGuard;
  /** Lets users with a role pass; of several, one is enough. Others get 403, and 401 without a good token. */
  requireRole(role: string | readonly string[], options: RoleGuardOptions): UserGuard;
  /** Lets holders of an API key pass. Others get 401. */
  requireApiKey(options?: ApiKeyGuardOptions): ApiKeyGuard;
}

const apiKeyOptions: OptionNames<ApiKeyGuardOptions> = { tenantId: "text" };
const userOptions: OptionNames<UserGuardOptions> = { ...apiKeyOptions, applicationId: "text", fresh: "boolean" };

/** The guards of a framework, made of how it runs one. @throws TypeError for anything but a service; each guard, when an option is wrong. */
export function toGuards<UserGuard, ApiKeyGuard>(
  identity: Pick<IdentityService, "authorize">,
  forUser: (requirement: AccessRequirement<"user">) => UserGuard,
  forApiKey: (requirement: AccessRequirement<"apiKey">) => ApiKeyGuard,
): Guards<UserGuard, ApiKeyGuard> {
  assertService(identity, "authorize");
  return Object.freeze({
    requireUser(options: UserGuardOptions = {}) {
      assertKnownOptions("", options, userOptions);
      return forUser({ ...options, kind: "user" });
    },
    requireRole(role: string | readonly string[], options: RoleGuardOptions) {
      assertKnownOptions<RoleGuardOptions>("", options, userOptions, ["applicationId"]);
      return forUser({ ...options, kind: "user", role });
    },
    requireApiKey(options: ApiKeyGuardOptions = {}) {
      assertKnownOptions("", options, apiKeyOptions);
      return forApiKey({ ...options, kind: "apiKey" });
    },
  });
}

/** @throws TypeError for anything but a service, such as the promise of one. */
export function assertService(identity: unknown, method: "authorize" | "handle"): void {
  if (typeof (Object(identity) as { readonly [name: string]: unknown })[method] !== "function")
    throw new TypeError("identity must be a service: pass what createIdentityService resolves to, after await.");
}
