import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { type RequestForm, toQuery } from "../http/form.js";
import { type FoundRoute, routes } from "../http/routes.js";
import { findStartUrl } from "../http/urls.js";
import { findPlace } from "../pages/server/place.js";
import { findSession } from "./exchange/browser-accounts.js";
import { currentExchange } from "./exchange/exchange.js";
import type { InteractionContext } from "./exchange/interaction-context.js";
import type { InteractionPages } from "./interaction-pages.js";
import { nameClientOfHint } from "./parameters.js";

interface LogoutRequest {
  readonly route: FoundRoute;
  readonly form: RequestForm;
  readonly publicUrl: URL;
  readonly context: InteractionContext;
  readonly render: InteractionPages["render"];
}

/**
 * Answers logout requests that the library cannot handle: a form of an application, a user who chose to stay, and a user who is
 * already signed out. Undefined for any other request.
 */
export async function answerLogout(request: ApiRequest, given: LogoutRequest): Promise<ApiResponse | undefined> {
  const { form, publicUrl, route } = given;
  if (route.name !== "end_session" || request.method !== "POST") return undefined;
  // The browser sends its session cookies with the redirected GET, but not with a form of another site.
  if (route.path === routes.end_session) return toQuery(request, await withoutHint(form), publicUrl);
  return route.path === `${routes.end_session}/confirm` ? answerForm(request, given) : undefined;
}

/** A request without a tenant, and the tenants with sessions in its browser. */
interface UnnamedLogout extends Pick<LogoutRequest, "form" | "publicUrl" | "route"> {
  readonly tenantIds: readonly string[];
  readonly pages: InteractionPages;
}

/**
 * Answers a logout without a client or tenant: the user chooses a tenant, or is already signed out. Undefined for any other
 * request.
 */
export async function chooseLogout(request: ApiRequest, given: UnnamedLogout): Promise<ApiResponse | undefined> {
  const { form, pages, publicUrl, route, tenantIds } = given;
  const isNamed = ["client_id", "id_token_hint", "tenantId"].some((name) => form.params.has(name));
  if (route.path !== routes.end_session || isNamed) return undefined;
  if (request.method === "POST") return toQuery(request, form, publicUrl);
  const base = publicUrl.pathname.replace(/\/$/, "");
  const query = form.params.size === 0 ? "" : `?${form.params}`;
  const found = tenantIds.map(async (id) => {
    const { tenant } = await findPlace(pages, { tenantId: id });
    return tenant?.id === id ? [{ name: tenant.name, url: `${base}/${id}${routes.end_session}${query}` }] : [];
  });
  const choices = (await Promise.all(found)).flat();
  return pages.render(choices.length === 0 ? { kind: "loggedOut", frames: [] } : { kind: "chooseLogout", choices }, request);
}

// ID tokens are long and reveal more than a URL should.
async function withoutHint(form: RequestForm): Promise<RequestForm> {
  const params = new URLSearchParams(form.params);
  await nameClientOfHint(params);
  return { ...form, params };
}

async function answerForm(request: ApiRequest, { context, form, render }: LogoutRequest): Promise<ApiResponse | undefined> {
  const { core, tenant } = currentExchange();
  const { state } = (await findSession(context)) ?? {};
  const isLogout = form.params.has("logout");
  // A second click, or another tab was faster.
  if (state === undefined && isLogout) return render({ kind: "loggedOut", tenantId: tenant.id, frames: [] }, request);
  if (state === undefined || isLogout) return undefined;
  const { clientId, postLogoutRedirectUri } = state;
  const client = typeof clientId === "string" ? await core.findClient(clientId) : undefined;
  const urls = [postLogoutRedirectUri ?? [], client?.settings.authorizedRedirectURLs ?? []].flat().map(String);
  const startUrl = client && findStartUrl(urls);
  return render({ kind: "stillLoggedIn", tenantId: tenant.id, applicationId: client?.id, startUrl }, request);
}
