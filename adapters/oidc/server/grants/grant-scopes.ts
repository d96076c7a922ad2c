import type { OAuthSettings } from "latchkey/types";
import type { InteractionResults, Provider } from "oidc-provider";
import { currentExchange } from "../exchange/exchange.js";
import type { LibraryInteraction } from "../exchange/interaction-context.js";
import { isAllowedClaim, scopesOfClaims } from "./asked-claims.js";
import { rememberConsent } from "./remembered-consents.js";
import { isKnown } from "./scopes.js";

/** Completes a consent: grants the missing scopes, or only those in `scopes`, and refuses the rest. */
export async function grantScopes(
  provider: Provider,
  found: LibraryInteraction,
  scopes: readonly string[] | undefined,
): Promise<InteractionResults> {
  const { details } = found.prompt;
  const missing = namesOf(details.missingOIDCScope);
  const accountId = found.session?.accountId ?? "";
  const before = found.grantId === undefined ? undefined : await provider.Grant.find(found.grantId);
  const clientId = String(found.params.client_id);
  const grant = before ?? new provider.Grant({ accountId, clientId });
  const isAsked = (scope: string): boolean => scope !== "openid" && isKnown(scope);
  const granted = missing.filter((scope) => !isAsked(scope) || scopes === undefined || scopes.includes(scope));
  const refused = missing.filter((scope) => !granted.includes(scope));
  const { settings } = (await currentExchange().core.findClient(clientId)) ?? {};
  if (refused.some((scope) => isRequired(settings, scope))) return refusedConsent;
  if (granted.length > 0) grant.addOIDCScope(granted.join(" "));
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(" "));
  const claims = Map.groupBy(namesOf(details.missingOIDCClaims), (claim) => isAllowedClaim(claim, scopes));
  grant.addOIDCClaims(claims.get(true) ?? []);
  grant.rejectOIDCClaims(claims.get(false) ?? []);
  if (settings?.consentMode === "RememberDecision") rememberConsent({ accountId, clientId }, grant);
  return { consent: { grantId: await grant.save() } };
}

/** Returns the scopes of a consent: requested ones, and those of requested claims. */
export function findMissingScopes({ prompt: { details } }: LibraryInteraction): readonly string[] {
  const ofClaims = scopesOfClaims(namesOf(details.missingOIDCClaims));
  return [...new Set([...namesOf(details.missingOIDCScope), ...ofClaims])].filter(isKnown);
}

function namesOf(value: unknown): readonly string[] & string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const refusedConsent = { error: "access_denied", error_description: "the user refused a scope that the application requires" };

function isRequired(settings: OAuthSettings | undefined, scope: string): boolean {
  return Object.entries(settings?.providedScopePolicy ?? {}).some(([name, { required }]) => name === scope && required);
}
