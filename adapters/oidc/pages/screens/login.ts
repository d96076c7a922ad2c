import type { FormErrors } from "../html/fields.js";
import { boxField, button, noErrors, textField } from "../html/fields.js";
import { type Html, html } from "../html/html.js";
import type { MessageKey } from "../messages/english.js";
import type { FormFields } from "../request/read-form.js";
import type { Page, PageResult } from "../server/page.js";
import type { PageCall } from "../server/page-call.js";
import { toPolicySource } from "../server/write-page.js";
import { allowConsent, showConsent } from "./consent.js";
import { followLogin } from "./finish-login.js";

/** Asks who the user is, or for a consent, as the interaction wants. */
export const loginPage: Page = {
  show: (call, errors) => (isConsent(call) ? showConsent(call) : showLogin(call, errors)),
  submit: (call, form) => (isConsent(call) ? allowConsent(call, form) : submitLogin(call, form)),
};

function isConsent({ interaction }: PageCall): boolean {
  return interaction?.prompt === "consent";
}

/** The origins that a login may lead to by redirects: that of the application. */
export function targetsOf({ interaction }: PageCall): readonly string[] {
  return [toPolicySource(interaction?.params.redirect_uri) ?? []].flat();
}

function showLogin(call: PageCall, errors: FormErrors = noErrors): PageResult {
  const { flow, interaction, language } = call;
  const application = call.place.application?.name;
  const title = application === undefined ? language.text("login-title") : language.text("login-to", { application });
  const context = call.fields(errors);
  const value = call.draft("loginId") ?? flow.loginId ?? interaction?.params.login_hint;
  const fields = html`
${textField(context, { name: "loginId", label: language.text("login-id"), autocomplete: "username", value, isFocused: value === undefined })}
${textField(context, { name: "password", label: language.text("password"), type: "password", autocomplete: "current-password", isFocused: value !== undefined })}
${boxField(context, { name: "remember", label: language.text("remember"), isChecked: call.draft("password") === undefined ? flow.remember !== "no" : call.draft("remember") !== undefined })}
${button({ label: language.text("login-button") })}`;
  const content = html`${showNotice(call)}${call.form(fields)}${otherWays(call)}${links(call)}`;
  return { kind: "view", title, content, errors, formTargets: targetsOf(call) };
}

const notices: ReadonlySet<string> = new Set<MessageKey>([
  "change-done",
  "error-expired",
  "verify-done",
  "passkey-failed",
  "provider-denied",
]);

/** What another page has to say, such as that a password was changed. */
export function showNotice({ flow, language }: PageCall): Html | false {
  const { notice } = flow;
  return (
    notice !== undefined &&
    notices.has(notice) &&
    html`<p class="notice" role="status">${language.text(notice as MessageKey)}</p>`
  );
}

function otherWays(call: PageCall): Html | false {
  const { language, place } = call;
  if (place.application?.passwordlessConfiguration?.enabled !== true) return false;
  const label = language.text("passwordless-button");
  return html`<p class="or">${language.text("or")}</p><p><a class="button second" href="${call.link("passwordless")}">${label}</a></p>`;
}

function links(call: PageCall): Html {
  const { language, place } = call;
  const register =
    place.application?.registrationConfiguration.enabled === true &&
    html`<a href="${call.link("register")}">${language.text("register-link")}</a>`;
  return html`<nav><a href="${call.link("forgot")}">${language.text("forgot-link")}</a>${register}</nav>`;
}

async function submitLogin(call: PageCall, form: FormFields): Promise<PageResult> {
  const loginId = form.text("loginId").trim();
  call.remember({ loginId, remember: form.has("remember") ? "yes" : "no", notice: undefined, amr: undefined });
  const body = {
    applicationId: call.interaction?.applicationId,
    loginId,
    password: form.text("password"),
    noJWT: true,
    twoFactorTrustId: call.trustId,
  };
  const response = await call.callApi({ method: "POST", url: "/api/login", body });
  const outcome = await followLogin(call, response, { amr: ["pwd"] });
  return outcome.kind === "done" ? outcome.result : showLogin(call, outcome.errors);
}
