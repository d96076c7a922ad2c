import type { OAuthSettings } from "latchkey/types";
import { errors, type KoaContextWithOIDC, type Provider } from "oidc-provider";
import { currentExchange } from "../exchange/exchange.js";
import { findConsent } from "./remembered-consents.js";
import { isKnown } from "./scopes.js";

/** The parameter with the client's own `prompt`: the server adds `consent`, which the library requires for refresh tokens. */
export const askedPrompt = "latchkey_prompt";

type Grant = InstanceType<Provider["Grant"]>;

/** Returns the settings of the application of a request. */
export async function settingsOf(ctx: KoaContextWithOIDC): Promise<OAuthSettings> {
  const { clientId = "" } = ctx.oidc.client ?? {};
  const client = await currentExchange().core.findClient(clientId);
  if (client === undefined) throw new errors.InvalidClient("client is unknown");
  return client.settings;
}

/** Returns the user's grant: everything for a first-party application, else the consented scopes. */
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
  const agreed = before ?? (await findConsent(provider, { accountId, clientId: client.clientId }));
  return agreed && grantUnknown(ctx, agreed);
}

// The consent page cannot explain the application's own scopes, so they are granted without it.
async function grantUnknown(ctx: KoaContextWithOIDC, grant: Grant): Promise<Grant> {
  const unknown = [...ctx.oidc.requestParamScopes].filter((scope) => !isKnown(scope));
  if (unknown.length === 0) return grant;
  grant.addOIDCScope(unknown.join(" "));
  await grant.save();
  return grant;
}

// A first-party application needs no consent.
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
