import type { OAuthSettings } from "latchkey/types";
import { errors, type Provider } from "oidc-provider";
import { currentExchange } from "../exchange/exchange.js";

/** The scopes that every application may request. */
export const knownScopes = ["openid", "offline_access", "address", "email", "phone", "profile"] as const;

/** The claims of each scope (OpenID Connect Core 5.4). */
export const scopeClaims: Readonly<Record<string, string[]>> = {
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

/** Whether a scope belongs to OpenID Connect, in contrast to the application's own scopes. */
export function isKnown(scope: string): boolean {
  return knownScopes.some((known) => known === scope);
}

/**
 * Makes a provider filter scopes by the application's settings: `providedScopePolicy`, and `unknownScopePolicy` for scopes
 * outside of OpenID Connect. The library has only one list for all clients.
 */
export function useScopePolicies(provider: Provider): void {
  Object.defineProperty(provider.OIDCContext.prototype, "requestParamOIDCScopes", {
    get(this: { readonly params: { readonly scope?: string } }) {
      const { settings } = currentExchange().client ?? {};
      const asked = this.params.scope?.split(" ") ?? [];
      return new Set(settings === undefined ? asked.filter(isKnown) : filterScopes(settings, asked));
    },
  });
}

function filterScopes({ providedScopePolicy, unknownScopePolicy }: OAuthSettings, asked: readonly string[]): readonly string[] {
  const disabled = new Set(Object.entries(providedScopePolicy).flatMap(([name, { enabled }]) => (enabled ? [] : [name])));
  const refused = asked.find((scope) => disabled.has(scope) || (unknownScopePolicy === "Reject" && !isKnown(scope)));
  if (refused !== undefined) throw new errors.InvalidScope("requested scope is not allowed", refused);
  const left = unknownScopePolicy === "Allow" ? asked : asked.filter(isKnown);
  // A login without any scope would fail only after the user has logged in.
  if (asked.length > 0 && left.length === 0) throw new errors.InvalidScope("requested scopes are unknown", asked.join(" "));
  return left;
}
