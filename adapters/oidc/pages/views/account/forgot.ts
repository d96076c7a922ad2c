import type { FormErrors } from "../../html/fields.js";
import { button, noErrors, textField } from "../../html/fields.js";
import { html } from "../../html/html.js";
import { toFormErrors } from "../../server/form-errors.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { showError } from "../../server/show-error.js";
import { loginIdTypesOf } from "../login-id-types.js";
import { loginLink } from "../login-link.js";

/** Sends a message for choosing another password. The page is the same for known and unknown users. */
export const forgotPage: Page = {
  show: showForgot,
  async submit(call, form) {
    const loginId = form.text("loginId").trim();
    const { application } = call.place;
    const body = { loginId, loginIdTypes: loginIdTypesOf(call), applicationId: application?.id };
    const response = await call.callApi({ method: "POST", url: "/api/user/forgot-password", body, isPublic: true });
    call.remember({ loginId });
    if (response.status === 200) return redirect(call.link("sent"));
    return showForgot(call, toFormErrors(call.language, response, { fields: ["loginId"], texts: { 404: "invalid-login" } }));
  },
};

function showForgot(call: PageCall, errors: FormErrors = noErrors): PageResult {
  const { flow, language, place } = call;
  if (place.tenant === undefined) return showError(call, "error-place");
  const value = call.draft("loginId") ?? flow.loginId;
  const field = { name: "loginId", label: language.text("login-id"), autocomplete: "username", value, isFocused: true };
  const form = call.form(html`${textField(call.fields(errors), field)}${button({ label: language.text("forgot-button") })}`);
  const content = html`<p>${language.text("forgot-intro")}</p>${form}${loginLink(call)}`;
  return { kind: "view", title: language.text("forgot-title"), content, errors };
}

/** Confirms that a message is on its way if the user exists. */
export const sentPage: Page = {
  show(call) {
    const { language } = call;
    const content = html`<p role="status">${language.text("forgot-sent")}</p>${loginLink(call)}`;
    return { kind: "view", title: language.text("forgot-sent-title"), content };
  },
};
