import { assertKnownOptions } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { InteractionHost, Interactions } from "../http/interactions.js";
import { handlePage } from "./handle-page.js";
import { isAssetPath, serveAsset } from "./server/assets.js";
import { openCall } from "./server/open-call.js";
import { toPageResponse } from "./server/page-response.js";
import { pageRoots, parsePath } from "./server/paths.js";
import type { ThemeSource } from "./theme/theme-source.js";
import { showProviderPage } from "./views/provider-pages.js";

/** Options of the pages. */
export interface PageOptions {
  /**
   * The look and the texts of the pages: one theme, or a function that returns the theme of a tenant and application. Default:
   * the stored theme of the application, else of the tenant, else the default theme.
   */
  readonly theme?: ThemeSource | undefined;
}

/** Returns the login pages. @throws TypeError when an option is wrong. */
export function createPages(options: PageOptions = {}): Interactions {
  assertKnownOptions("", options, { theme: "object or function" });
  const { theme: themes } = options;
  return {
    paths: pageRoots,
    async handle(request, host) {
      if (isAssetPath(request.path)) return handleAsset(request, host, themes);
      const path = parsePath(request.path);
      return path === undefined ? undefined : handlePage(request, host, { path, themes });
    },
    async show(page, request, host) {
      const call = await openCall({ request, host, themes, place: page, uiLocales: page.uiLocales });
      return toPageResponse(call, showProviderPage(call, page));
    },
  };
}

async function handleAsset(request: ApiRequest, host: InteractionHost, themes: ThemeSource | undefined): Promise<ApiResponse> {
  const call = await openCall({ request, host, themes });
  return serveAsset(request.path, call.parts.query.get("v"), call.parts.theme);
}
