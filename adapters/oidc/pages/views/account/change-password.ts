import type { FormErrors } from "../../html/fields.js";
import { button, noErrors, textField } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { fieldError, readJson, textOf, toFormErrors } from "../../server/form-errors.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { showError } from "../../server/show-error.js";
import { followLogin } from "../finish-login.js";
import { loginLink } from "../login-link.js";
import {
  type ChangeProof,
  continueTrust,
  isTrustRequired,
  proofField,
  readProof,
  showTrust,
  startTrust,
} from "./change-trust.js";

/** Lets a user choose another password, by the id of a message or of a login. A GET does not use up the id. */
export const changePage: Page = {
  async show(call, errors) {
    const id = idOf(call);
    if (id === undefined) return showError(call, "error-link", 404);
    const url = `/api/user/change-password/${encodeURIComponent(id)}`;
    const response = await call.callApi({ method: "GET", url, isPublic: true });
    if (response.status === 200) return showChange(call, errors);
    return isTrustRequired(response.body) ? showTrust(call, errors) : showError(call, "error-link", 404);
  },
  submit: submitChange,
};

function idOf({ flow, parts }: PageCall): string | undefined {
  return parts.id ?? flow.changePasswordId;
}

const reasons: Readonly<Record<string, Parameters<PageCall["language"]["text"]>[0]>> = {
  Administrative: "change-administrative",
  Breached: "change-breached",
  Expired: "change-expired",
  Validation: "change-validation",
};

function showChange(call: PageCall, errors: FormErrors = noErrors, proof?: ChangeProof): PageResult {
  const { language, parts } = call;
  const reason = parts.id === undefined ? reasons[call.flow.changeReason ?? ""] : undefined;
  const intro = reason !== undefined && html`<p class="notice">${language.text(reason)}</p>`;
  const hidden = proof?.trustToken !== undefined && proofField(call, idOf(call) ?? "", proof);
  const form = call.form(
    html`${hidden}${newPasswordFields(call, errors, "password")}${button({ label: language.text("change-button") })}`,
  );
  const content = html`${intro}${form}${loginLink(call)}`;
  return { kind: "view", title: language.text("change-title"), content, errors, leadsOut: true };
}

/** The fields of a new password, with its rules. */
export function newPasswordFields(call: PageCall, errors: FormErrors, name: string): Html {
  const context = call.fields(errors);
  const { language } = call;
  const isNew = { type: "password", autocomplete: "new-password" } as const;
  return html`${textField(context, { ...isNew, name, label: language.text("new-password"), hint: describeRules(call) })}
${textField(context, { ...isNew, name: `confirm.${name}`, label: language.text("confirm-password") })}`;
}

function describeRules({ language, place }: PageCall): string | undefined {
  const rules = place.tenant?.passwordValidationRules;
  if (rules === undefined) return undefined;
  const named = [
    rules.requireMixedCase && language.text("rule-mixed-case"),
    rules.requireNumber && language.text("rule-number"),
    rules.requireNonAlpha && language.text("rule-non-alpha"),
  ];
  const length = language.text("rule-length", { min: rules.minLength, max: rules.maxLength });
  return [length, ...named.filter((text) => text !== false)].join(" ");
}

/** The error when the repeated password differs. */
export function checkConfirm(call: PageCall, form: FormFields, name: string): FormErrors | undefined {
  const isSame = form.text(name) === form.text(`confirm.${name}`);
  return isSame ? undefined : fieldError(`confirm.${name}`, call.language.text("[doNotMatch]"));
}

async function submitChange(call: PageCall, form: FormFields): Promise<PageResult> {
  const id = idOf(call);
  if (id === undefined) return showError(call, "error-link", 404);
  if (form.has("begin")) return startTrust(call, id);
  const proof = readProof(call, id);
  if (proof.twoFactorId === undefined) return store(call, form, { id, proof });
  const outcome = await continueTrust(call, form, { id, proof });
  return outcome.kind === "proved" ? showChange(call, noErrors, outcome.proof) : outcome;
}

async function store(
  call: PageCall,
  form: FormFields,
  { id, proof }: { readonly id: string; readonly proof: ChangeProof },
): Promise<PageResult> {
  const wrong = checkConfirm(call, form, "password");
  if (wrong !== undefined) return showChange(call, wrong, proof);
  const { trustToken } = proof;
  const body = { password: form.text("password"), applicationId: call.place.application?.id, trustToken };
  const url = `/api/user/change-password/${encodeURIComponent(id)}`;
  const response = await call.callApi({ method: "POST", url, body, isPublic: true });
  if (response.status === 404) return showError(call, "error-link", 404);
  if (response.status === 400 && isTrustRequired(response.body)) return showTrust(call);
  if (response.status !== 200) return showChange(call, toFormErrors(call.language, response, { fields: ["password"] }), proof);
  return goesOn(call) ? logInOnce(call, textOf(readJson(response.body), "oneTimePassword")) : redirect(call.link("changed"));
}

// A login that required a new password continues; a user from a message logs in with the new password.
function goesOn({ flow, interaction, parts: { id } }: PageCall): boolean {
  return interaction !== undefined && id === undefined && flow.changePasswordId !== undefined;
}

async function logInOnce(call: PageCall, oneTimePassword: string | undefined): Promise<PageResult> {
  call.remember({ changePasswordId: undefined, changeReason: undefined });
  const body = { applicationId: call.interaction?.applicationId, oneTimePassword, noJWT: true, twoFactorTrustId: call.trustId };
  const response = await call.callApi({ method: "POST", url: "/api/login", body });
  const outcome = await followLogin(call, response, { amr: ["pwd"], authenticationType: "PASSWORD" });
  if (outcome.kind === "done") return outcome.result;
  call.remember({ notice: "change-done" });
  return redirect(call.link("login"));
}

/** Confirms that the password was changed. */
export const changedPage: Page = {
  show(call) {
    const { language } = call;
    const content = html`<p role="status">${language.text("change-done")}</p>${loginLink(call)}`;
    return { kind: "view", title: language.text("change-done-title"), content };
  },
};
