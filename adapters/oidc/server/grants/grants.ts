import type { OAuthSettings } from "latchkey/types";
import { errors, type KoaContextWithOIDC, type Provider } from "oidc-provider";
import { currentExchange } from "../exchange/exchange.js";
import { findConsent } from "./remembered-consents.js";
import { isKnown } from "./scopes.js";

/** The parameter by which the server keeps what a client said of `prompt`: it adds `consent` itself, without which there is no refresh token. */
export const askedPrompt = "latchkey_prompt";

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
  const agreed = before ?? (await findConsent(provider, { accountId, clientId: client.clientId }));
  return agreed && grantUnknown(ctx, agreed);
}

// No page can explain a scope that only the application knows.
async function grantUnknown(ctx: KoaContextWithOIDC, grant: Grant): Promise<Grant> {
  const unknown = [...ctx.oidc.requestParamScopes].filter((scope) => !isKnown(scope));
  if (unknown.length === 0) return grant;
  grant.addOIDCScope(unknown.join(" "));
  await grant.save();
  return grant;
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
