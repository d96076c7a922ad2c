import type { OAuthSettings } from "latchkey/types";
import { errors, type Provider } from "oidc-provider";
import { currentExchange } from "../exchange/exchange.js";

/** The scopes that every application can ask for. */
export const knownScopes = ["openid", "offline_access", "address", "email", "phone", "profile"] as const;

/** The claims that each scope stands for (OpenID Connect Core 5.4). */
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

/** Whether a scope is one of OpenID Connect, and not one of the application's own. */
export function isKnown(scope: string): boolean {
  return knownScopes.some((known) => known === scope);
}

/**
 * Makes a provider treat scopes by the settings of the application that asks: `providedScopePolicy`, and `unknownScopePolicy` for those that
 * are not of OpenID Connect. The library has one list for all clients, by which it filters each request.
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
  // A login for no scope at all would end in a refusal, after the user has logged in.
  if (asked.length > 0 && left.length === 0) throw new errors.InvalidScope("requested scopes are unknown", asked.join(" "));
  return left;
}
