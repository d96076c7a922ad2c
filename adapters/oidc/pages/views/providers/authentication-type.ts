import type { IdentityProviderType } from "latchkey/types";
import type { PageCall } from "../../server/page-call.js";
import { ifFound } from "../../server/place.js";

/** The claim `authenticationType` of provider types, where it is not the type in upper case. */
const others: Readonly<Partial<Record<IdentityProviderType, string>>> = {
  ExternalJWT: "FEDERATED_JWT",
  OpenIDConnect: "OPENID_CONNECT",
  SAMLv2: "SAMLv2",
  SAMLv2IdPInitiated: "SAMLv2",
};

/** Returns the claim `authenticationType` for a provider type. */
export function authenticationTypeOf(type: IdentityProviderType): string {
  return others[type] ?? type.toUpperCase();
}

/** Returns the claim for an identity provider by id; undefined for an unknown one. */
export async function findAuthenticationType(
  { host }: PageCall,
  identityProviderId: string | undefined,
): Promise<string | undefined> {
  if (identityProviderId === undefined) return undefined;
  const found = await ifFound(() => host.api.identityProviders.retrieve({ identityProviderId }));
  return found && authenticationTypeOf(found.identityProvider.type);
}
