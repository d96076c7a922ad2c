import { Provider } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import { scopeClaims } from "./scopes.js";

const scopeOfClaim = new Map(Object.entries(scopeClaims).flatMap(([scope, names]) => names.map((name) => [name, scope])));

/** The names of the claims that a client asked userinfo for, and that the user granted (OpenID Connect Core 5.5). */
export function findUserInfoClaims(asked: unknown): readonly string[] {
  const names = isObject(asked) && isObject(asked.userinfo) ? Object.keys(asked.userinfo) : [];
  return Provider.ctx?.oidc.entities.Grant?.getOIDCClaimsFiltered(new Set(names)) ?? [];
}

/** The scopes that claims which are asked for by name belong to: a user consents to them as to the scopes. */
export function scopesOfClaims(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => scopeOfClaim.get(name) ?? []))];
}

/** Whether a user who agreed to these scopes agreed to a claim; undefined: all of them. */
export function isAllowedClaim(claim: string, scopes: readonly string[] | undefined): boolean {
  const scope = scopeOfClaim.get(claim);
  return scope === undefined || scopes === undefined || scopes.includes(scope);
}
