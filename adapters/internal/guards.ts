import {
  type AccessRequirement,
  type ApiKeyGuardOptions,
  assertKnownOptions,
  type Guards,
  type IdentityService,
  type OptionNames,
  type RoleGuardOptions,
  type UserGuardOptions,
} from "latchkey";

const apiKeyOptions: OptionNames<ApiKeyGuardOptions> = { tenantId: "text" };
const userOptions: OptionNames<UserGuardOptions> = { ...apiKeyOptions, applicationId: "text", fresh: "boolean" };

/**
 * Builds a framework's guards from its two wrappers.
 * @throws TypeError for anything but a service; each guard, for a wrong option.
 */
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
