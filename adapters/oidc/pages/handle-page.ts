import { IdentityError } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { InteractionHost } from "../http/interactions.js";
import { readForm } from "./request/read-form.js";
import { answerForm, isTrustedForm } from "./server/form-answers.js";
import { findInteraction, openCall } from "./server/open-call.js";
import type { PageResult } from "./server/page.js";
import type { PageCall } from "./server/page-call.js";
import { methodNotAllowed, toPageResponse } from "./server/page-response.js";
import type { PagePath } from "./server/paths.js";
import { showEnded, showError } from "./server/show-error.js";
import { pages } from "./table.js";
import type { ThemeSource } from "./theme/theme-source.js";

/** The path of a page, and the themes. */
export interface RoutedPage {
  readonly path: PagePath;
  readonly themes: ThemeSource | undefined;
}

/** Answers a request for a page: shows it, or handles its form. */
export async function handlePage(request: ApiRequest, host: InteractionHost, { path, themes }: RoutedPage): Promise<ApiResponse> {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return methodNotAllowed;
  const interaction = await findInteraction(host, request, path.uid);
  const opened = { request, host, themes, page: path.page, id: path.id, interaction };
  if (path.uid !== undefined && interaction === undefined) return answerEnded(opened);
  if (method !== "POST") {
    const call = await openCall(opened);
    return toPageResponse(call, await pages[path.page].show(call));
  }
  return submit(opened);
}

async function submit(opened: Parameters<typeof openCall>[0] & { readonly page: PagePath["page"] }): Promise<ApiResponse> {
  const { host, page, request } = opened;
  const { submit: run, takesCrossSiteForms } = pages[page];
  if (run === undefined) return methodNotAllowed;
  const form = await readForm(host, request);
  const call = await openCall({ ...opened, form });
  const step = async (): Promise<ApiResponse> =>
    toPageResponse(call, await run(call, form).catch((error: unknown) => endExpired(call, error)));
  if (isTrustedForm(call, form)) return answerForm(call, form, step);
  return takesCrossSiteForms ? step() : toPageResponse(call, showError(call, "error-cross-site", 403));
}

// A repeated form gets the same response; a browser that goes back gets a link to continue.
async function answerEnded(opened: Parameters<typeof openCall>[0]): Promise<ApiResponse> {
  const { host, request } = opened;
  const form = request.method === "POST" ? await readForm(host, request) : undefined;
  const ended = await host.findEnded(request);
  const call = await openCall({ ...opened, form, place: { applicationId: ended?.applicationId } });
  if (ended?.answer !== undefined && form !== undefined && isTrustedForm(call, form))
    return toPageResponse(call, { kind: "response", response: ended.answer });
  return toPageResponse(call, showEnded(call, ended));
}

// The interaction ended while the form was open, such as in another tab.
async function endExpired(call: PageCall, error: unknown): Promise<PageResult> {
  if (error instanceof IdentityError && error.status === 404) return showEnded(call, await call.host.findEnded(call.request));
  throw error;
}
