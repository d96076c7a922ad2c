import { button, type FormErrors, noErrors, textField } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import type { Page, PageResult } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { showError } from "../../server/show-error.js";
import { loginLink } from "../login-link.js";
import { createAccount } from "./create-account.js";
import { findRegistrationForm, type RegistrationForm, showFields } from "./registration-form.js";
import { checkStep, type HeldStep, openStep, type RegistrationDraft, sealStep, startVerification } from "./registration-steps.js";

/**
 * Creates an account step by step. The encrypted input of earlier steps comes back with the next one: only the last step stores
 * anything.
 */
export const registerPage: Page = {
  async show(call) {
    const form = await findRegistrationForm(call);
    return form === undefined ? showError(call, "register-closed", 404) : showStep(call, form, { step: 1, held: {} });
  },
  submit: submitStep,
};

interface ShownStep extends HeldStep {
  readonly errors?: FormErrors | undefined;
}

function showStep(call: PageCall, form: RegistrationForm, { errors = noErrors, held, step }: ShownStep): PageResult {
  const { language } = call;
  const { steps } = form;
  const shown = steps[step - 1];
  if (shown === undefined) return showError(call, "register-closed", 404);
  const progress = steps.length > 1 && html`<p class="hint">${language.text("register-step", { step, steps: steps.length })}</p>`;
  const fields = shown.type === "collectData" ? showFields(call, shown.fields, errors) : showVerification(call, held, errors);
  const hidden = html`<input type="hidden" name="held" value="${sealStep(call, form, { step, held })}">`;
  const label = language.text(step === steps.length ? "register-button" : "continue");
  const content = html`${progress}${call.form(html`${hidden}${fields}${button({ label })}`)}${loginLink(call)}`;
  return { kind: "view", title: language.text("register-title"), content, errors, leadsOut: true };
}

function showVerification(call: PageCall, { verifying }: RegistrationDraft, errors: FormErrors): Html {
  const { language } = call;
  const field = { name: "oneTimeCode", label: language.text("code"), autocomplete: "one-time-code", isFocused: true };
  const sent = language.text("two-factor-sent", { to: verifying?.loginId ?? "" });
  return html`<p>${sent}</p>${textField(call.fields(errors), field)}`;
}

async function submitStep(call: PageCall, fields: FormFields): Promise<PageResult> {
  const form = await findRegistrationForm(call);
  if (form === undefined) return showError(call, "register-closed", 404);
  const opened = openStep(call, form, fields.text("held"));
  if (opened === undefined) return showError(call, "error-expired", 410);
  const { held, step } = opened;
  const checked = await checkStep(call, { form, step, held, fields });
  if (checked.kind === "refused") return showStep(call, form, { step, held, errors: checked.errors });
  if (step < form.steps.length) return showNext(call, form, { step: step + 1, held: checked.held });
  const created = await createAccount(call, form, checked.held);
  if (created.kind === "done") return created.result;
  return showStep(call, form, { step, held, errors: created.errors });
}

async function showNext(call: PageCall, form: RegistrationForm, { held, step }: ShownStep): Promise<PageResult> {
  const type = form.steps[step - 1]?.type;
  if (type === undefined || type === "collectData") return showStep(call.withoutForm(), form, { step, held });
  const started = await startVerification(call, type, held);
  if (started.kind === "refused") return showStep(call, form, { step: step - 1, held, errors: started.errors });
  return showStep(call, form, { step, held: started.held });
}

/** Confirms that the account was created, without a pending interaction. */
export const registeredPage: Page = {
  show(call) {
    const { language } = call;
    const content = html`<p role="status">${language.text("register-done")}</p>${loginLink(call)}`;
    return { kind: "view", title: language.text("register-done-title"), content };
  },
};
