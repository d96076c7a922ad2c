import { SignInError } from "latchkey";
import type { ProviderUser } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { type ProviderSettings, textOf } from "./settings.js";

type Claims = Readonly<Record<string, unknown>>;

/** The standard claims for members of a new user (OpenID Connect Core, 5.1), with the variants of some providers. */
const profileClaims: Readonly<Record<string, readonly string[]>> = {
  birthDate: ["birthdate"],
  firstName: ["given_name", "first_name", "localizedFirstName"],
  fullName: ["name"],
  imageUrl: ["picture"],
  lastName: ["family_name", "last_name", "localizedLastName"],
  middleName: ["middle_name"],
  mobilePhone: ["phone_number"],
  timezone: ["zoneinfo"],
};

function firstText(claims: Claims, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = textOf(claims, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Converts verified claims to a user, with the claim names of the provider's record. @throws SignInError without an id. */
export function toProviderUser(
  { record, row }: ProviderSettings,
  claims: Claims,
  { lambdaArguments, token }: Pick<ProviderUser, "lambdaArguments" | "token">,
): ProviderUser {
  const own = record.type === "OpenIDConnect" ? record.oauth2 : record;
  const named = (member: string, usual: readonly string[]): readonly string[] => {
    const name = textOf(own, member);
    return name === undefined ? usual : [name];
  };
  const id = firstText(claims, named("uniqueIdClaim", row.claims.id));
  if (id === undefined) throw new SignInError("refused", "The identity provider does not say who the user is.");
  const email = firstText(claims, named("emailClaim", ["email"]));
  const verified = claims[textOf(own, "emailVerifiedClaim") ?? "email_verified"];
  const isEmailVerified =
    verified === true || verified === "true" || (verified === undefined && row.showsVerifiedEmailsOnly === true);
  return {
    displayName: firstText(claims, row.claims.displayName) ?? email,
    email,
    id,
    isEmailVerified: email !== undefined && isEmailVerified,
    lambdaArguments,
    profile: { ...profileOf(claims), ...mappedOf(record.attributeMappings, claims) },
    token,
    username: firstText(claims, named("usernameClaim", row.claims.username)),
  };
}

function profileOf(claims: Claims): Claims {
  const found = Object.entries(profileClaims).map(([member, names]) => [member, firstText(claims, names)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

// The mapping has claims as keys and user members as values.
function mappedOf(mappings: unknown, claims: Claims): Claims {
  if (!isObject(mappings)) return {};
  const mapped = Object.entries(mappings).flatMap(([claim, member]) =>
    typeof member === "string" && Object.hasOwn(claims, claim) ? [[member, claims[claim]] as const] : [],
  );
  return Object.fromEntries(mapped);
}
