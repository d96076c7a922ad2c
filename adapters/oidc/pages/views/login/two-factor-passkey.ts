import { isObject } from "../../../../internal/objects.js";
import { type FormErrors, noErrors } from "../../html/fields.js";
import { html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { generalError, readJson } from "../../server/form-errors.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { followLogin } from "../finish-login.js";
import { passkeyForm, readPasskeyAnswer } from "../passkey-form.js";
import { factorLinks, methodReferences, trustBox } from "../second-factor.js";
import { expire } from "./two-factor.js";

/** Finishes a login with a passkey as the second factor; needs a script. */
export const twoFactorPasskeyPage: Page = { show: showFactor, submit: submitFactor };

async function showFactor(call: PageCall, errors: FormErrors = noErrors): Promise<PageResult> {
  const { language } = call;
  const { twoFactorId } = call.flow;
  if (twoFactorId === undefined) return redirect(call.link("login"));
  const url = `/api/two-factor/passkey/${encodeURIComponent(twoFactorId)}`;
  const response = await call.callApi({ method: "POST", url, body: {} });
  if (response.status === 404) return expire(call);
  const { options } = response.status === 200 ? readJson(response.body) : {};
  // The passkey was removed since the choice, or the setting changed.
  if (!isObject(options)) return redirect(call.link("two-factor-methods"));
  const intro = html`<p>${language.text("two-factor-passkey-enter")}</p>`;
  const form = passkeyForm(call, options, { page: "two-factor-passkey", fields: trustBox(call, errors) });
  const content = html`${intro}${form}${factorLinks(call)}`;
  return {
    kind: "view",
    title: language.text("two-factor-title"),
    content,
    errors,
    usesScript: true,
    leadsOut: true,
  };
}

async function submitFactor(call: PageCall, form: FormFields): Promise<PageResult> {
  const { twoFactorId } = call.flow;
  if (twoFactorId === undefined) return redirect(call.link("login"));
  const failed = generalError(call.language.text("passkey-failed"));
  const answer = readPasskeyAnswer(call, form);
  if (answer === undefined) return showFactor(call, failed);
  const body = { ...answer, twoFactorId, trustComputer: form.has("trust"), noJWT: true };
  const response = await call.callApi({ method: "POST", url: "/api/two-factor/login", body });
  if (response.status === 404) return expire(call);
  const outcome = await followLogin(call, response, {
    amr: [methodReferences.passkey, "mfa"],
    authenticationType: "TWO_FACTOR",
    texts: { 400: "passkey-failed", 421: "passkey-failed" },
  });
  return outcome.kind === "done" ? outcome.result : showFactor(call, outcome.errors);
}
