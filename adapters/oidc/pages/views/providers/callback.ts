import { timingSafeEqual } from "node:crypto";
import { button } from "../../html/fields.js";
import { html } from "../../html/html.js";
import { FormFields } from "../../request/read-form.js";
import type { FlowState } from "../../server/flow-state.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { showError } from "../../server/show-error.js";
import { followLogin } from "../finish-login.js";
import { callbackCookie, callbackPath } from "../start-provider.js";
import { findAuthenticationType } from "./authentication-type.js";
import { describeFailure } from "./describe-failure.js";

/**
 * Handles the response of an identity provider through the browser. All interactions share one path; the cookie of its `state`
 * leads to the right one, which compares the state with the browser's. A cross-site form arrives without cookies, so the page
 * sends it again.
 */
export const callbackPage: Page = {
  show: (call) => take(call, new FormFields(call.parts.query)),
  submit: async (call, form) => (call.interaction === undefined && !form.has(resent) ? showAgain(call, form) : take(call, form)),
  takesCrossSiteForms: true,
};

/** Marks a form that this page sent again. */
const resent = "latchkey_resent";

/** The most characters of a response; an assertion has about 20,000. */
const maxLength = 200_000;

function take(call: PageCall, fields: FormFields): Promise<PageResult> | PageResult {
  return call.interaction === undefined ? lead(call, fields) : finish(call, fields);
}

function stateOf(fields: FormFields): string {
  return fields.text("state") || fields.text("RelayState");
}

// 307 keeps the method and the body.
function lead(call: PageCall, fields: FormFields): PageResult {
  const { host, parts, request } = call;
  const uid = parts.cookies.read(callbackCookie(stateOf(fields)));
  if (uid === undefined || !/^[\w-]{1,100}$/.test(uid)) return showError(call, "error-expired", 410);
  call.setCookie(callbackCookie(stateOf(fields)), "", { path: `${host.basePath}${callbackPath}` });
  const to = `${host.basePath}/oauth2/interaction/${uid}/callback`;
  if (request.method === "POST") return { kind: "response", response: { status: 307, headers: { location: to }, body: "" } };
  return redirect(`${to}?${request.query}`);
}

function showAgain(call: PageCall, form: FormFields): PageResult {
  const { language } = call;
  const pairs = form.names.map((name) => [name, form.text(name)] as const);
  if (pairs.reduce((length, [name, value]) => length + name.length + value.length, 0) > maxLength)
    return showError(call, "error-expired", 413);
  const hidden = pairs.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const marked = html`<input type="hidden" name="${resent}" value="yes">`;
  const action = `${call.host.basePath}${callbackPath}`;
  const send = button({ label: language.text("continue") });
  const content = html`<form method="post" action="${action}" data-send="now">${hidden}${marked}${send}</form>`;
  return { kind: "view", title: language.text("provider-leave-title"), content, usesScript: true };
}

async function finish(call: PageCall, fields: FormFields): Promise<PageResult> {
  const { flow, host } = call;
  const { providerId, providerState = "" } = flow;
  if (providerState === "" || !isSame(providerState, stateOf(fields))) return showError(call, "error-expired", 410);
  call.remember({ providerState: undefined, providerId: undefined, amr: undefined });
  if (fields.has("error")) return goBack(call, { notice: isDenied(fields) ? "provider-denied" : "provider-failed" });
  const names = fields.names.filter((name) => name !== resent && name !== "token");
  const data = Object.fromEntries(names.map((name) => [name, fields.text(name)]));
  const body = {
    applicationId: call.interaction?.applicationId,
    identityProviderId: providerId,
    data: { ...data, redirect_uri: host.publicUrl + callbackPath },
    noJWT: true,
    twoFactorTrustId: call.trustId,
  };
  const response = await call.callApi({ method: "POST", url: "/api/identity-provider/login", body });
  const outcome = await followLogin(call, response, {
    amr: [],
    authenticationType: await findAuthenticationType(call, providerId),
    texts: {},
  });
  return outcome.kind === "done" ? leaveForm(call, outcome.result) : goBack(call, describeFailure(response));
}

function isDenied(fields: FormFields): boolean {
  return fields.text("error") === "access_denied";
}

// Browsers apply a page's `form-action` to redirects after its form, and the application's origin was unknown there: so answer
// the form with a page.
function leaveForm(call: PageCall, result: PageResult): PageResult {
  const url = result.kind === "response" && call.request.method === "POST" ? result.response.headers.location : undefined;
  if (result.kind !== "response" || typeof url !== "string") return result;
  call.keepCookies(result.response);
  const { language } = call;
  const content = html`<p><a class="button" href="${url}">${language.text("continue")}</a></p>`;
  return { kind: "view", title: language.text("provider-leave-title"), content, refreshUrl: url };
}

function goBack(call: PageCall, flow: Pick<FlowState, "notice" | "noticeReason">): PageResult {
  call.remember(flow);
  return redirect(call.link("login"));
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
