import type { OAuthSettings } from "latchkey/operations";
import { errors, type KoaContextWithOIDC, type Provider } from "oidc-provider";
import { currentExchange } from "../exchange.js";
import { findConsent } from "./remembered-consents.js";

/** The parameter by which the server keeps what a client said of `prompt`: it adds `consent` itself, without which there is no refresh token. */
export const askedPrompt = "latchkey_prompt";

/** The parameter by which the server keeps the scopes that a client asked for: the library forgets those that it does not know. */
export const askedScope = "latchkey_scope";

/** The scopes that every application can ask for. */
export const knownScopes = ["openid", "offline_access", "address", "email", "phone", "profile"] as const;

type Grant = InstanceType<Provider["Grant"]>;

/** Returns the settings of the application that a request is about. */
export async function settingsOf(ctx: KoaContextWithOIDC): Promise<OAuthSettings> {
  const { clientId = "" } = ctx.oidc.client ?? {};
  const client = await currentExchange().core.findClient(clientId);
  if (client === undefined) throw new errors.InvalidClient("client is unknown");
  return client.settings;
}

/** Returns what the user granted to the application: everything where it is the host's own, else what he agreed to. */
export async function loadGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, provider, result, session } = ctx.oidc;
  const accountId = session?.accountId;
  if (client === undefined || accountId === undefined) return undefined;
  const granted = result?.consent?.grantId;
  if (granted !== undefined) return provider.Grant.find(granted);
  const settings = await settingsOf(ctx);
  const known = session?.grantIdFor(client.clientId);
  const before = known === undefined ? undefined : await provider.Grant.find(known);
  if (!isAsked(settings)) return grantAll(ctx, before ?? new provider.Grant({ accountId, clientId: client.clientId }));
  if (settings.consentMode !== "RememberDecision" || isForced(ctx)) return undefined;
  return before ?? findConsent(provider, { accountId, clientId: client.clientId });
}

// An application of the host asks nobody.
function isAsked({ consentMode, relationship }: OAuthSettings): boolean {
  return relationship === "ThirdParty" && consentMode !== "NeverPrompt";
}

function isForced(ctx: KoaContextWithOIDC): boolean {
  return String(ctx.oidc.params?.[askedPrompt] ?? "")
    .split(" ")
    .includes("consent");
}

async function grantAll(ctx: KoaContextWithOIDC, grant: Grant): Promise<Grant> {
  grant.addOIDCScope([...ctx.oidc.requestParamScopes].join(" "));
  grant.addOIDCClaims([...ctx.oidc.requestParamClaims]);
  await grant.save();
  return grant;
}

/** Whether a scope exists. */
export function isKnown(scope: string): boolean {
  return knownScopes.some((known) => known === scope);
}

/** @throws InvalidScope for a scope that does not exist or that the application may not ask for. */
export async function assertScopes(ctx: KoaContextWithOIDC): Promise<void> {
  const { providedScopePolicy, unknownScopePolicy } = await settingsOf(ctx);
  const asked = String(ctx.oidc.params?.[askedScope] ?? "").split(" ");
  for (const scope of asked.filter((one) => one !== "")) {
    const provided = Object.entries(providedScopePolicy).find(([name]) => name === scope)?.[1];
    const isRefused = provided === undefined ? unknownScopePolicy === "Reject" && !isKnown(scope) : !provided.enabled;
    if (isRefused) throw new errors.InvalidScope("requested scope is not allowed", scope);
  }
}
