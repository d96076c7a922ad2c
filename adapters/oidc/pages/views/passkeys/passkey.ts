import { isObject } from "../../../../internal/objects.js";
import { type FormErrors, noErrors } from "../../html/fields.js";
import { html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { generalError, readJson } from "../../server/form-errors.js";
import type { Page, PageResult } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { showError } from "../../server/show-error.js";
import { followLogin } from "../finish-login.js";
import { loginLink } from "../login-link.js";
import { hasPasskeys, passkeyForm, readPasskeyAnswer } from "../passkey-form.js";

/** Logs in with a passkey; needs a script. */
export const passkeyPage: Page = { show: showPasskey, submit: submitPasskey };

async function showPasskey(call: PageCall, errors: FormErrors = noErrors): Promise<PageResult> {
  const { interaction, language } = call;
  if (!hasPasskeys(call)) return showError(call, "error-disabled", 404);
  const options = await startPasskey(call);
  if (options === undefined || interaction === undefined) return showError(call, "error-disabled", 404);
  const content = html`${passkeyForm(call, options, { page: "passkey" })}${loginLink(call)}`;
  return { kind: "view", title: language.text("passkey-title"), content, errors, usesScript: true, leadsOut: true };
}

// Any passkey may respond, and identifies its user.
async function startPasskey(call: PageCall): Promise<Readonly<Record<string, unknown>> | undefined> {
  const body = { applicationId: call.interaction?.applicationId, workflow: "bootstrap" };
  const response = await call.callApi({ method: "POST", url: "/api/webauthn/start", body });
  const { options } = readJson(response.body);
  return isObject(options) ? options : undefined;
}

async function submitPasskey(call: PageCall, form: FormFields): Promise<PageResult> {
  const answer = readPasskeyAnswer(call, form);
  if (answer === undefined) return showPasskey(call, generalError(call.language.text("passkey-failed")));
  const body = { ...answer, noJWT: true, twoFactorTrustId: call.trustId };
  call.remember({ amr: undefined, notice: undefined });
  const response = await call.callApi({ method: "POST", url: "/api/webauthn/login", body });
  const outcome = await followLogin(call, response, {
    amr: ["swk", "user"],
    authenticationType: "WEBAUTHN",
    texts: { 400: "passkey-failed", 404: "passkey-failed" },
  });
  return outcome.kind === "done" ? outcome.result : showPasskey(call, outcome.errors);
}
