import { isIP } from "node:net";
import { isObject } from "../../../internal/objects.js";
import { button } from "../html/fields.js";
import { type Html, html } from "../html/html.js";
import type { FormFields } from "../request/read-form.js";
import { textOf } from "../server/form-errors.js";
import type { PageCall } from "../server/page-call.js";

/** Whether users of an application can log in with a passkey. */
export function hasPasskeys(call: PageCall): boolean {
  return isWorkflowEnabled(call, "bootstrapWorkflow");
}

/** Whether a password login also requires a passkey. */
export function isPasskeyFactor(call: PageCall): boolean {
  return isWorkflowEnabled(call, "secondFactorWorkflow");
}

function isWorkflowEnabled({ host, place }: PageCall, name: "bootstrapWorkflow" | "secondFactorWorkflow"): boolean {
  const [tenant, application] = [settingsOf(place.tenant), settingsOf(place.application)];
  const { [name]: workflow } = application.enabled === true ? application : tenant;
  const isEnabled = tenant.enabled === true && isObject(workflow) && workflow.enabled === true;
  return isEnabled && !isAddress(URL.parse(host.publicUrl)?.hostname ?? "");
}

// Browsers support no passkeys for pages at an IP address.
const isAddress = (hostname: string): boolean => isIP(hostname) !== 0 || hostname.startsWith("[");

function settingsOf(record: object | undefined): Readonly<Record<string, unknown>> {
  const settings: unknown = record && Reflect.get(record, "webAuthnConfiguration");
  return isObject(settings) ? settings : {};
}

/** The page of a form, and the fields before its button. */
interface PasskeyForm {
  readonly page: "passkey" | "new-passkey" | "two-factor-passkey";
  readonly fields?: Html | false;
}

/** The form for the script and the authenticator's response, and a text for browsers without scripts. */
export function passkeyForm(
  call: PageCall,
  options: Readonly<Record<string, unknown>>,
  { page, fields = false }: PasskeyForm,
): Html {
  const { language } = call;
  const isNew = page === "new-passkey";
  const rpId = isNew && isObject(options.rp) ? textOf(options.rp, "id") : textOf(options, "rpId");
  const hidden = html`<input type="hidden" name="credential" value=""><input type="hidden" name="rpId" value="${rpId}">`;
  const send = button({ label: language.text(isNew ? "passkey-create" : "passkey-button") });
  const form = call.form(html`${hidden}${fields}${send}`, page, {
    "data-options": JSON.stringify(options),
    "data-passkey": isNew ? "create" : "get",
    hidden: true,
  });
  return html`${form}<noscript><p>${language.text(isNew ? "passkey-offer-no-script" : "passkey-no-script")}</p></noscript>`;
}

/** The passkey response for the API; undefined if the authenticator failed. */
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
