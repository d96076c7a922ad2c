import { Provider } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import { scopeClaims } from "./scopes.js";

const scopeOfClaim = new Map(Object.entries(scopeClaims).flatMap(([scope, names]) => names.map((name) => [name, scope])));

/** The claims that the client requested for userinfo and the user granted (OpenID Connect Core 5.5). */
export function findUserInfoClaims(asked: unknown): readonly string[] {
  const names = isObject(asked) && isObject(asked.userinfo) ? Object.keys(asked.userinfo) : [];
  return Provider.ctx?.oidc.entities.Grant?.getOIDCClaimsFiltered(new Set(names)) ?? [];
}

/** The scopes of individually requested claims: the user consents to them like to scopes. */
export function scopesOfClaims(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => scopeOfClaim.get(name) ?? []))];
}

/** Whether consent to these scopes covers a claim; undefined means all scopes. */
export function isAllowedClaim(claim: string, scopes: readonly string[] | undefined): boolean {
  const scope = scopeOfClaim.get(claim);
  return scope === undefined || scopes === undefined || scopes.includes(scope);
}
