import { isObject } from "../../../../internal/objects.js";
import { button, type FormErrors, noErrors, textField } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { readJson, textOf, toFormErrors } from "../../server/form-errors.js";
import type { PageResult, PageView } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { ifFound } from "../../server/place.js";
import { openField, sealField } from "../../server/sealed-field.js";
import { showError } from "../../server/show-error.js";
import { invalidCode, type Method, readMethods } from "../second-factor.js";

/**
 * A second factor, pending or completed, before a forgotten password is changed. Pages pass it on in an encrypted hidden field.
 */
export interface ChangeProof {
  readonly twoFactorId?: string | undefined;
  readonly methods?: readonly Method[] | undefined;
  readonly methodId?: string | undefined;
  /** The proof of the second factor for the change. */
  readonly trustToken?: string | undefined;
}

const purposeOf = (id: string): string => `change ${id}`;

/** Reads the proof of the form; empty for one that is too old, changed, or of another link or browser. */
export function readProof(call: PageCall, id: string): ChangeProof {
  const values = openField(call, purposeOf(id), call.parts.form.text("proof"));
  if (values === undefined) return {};
  const [twoFactorId, methodId, trustToken] = ["twoFactorId", "methodId", "trustToken"].map((name) => textOf(values, name));
  return { twoFactorId, methodId, trustToken, methods: readMethods(values.methods) };
}

/** The hidden field with a proof. */
export function proofField(call: PageCall, id: string, proof: ChangeProof): Html {
  const sealed = sealField(call, purposeOf(id), proof);
  return html`<input type="hidden" name="proof" value="${sealed}">`;
}

/** The id of a link, and what its second factor has so far. */
interface PendingTrust {
  readonly id: string;
  readonly proof: ChangeProof;
}

/** Asks for a second factor. The button starts it, since a GET must send nothing. */
export function showTrust(call: PageCall, errors: FormErrors = noErrors): PageView {
  const { language } = call;
  const form = call.form(button({ label: language.text("continue"), name: "begin", value: "yes" }));
  return toView(call, html`<p>${language.text("change-trust")}</p>${form}`, errors);
}

function toView({ language }: PageCall, content: Html, errors: FormErrors = noErrors): PageView {
  return { kind: "view", title: language.text("two-factor-title"), content, errors };
}

/** Starts a second factor for the user of a link. */
export async function startTrust(call: PageCall, id: string): Promise<PageResult> {
  const { application, tenant } = call.place;
  const owner = await ifFound(() => call.host.api.users.find({ changePasswordId: id }, { tenantId: tenant?.id }));
  if (owner === undefined) return showError(call, "error-link", 404);
  const body = { userId: owner.user.id, applicationId: application?.id };
  const response = await call.callApi({ method: "POST", url: "/api/two-factor/start", body });
  if (response.status !== 200) return showTrust(call, toFormErrors(call.language, response, { fields: [] }));
  const answer = readJson(response.body);
  const methods = readMethods(answer.methods).map((method) => ({ ...method, to: maskAddress(method.to) }));
  const proof = { twoFactorId: textOf(answer, "twoFactorId"), methods };
  const [first, another] = methods;
  return first === undefined || another !== undefined
    ? showMethods(call, { id, proof })
    : choose(call, { id, proof: { ...proof, methodId: first.id } });
}

// The holder of the link has proved one address and must not see others.
function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 0 ? `…${address.slice(-2)}` : `${address.slice(0, 1)}…${address.slice(at)}`;
}

function showMethods(call: PageCall, { id, proof }: PendingTrust, errors?: FormErrors): PageResult {
  const { language } = call;
  const buttons = (proof.methods ?? []).map(({ id: value, method, to }) =>
    button({ name: "methodId", value, label: language.text(`two-factor-${method}`, { to }), isSecond: true }),
  );
  const form = call.form(html`${proofField(call, id, proof)}${buttons}`);
  return toView(call, html`<p>${language.text("two-factor-choose")}</p>${form}`, errors);
}

const methodOf = ({ methodId, methods = [] }: ChangeProof): Method | undefined => methods.find((one) => one.id === methodId);

// A mail or text message with a code leaves as soon as its method is chosen.
async function choose(call: PageCall, pending: PendingTrust): Promise<PageResult> {
  const { proof } = pending;
  const method = methodOf(proof);
  if (method === undefined) return showMethods(call, pending);
  if (method.method === "authenticator") return showCode(call, pending);
  const url = `/api/two-factor/send/${encodeURIComponent(proof.twoFactorId ?? "")}`;
  const response = await call.callApi({ method: "POST", url, body: { methodId: method.id } });
  if (response.status === 200) return showCode(call, pending);
  return showMethods(call, pending, toFormErrors(call.language, response, { fields: [], texts: { 404: "error-expired" } }));
}

function showCode(call: PageCall, { id, proof }: PendingTrust, errors: FormErrors = noErrors): PageResult {
  const { language } = call;
  const method = methodOf(proof);
  const isSent = method !== undefined && method.method !== "authenticator";
  const intro = isSent ? language.text("two-factor-sent", { to: method.to }) : language.text("two-factor-enter");
  const hint = language.text("two-factor-recovery");
  const code = textField(call.fields(errors), {
    name: "code",
    label: language.text("code"),
    autocomplete: "one-time-code",
    hint,
    isFocused: true,
  });
  const resend =
    isSent && button({ label: language.text("resend-code"), name: "resend", value: "yes", isSecond: true, skipsCheck: true });
  const fields = html`${proofField(call, id, proof)}${code}${button({ label: language.text("continue") })}${resend}`;
  return toView(call, html`<p>${intro}</p>${call.form(fields)}`, errors);
}

/** Continues a second factor with the chosen method or the code. Returns the proof at its end. */
export async function continueTrust(
  call: PageCall,
  form: FormFields,
  pending: PendingTrust,
): Promise<PageResult | { readonly kind: "proved"; readonly proof: ChangeProof }> {
  const { id, proof } = pending;
  if (form.has("methodId")) return choose(call, { id, proof: { ...proof, methodId: form.text("methodId") } });
  if (form.has("resend") || methodOf(proof) === undefined) return choose(call, pending);
  const body = { code: form.text("code").trim(), twoFactorId: proof.twoFactorId, noJWT: true };
  const response = await call.callApi({ method: "POST", url: "/api/two-factor/login", body });
  if (response.status === 421) return showCode(call, pending, invalidCode(call));
  const answer = readJson(response.body);
  const trustToken = textOf(answer, "trustToken");
  if (trustToken !== undefined) return { kind: "proved", proof: { trustToken } };
  const errors = toFormErrors(call.language, response, { fields: ["code"], texts: { 404: "error-expired" } });
  return response.status === 404 ? showTrust(call, errors) : showCode(call, pending, errors);
}

/** Whether a response requires the second factor: it is missing or too old. */
export function isTrustRequired(body: string): boolean {
  const { fieldErrors, generalErrors } = readJson(body);
  const isMissing =
    Array.isArray(generalErrors) && generalErrors.some((one) => isObject(one) && one.code === "[TrustTokenRequired]");
  return isMissing || (isObject(fieldErrors) && "trustToken" in fieldErrors);
}
