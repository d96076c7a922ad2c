import type { ApiRequest } from "latchkey/ports";
import type { Interaction, InteractionHost } from "../../http/interactions.js";
import { chooseLanguage, readAcceptLanguage, readUiLocales } from "../messages/locale.js";
import { openCookies } from "../request/cookies.js";
import { createFormToken } from "../request/form-token.js";
import { FormFields } from "../request/read-form.js";
import { findTheme, type ThemeSource } from "../theme/theme-source.js";
import { readFlowState } from "./flow-state.js";
import { flowCookie, PageCall } from "./page-call.js";
import type { PageCallParts } from "./page-call-parts.js";
import { findPlace, ifFound, type NamedPlace } from "./place.js";

/** A request and its target. */
export interface OpenedRequest extends Pick<PageCallParts, "host" | "request"> {
  readonly themes: ThemeSource | undefined;
  readonly page?: PageCallParts["page"] | undefined;
  readonly id?: string | undefined;
  readonly interaction?: Interaction | undefined;
  /** The target of a page without an interaction. Default: from the query. */
  readonly place?: NamedPlace | undefined;
  readonly uiLocales?: string | undefined;
  readonly form?: FormFields | undefined;
}

/** Contains the secret behind form tokens. */
const tokenCookie = "latchkey_pages";

/** Reads the context of a page from its request. Sets the cookie of form tokens in a new browser. */
export async function openCall(opened: OpenedRequest): Promise<PageCall> {
  const { form = new FormFields([]), host, id, interaction, page = "login", request, themes } = opened;
  const query = new URLSearchParams(request.query);
  const place = await findPlace(host, interaction ?? opened.place ?? readPlace(query));
  const theme = await findTheme(themes, { api: host.api, ...place });
  const cookies = openCookies(request, host.publicUrl.startsWith("https:"));
  const formToken = createFormToken(host.random, cookies.read(tokenCookie));
  const wanted = [
    ...readUiLocales(opened.uiLocales ?? interaction?.params.ui_locales),
    ...readUiLocales(query.get("locale")),
    ...(await preferredLanguages(host, interaction)),
    ...readAcceptLanguage(request.headers["accept-language"]),
  ];
  const language = chooseLanguage(wanted, theme.messages);
  const flow = interaction === undefined ? {} : readFlowState(cookies.read(flowCookie), { sealer: host, uid: interaction.uid });
  const call = new PageCall({
    request,
    host,
    page,
    id,
    query,
    interaction,
    place,
    theme,
    language,
    cookies,
    formToken,
    flow,
    form,
  });
  if (formToken.isNew) call.setCookie(tokenCookie, formToken.secret);
  return call;
}

// The languages of a logged-in user, such as for a consent.
async function preferredLanguages({ api }: InteractionHost, interaction: Interaction | undefined): Promise<readonly string[]> {
  const { session, tenantId } = interaction ?? {};
  if (session === undefined || tenantId === undefined) return [];
  const found = await ifFound(() => api.users.retrieve({ userId: session.userId }, { tenantId }));
  return found?.user.preferredLanguages ?? [];
}

function readPlace(query: URLSearchParams): NamedPlace {
  return { applicationId: query.get("client_id") ?? undefined, tenantId: query.get("tenantId") ?? undefined };
}

/** Returns the interaction of a request below its path; undefined for none. */
export async function findInteraction(
  host: InteractionHost,
  request: ApiRequest,
  uid: string | undefined,
): Promise<Interaction | undefined> {
  const interaction = uid === undefined ? undefined : await host.find(request);
  return interaction?.uid === uid ? interaction : undefined;
}
