import type { ApiResponse } from "latchkey/ports";
import { browserHeaders } from "../../../internal/page-headers.js";
import { assetsOf } from "./assets.js";
import type { PageResult } from "./page.js";
import type { PageCall } from "./page-call.js";
import { withCookies, writePage, writeRedirect } from "./write-page.js";

/** Refuses methods that pages do not support. */
export const methodNotAllowed: ApiResponse = { status: 405, headers: { ...browserHeaders, allow: "GET, HEAD, POST" }, body: "" };

/** Converts the result of a page to a response. */
export function toPageResponse(call: PageCall, result: PageResult): ApiResponse {
  const { host, place } = call;
  if (result.kind === "redirect") return writeRedirect(call, result.to);
  if (result.kind === "response") return { ...result.response, headers: withCookies(call, result.response.headers) };
  return writePage(call, result, assetsOf(host.basePath, place, call.parts.theme));
}
