import type { ApiResponse } from "latchkey/ports";
import type { PageTheme } from "latchkey/types";
import { browserHeaders } from "../../../internal/page-headers.js";
import { createStylesheet } from "../theme/stylesheet.js";
import type { Place } from "./place.js";
import { pageScript, pageScriptDigest } from "./script.js";
import type { PageAssets } from "./write-page.js";

const styles = "/oauth2/pages/styles.css";
const script = "/oauth2/pages/pages.js";

/** Whether a path is an asset of the pages. */
export function isAssetPath(path: string): boolean {
  return path === styles || path === script;
}

/** The URLs of a page's assets. They change with the content, so that browsers can cache them for a year. */
export function assetsOf(base: string, { application, tenant }: Place, theme: PageTheme): PageAssets {
  const query = new URLSearchParams({ v: createStylesheet(theme).digest });
  if (application !== undefined) query.set("client_id", application.id);
  else if (tenant !== undefined) query.set("tenantId", tenant.id);
  return { styleUrl: `${base}${styles}?${query}`, scriptUrl: `${base}${script}?v=${pageScriptDigest}` };
}

/** Serves an asset. */
export function serveAsset(path: string, version: string | null, theme: PageTheme): ApiResponse {
  const sheet = createStylesheet(theme);
  const isStyle = path === styles;
  const digest = isStyle ? sheet.digest : pageScriptDigest;
  return {
    status: 200,
    headers: {
      ...browserHeaders,
      "content-type": `text/${isStyle ? "css" : "javascript"}; charset=utf-8`,
      "cache-control": version === digest ? "public, max-age=31536000, immutable" : "no-cache",
    },
    body: isStyle ? sheet.text : pageScript,
  };
}
