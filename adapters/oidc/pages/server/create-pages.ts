import { type ApiRequest, type ApiResponse, IdentityError } from "latchkey";
import type { InteractionHost, Interactions } from "../../interactions.js";
import { isForeignForm, isFormToken } from "../request/form-token.js";
import { readForm } from "../request/read-form.js";
import { showProviderPage } from "../screens/provider-pages.js";
import { pages } from "../screens/table.js";
import type { ThemeSource } from "../style/theme-source.js";
import { answerAsset, assetsOf, isAssetPath } from "./assets.js";
import { findInteraction, openCall } from "./open-call.js";
import type { PageResult } from "./page.js";
import type { PageCall } from "./page-call.js";
import { type PagePath, pageRoots, parsePath } from "./paths.js";
import { showError } from "./show-error.js";
import { commonHeaders, withCookies, writePage, writeRedirect } from "./write-page.js";

/** Options of the pages. */
export interface PageOptions {
  /** How the pages look and speak: a theme for all, or a function that returns the one of a tenant and application. */
  readonly theme?: ThemeSource | undefined;
}

/** Returns the pages of sign-in. */
export function createPages({ theme: themes = {} }: PageOptions = {}): Interactions {
  return {
    paths: pageRoots,
    async handle(request, host) {
      if (isAssetPath(request.path)) return handleAsset(request, host, themes);
      const path = parsePath(request.path);
      return path === undefined ? undefined : handlePage(request, host, { path, themes });
    },
    async show(page, request, host) {
      const call = await openCall({ request, host, themes, place: page, uiLocales: page.uiLocales });
      return respond(call, showProviderPage(call, page));
    },
  };
}

async function handleAsset(request: ApiRequest, host: InteractionHost, themes: ThemeSource): Promise<ApiResponse> {
  const call = await openCall({ request, host, themes });
  return answerAsset(request.path, call.parts.query.get("v"), call.parts.theme);
}

interface Routed {
  readonly path: PagePath;
  readonly themes: ThemeSource;
}

const methodNotAllowed: ApiResponse = { status: 405, headers: { ...commonHeaders, allow: "GET, HEAD, POST" }, body: "" };

async function handlePage(request: ApiRequest, host: InteractionHost, { path, themes }: Routed): Promise<ApiResponse> {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return methodNotAllowed;
  const interaction = await findInteraction(host, request, path.uid);
  const opened = { request, host, themes, page: path.page, id: path.id, interaction };
  if (path.uid !== undefined && interaction === undefined) {
    const call = await openCall(opened);
    return respond(call, showError(call, "error-expired", 410));
  }
  if (method !== "POST") {
    const call = await openCall(opened);
    return respond(call, await pages[path.page].show(call));
  }
  return submit(opened, themes);
}

async function submit(
  opened: Parameters<typeof openCall>[0] & { readonly page: PagePath["page"] },
  themes: ThemeSource,
): Promise<ApiResponse> {
  const { host, page, request } = opened;
  const { submit: run, takesForeignForms } = pages[page];
  if (run === undefined) return methodNotAllowed;
  const form = await readForm(request);
  const call = await openCall({ ...opened, themes, form });
  const isOwn = isFormToken(call.parts.formToken, form.text("token")) && !isForeignForm(request, host.publicUrl);
  if (!isOwn && !takesForeignForms) return respond(call, showError(call, "error-cross-site", 403));
  return respond(call, await run(call, form).catch((error: unknown) => endExpired(call, error)));
}

// The interaction ended while the form was filled in, such as in another tab.
function endExpired(call: PageCall, error: unknown): PageResult {
  if (error instanceof IdentityError && error.status === 404) return showError(call, "error-expired", 410);
  throw error;
}

function respond(call: PageCall, result: PageResult): ApiResponse {
  const { host, place } = call;
  if (result.kind === "redirect") return writeRedirect(call, result.to);
  if (result.kind === "response") return { ...result.response, headers: withCookies(call, result.response.headers) };
  return writePage(call, result, assetsOf(host.basePath, place, call.parts.theme));
}
