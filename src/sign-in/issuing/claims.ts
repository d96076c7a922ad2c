import { oauthSettingsOf } from "../../records/settings/oauth-settings.js";
import { type TokenSubject, verifiedClaimOf } from "../../sessions/subjects/token-subject.js";

/** The claims of each scope (OpenID Connect Core 5.4). */
export const scopeClaims: Readonly<Record<string, readonly string[]>> = {
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
  profile: [
    "birthdate",
    "family_name",
    "given_name",
    "locale",
    "middle_name",
    "name",
    "picture",
    "preferred_username",
    "updated_at",
    "zoneinfo",
  ],
};

/** Claims that scopes never hide: the user's identity and roles. */
const openClaims: ReadonlySet<string> = new Set(["applicationId", "roles", "scope", "sub", "tid"]);

const scopeOfClaim = new Map(Object.entries(scopeClaims).flatMap(([scope, names]) => names.map((name) => [name, scope])));

/**
 * Filters a user's claims by the scopes of a token and by the claims requested by name. In the mode `Compatibility`, scopes hide
 * nothing.
 */
export function filterUserInfo(
  subject: TokenSubject,
  userInfo: Readonly<Record<string, unknown>>,
  { names = [], scope }: { readonly scope: string; readonly names?: readonly string[] },
): Readonly<Record<string, unknown>> {
  const { providedScopePolicy, scopeHandlingPolicy } = oauthSettingsOf(subject.application ?? {});
  const claims = { ...userInfo, ...standardClaims(subject) };
  if (scopeHandlingPolicy === "Compatibility") return claims;
  const granted = new Set(scope.split(" "));
  const disabled = new Set(Object.entries(providedScopePolicy).flatMap(([of, { enabled }]) => (enabled ? [] : [of])));
  // A claim of a scope that the application disables cannot be requested by name.
  const isGranted = (of: string | undefined, name: string): boolean =>
    of !== undefined && (granted.has(of) || (names.includes(name) && !disabled.has(of)));
  const isShown = (name: string): boolean => openClaims.has(name) || isGranted(scopeOfClaim.get(name), name);
  return Object.fromEntries(Object.entries(claims).filter(([name]) => isShown(name)));
}

function standardClaims(subject: TokenSubject): Readonly<Record<string, unknown>> {
  const { user } = subject;
  return {
    locale: user.preferredLanguages?.[0],
    phone_number_verified: verifiedClaimOf(subject, "phoneNumber"),
    updated_at: Math.floor(user.lastUpdateInstant / 1_000),
    zoneinfo: user.timezone,
  };
}
