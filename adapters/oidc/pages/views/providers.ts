import { isLogoUrl } from "latchkey/types";
import { button } from "../html/fields.js";
import { type Html, html } from "../html/html.js";
import type { PageCall } from "../server/page-call.js";
import { ifFound } from "../server/place.js";

/** An identity provider for logins of an application. */
export interface LoginProvider {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly imageUrl?: string | undefined;
  /** Whether email domains lead to it, instead of a button. */
  readonly hasDomains: boolean;
}

/** Types without a button: their logins start elsewhere, or finish without the browser. */
const withoutButton: ReadonlySet<string> = new Set(["ExternalJWT", "HYPR", "SAMLv2IdPInitiated"]);

/** The most buttons of a page. */
const maxProviders = 50;

/** The identity providers of an application; none in versions and plans without them. */
export async function findProviders({ host, language, place }: PageCall): Promise<readonly LoginProvider[]> {
  const { application, tenant } = place;
  if (application === undefined || tenant === undefined) return [];
  const search = { applicationId: application.id, numberOfResults: maxProviders };
  const found = await ifFound(() => host.api.identityProviders.search({ search }));
  const providers = (found?.identityProviders ?? []).filter(({ tenantId = tenant.id }) => tenantId === tenant.id);
  return providers.flatMap((provider) => {
    const own = provider.applicationConfiguration[application.id];
    if (!provider.enabled || own?.enabled !== true || withoutButton.has(provider.type)) return [];
    const imageUrl = own.buttonImageURL ?? provider.buttonImageURL;
    return [
      {
        id: provider.id,
        name: provider.name,
        label: own.buttonText ?? provider.buttonText ?? language.text("provider-button", { provider: provider.name }),
        imageUrl: imageUrl !== undefined && isLogoUrl(imageUrl) ? imageUrl : undefined,
        hasDomains: (provider.domains ?? []).length > 0,
      },
    ];
  });
}

/** The buttons of identity providers. */
export function providerButtons(call: PageCall, providers: readonly LoginProvider[]): Html | false {
  const shown = providers.filter(({ hasDomains }) => !hasDomains);
  if (shown.length === 0) return false;
  const buttons = shown.map(({ id, imageUrl, label }) => {
    const image = imageUrl !== undefined && html`<img src="${imageUrl}" alt=""> `;
    return button({ name: "provider", value: id, label: html`${image}${label}`, isSecond: true });
  });
  return call.form(html`${buttons}`);
}

/** The image origins of buttons, for the page's policy. */
export function imagesOf(providers: readonly LoginProvider[]): readonly string[] {
  return providers.flatMap(({ imageUrl }) =>
    imageUrl === undefined || imageUrl.startsWith("/") ? [] : [new URL(imageUrl).origin],
  );
}

/** The identity provider for the domain of an address. */
export async function findProviderOf(call: PageCall, loginId: string): Promise<LoginProvider | undefined> {
  if (!loginId.includes("@")) return undefined;
  const url = `/api/identity-provider/lookup?${new URLSearchParams({ domain: loginId })}`;
  const response = await call.callApi({ method: "GET", url });
  if (response.status !== 200) return undefined;
  const { identityProvider } = JSON.parse(response.body) as { readonly identityProvider: { readonly id: string } };
  return (await findProviders(call)).find(({ id }) => id === identityProvider.id);
}
