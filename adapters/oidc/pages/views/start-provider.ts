import { createHash } from "node:crypto";
import { isObject } from "../../../internal/objects.js";
import { button } from "../html/fields.js";
import { html } from "../html/html.js";
import { readJson, textOf } from "../server/form-errors.js";
import { type PageResult, redirect } from "../server/page.js";
import type { PageCall } from "../server/page-call.js";
import { toPolicySource } from "../server/write-page.js";
import type { LoginProvider } from "./providers.js";

/** The time limit for a login at a provider, in seconds. */
const callbackSeconds = 900;

/** The callback path for providers. */
export const callbackPath = "/oauth2/callback";

/** The name of the cookie that leads a provider's response back to its interaction. */
export function callbackCookie(state: string): string {
  return `latchkey_callback_${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;
}

/** Starts a login at a provider, and sends the browser there. */
export async function startProvider(call: PageCall, provider: LoginProvider): Promise<PageResult> {
  const { host, interaction } = call;
  const body = {
    applicationId: interaction?.applicationId,
    identityProviderId: provider.id,
    redirect_uri: host.publicUrl + callbackPath,
    loginId: call.flow.loginId || undefined,
  };
  const response = await call.callApi({ method: "POST", url: "/api/identity-provider/start", body });
  const answer = readJson(response.body);
  const [state, url] = [textOf(answer, "code"), textOf(answer, "url")];
  if (response.status !== 200 || state === undefined || url === undefined || toPolicySource(url) === undefined)
    return fail(call, provider);
  call.remember({ provider: provider.name, providerId: provider.id, providerState: state, notice: undefined });
  const path = `${host.basePath}${callbackPath}`;
  call.setCookie(callbackCookie(state), interaction?.uid ?? "", { path, maxAge: callbackSeconds });
  return leave(call, provider, { url, formFields: answer.formFields });
}

function fail(call: PageCall, { name }: LoginProvider): PageResult {
  call.remember({ provider: name, notice: "provider-failed" });
  return redirect(call.link("login"));
}

// A redirect would violate the `form-action` policy of the previous page.
function leave(
  call: PageCall,
  { name }: LoginProvider,
  { formFields, url }: { readonly url: string; readonly formFields: unknown },
): PageResult {
  const { language } = call;
  const title = language.text("provider-leave-title");
  const intro = html`<p role="status">${language.text("provider-leave", { provider: name })}</p>`;
  const label = language.text("continue");
  if (!isObject(formFields)) {
    const content = html`${intro}<p><a class="button" href="${url}">${label}</a></p>`;
    return { kind: "view", title, content, refreshUrl: url };
  }
  const fields = Object.entries(formFields).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${String(value)}">`,
  );
  const content = html`${intro}<form method="post" action="${url}" data-send="now">${fields}${button({ label })}</form>`;
  return { kind: "view", title, content, usesScript: true, leadsOut: true };
}
