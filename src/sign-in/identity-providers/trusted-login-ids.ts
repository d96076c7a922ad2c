import type { ProviderUser } from "../../ports/sign-in.js";
import type { LoginIdType } from "../../records/users/schema.js";
import { foldDomain, parseEmailAddress } from "../../shared/email-address.js";

/** The login ids by which accounts at providers are linked. */
export type LinkingType = Exclude<LoginIdType, "phoneNumber">;

/** What a provider says of a user, without its word for an address of other domains than its own. */
export function limitToDomains(who: ProviderUser, domains: readonly string[] | undefined): ProviderUser {
  return { ...who, isEmailVerified: who.isEmailVerified && (isWithoutDomains(domains) || isOfDomains(who.email, domains)) };
}

/**
 * Whether a provider vouches that a login id is its user's. People choose names as they like: a provider vouches for one alone that is an
 * address of its domains.
 */
export function isTrustedLoginId(who: ProviderUser, type: LinkingType, domains: readonly string[] | undefined): boolean {
  return type === "email" ? who.isEmailVerified : isOfDomains(who.username, domains);
}

function isWithoutDomains(domains: readonly string[] = []): boolean {
  return domains.length === 0;
}

function isOfDomains(address = "", domains: readonly string[] = []): boolean {
  const normal = parseEmailAddress(address);
  return normal !== undefined && domains.some((domain) => foldDomain(domain) === normal.slice(normal.lastIndexOf("@") + 1));
}
