import { isObject } from "../../../../internal/objects.js";
import { button, type FormErrors, noErrors } from "../../html/fields.js";
import { html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { generalError, readJson } from "../../server/form-errors.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { endLogin } from "../finish-login.js";
import { isPasskeyFactor, passkeyForm, readPasskeyAnswer } from "../passkey-form.js";
import { skipPasskey } from "../suggest-passkey.js";

/** Offers a passkey to a user after a password login. The login continues in any case. */
export const newPasskeyPage: Page = { show: showForm, submit: submitForm };

/** Statuses for a pending login that has ended, or whose user was deleted. */
const hasEnded: ReadonlySet<number> = new Set([401, 404]);

function heldLogin({ flow: { authenticationType, authTime, proof, userId } }: PageCall) {
  return userId === undefined ? undefined : { authenticationType, authTime: Number(authTime), proof, userId };
}

function hasCode({ generalErrors }: Readonly<Record<string, unknown>>, code: string): boolean {
  return Array.isArray(generalErrors) && generalErrors.some((error) => isObject(error) && error.code === code);
}

async function showForm(call: PageCall, errors: FormErrors = noErrors): Promise<PageResult> {
  const { language, place, request } = call;
  const login = heldLogin(call);
  if (login === undefined) return redirect(call.link("login"));
  const { proof, userId } = login;
  const displayName = language.text("passkey-title");
  const body = { displayName, userAgent: String(request.headers["user-agent"] ?? ""), userId };
  const response = await call.callApi({ method: "POST", url: "/api/webauthn/register/start", body, proof });
  if (hasEnded.has(response.status)) {
    call.forget();
    return redirect(call.link("login"));
  }
  const answer = readJson(response.body);
  // A password alone must not add a passkey to an account with a second factor.
  if (response.status === 400 && hasCode(answer, "[factorRequired]")) return endLogin(call, login);
  const { options } = response.status === 200 ? answer : {};
  const form = isObject(options) && passkeyForm(call, options, { page: "new-passkey" });
  const later = call.form(button({ label: language.text("passkey-later"), name: "skip", value: "yes", isSecond: true }));
  const intro = language.text("passkey-offer", { application: place.application?.name ?? call.name });
  const factor = isPasskeyFactor(call) && html`<p>${language.text("passkey-offer-factor")}</p>`;
  const content = html`<p>${intro}</p>${factor}${form}${later}`;
  const title = language.text("passkey-offer-title");
  return { kind: "view", title, content, errors, usesScript: true, leadsOut: true };
}

async function submitForm(call: PageCall, form: FormFields): Promise<PageResult> {
  const login = heldLogin(call);
  if (login === undefined) return redirect(call.link("login"));
  const { proof, userId } = login;
  if (form.has("skip")) {
    skipPasskey(call);
    return endLogin(call, login);
  }
  const failed = generalError(call.language.text("passkey-not-created"));
  const answer = readPasskeyAnswer(call, form);
  if (answer === undefined) return showForm(call, failed);
  const body = { ...answer, userId };
  const response = await call.callApi({ method: "POST", url: "/api/webauthn/register/complete", body, proof });
  return response.status === 200 ? endLogin(call, login) : showForm(call, failed);
}
