import { isObject } from "../../../../internal/objects.js";
import { button, type FormErrors, noErrors } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { generalError, readJson, textOf } from "../../server/form-errors.js";
import type { Page, PageResult } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { showError } from "../../server/show-error.js";
import { loginLink } from "../login-link.js";
import { followLogin } from "./finish-login.js";
import { targetsOf } from "./login-targets.js";

/** Whether users of an application can log in with a passkey. */
export function hasPasskeys({ place }: PageCall): boolean {
  const [tenant, application] = [settingsOf(place.tenant), settingsOf(place.application)];
  const { bootstrapWorkflow } = application.enabled === true ? application : tenant;
  return tenant.enabled === true && isObject(bootstrapWorkflow) && bootstrapWorkflow.enabled === true;
}

function settingsOf(record: object | undefined): Readonly<Record<string, unknown>> {
  const settings: unknown = record && Reflect.get(record, "webAuthnConfiguration");
  return isObject(settings) ? settings : {};
}

/** Logs in with a passkey: the one page that needs a script. */
export const passkeyPage: Page = { show: showPasskey, submit: submitPasskey };

async function showPasskey(call: PageCall, errors: FormErrors = noErrors): Promise<PageResult> {
  const { flow, interaction, language } = call;
  if (!hasPasskeys(call)) return showError(call, "error-disabled", 404);
  const options = (await startPasskey(call, flow.loginId)) ?? (await startPasskey(call, undefined));
  if (options === undefined || interaction === undefined) return showError(call, "error-disabled", 404);
  const content = html`${passkeyForm(call, options, "passkey")}${loginLink(call)}`;
  return { kind: "view", title: language.text("passkey-title"), content, errors, usesScript: true, formTargets: targetsOf(call) };
}

/** The form that a script fills in with the answer of an authenticator, and a text for browsers without scripts. `fields` stand above its button. */
export function passkeyForm(
  call: PageCall,
  options: Readonly<Record<string, unknown>>,
  page: "passkey" | "two-factor-passkey",
  fields: Html | false = false,
): Html {
  const { language } = call;
  const hidden = html`<input type="hidden" name="credential" value=""><input type="hidden" name="rpId" value="${textOf(options, "rpId")}">`;
  const form = call.form(html`${hidden}${fields}${button({ label: language.text("passkey-button") })}`, page, {
    "data-options": JSON.stringify(options),
    "data-passkey": "get",
    hidden: true,
  });
  return html`${form}<noscript><p>${language.text("passkey-no-script")}</p></noscript>`;
}

// Whose passkeys may answer: those of the user who was named before, or of anybody, who is then named by the passkey.
async function startPasskey(call: PageCall, loginId: string | undefined): Promise<Readonly<Record<string, unknown>> | undefined> {
  const body = { applicationId: call.interaction?.applicationId, loginId: loginId || undefined, workflow: "bootstrap" };
  const response = await call.callApi({ method: "POST", url: "/api/webauthn/start", body });
  const { options } = response.status === 200 ? readJson(response.body) : {};
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

/** What the API needs of a form that a script filled in; undefined where the authenticator did not answer. */
export function readPasskeyAnswer(call: PageCall, form: FormFields): Readonly<Record<string, unknown>> | undefined {
  const credential = readCredential(form);
  const page = { origin: new URL(call.host.publicUrl).origin, rpId: form.text("rpId") };
  return credential && { credential, ...page };
}

function readCredential(form: FormFields): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(form.text("credential"));
    return isObject(value) && !("error" in value) ? value : undefined;
  } catch {
    return undefined;
  }
}
