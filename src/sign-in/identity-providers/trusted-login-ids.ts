import type { ProviderUser } from "../../ports/sign-in.js";
import type { LoginIdType } from "../../records/users/schema.js";
import { foldDomain, parseEmailAddress } from "../../shared/email-address.js";

/** The types of login ids that link accounts of providers. */
export type LinkingType = Exclude<LoginIdType, "phoneNumber">;

/** A provider's user, with `isEmailVerified` only for an address of the provider's domains, if it has any. */
export function limitToDomains(who: ProviderUser, domains: readonly string[] | undefined): ProviderUser {
  return { ...who, isEmailVerified: who.isEmailVerified && (isWithoutDomains(domains) || isOfDomains(who.email, domains)) };
}

/**
 * Whether a provider vouches for a login id. Users choose names freely, so a provider vouches only for a name that is an address
 * of its domains.
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
