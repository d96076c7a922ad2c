import { boxField, button, type FormErrors, noErrors, textField } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { followLogin } from "../finish-login.js";
import { findProviderOf, findProviders, imagesOf, type LoginProvider } from "../providers.js";
import { startProvider } from "../start-provider.js";
import { allowConsent, showConsent } from "./consent.js";
import { loginLinks, loginMessage, otherLogins } from "./login-parts.js";
import { chooseAccount, isChoice, isSelection, showAccounts } from "./select-account.js";

/** Shows the login, the account choice or the consent, depending on the interaction. */
export const loginPage: Page = {
  show(call) {
    if (isConsent(call)) return showConsent(call);
    return isSelection(call) ? showAccounts(call) : beginLogin(call);
  },
  submit(call, form) {
    if (isConsent(call)) return allowConsent(call, form);
    return isChoice(form) ? chooseAccount(call, form) : submitLogin(call, form);
  },
};

function isConsent({ interaction }: PageCall): boolean {
  return interaction?.prompt === "consent";
}

// The application may name the provider in `idp_hint`.
async function beginLogin(call: PageCall): Promise<PageResult> {
  const hint = call.interaction?.params.idp_hint;
  const hinted = hint === undefined || call.flow.hinted !== undefined ? [] : await findProviders(call);
  const provider = hinted.find(({ id }) => id === hint);
  if (provider === undefined) return showLogin(call);
  call.remember({ hinted: "yes" });
  return startProvider(call, provider);
}

async function showLogin(call: PageCall, errors: FormErrors = noErrors): Promise<PageResult> {
  const { language } = call;
  const application = call.place.application?.name;
  const title = application === undefined ? language.text("login-title") : language.text("login-to", { application });
  const providers = await findProviders(call);
  const fields = loginFields(call, errors, providers);
  const content = html`${loginMessage(call)}${call.form(fields)}${otherLogins(call, providers)}${loginLinks(call)}`;
  return { kind: "view", title, content, errors, leadsOut: true, images: imagesOf(providers) };
}

// If domains may lead to a provider, ask for the login id first.
function loginFields(call: PageCall, errors: FormErrors, providers: readonly LoginProvider[]): Html {
  const { flow } = call;
  if (!providers.some(({ hasDomains }) => hasDomains)) return html`${loginIdField(call, errors)}${passwordFields(call, errors)}`;
  if (flow.identified === undefined)
    return html`${loginIdField(call, errors)}${button({ label: call.language.text("next-button") })}`;
  const known = html`<input type="hidden" name="loginId" value="${flow.loginId}" autocomplete="username">`;
  const text = html`<p>${call.language.text("login-as", { loginId: flow.loginId ?? "" })}</p>`;
  const other = button({
    label: call.language.text("other-login"),
    name: "other",
    value: "yes",
    isSecond: true,
    skipsCheck: true,
  });
  return html`${text}${known}${passwordFields(call, errors)}${other}`;
}

function loginIdField(call: PageCall, errors: FormErrors): Html {
  const { flow, interaction, language } = call;
  const value = call.draft("loginId") || flow.loginId || interaction?.params.login_hint;
  const field = { name: "loginId", label: language.text("login-id"), autocomplete: "username", value };
  return textField(call.fields(errors), { ...field, isFocused: value === undefined });
}

function passwordFields(call: PageCall, errors: FormErrors): Html {
  const { flow, language } = call;
  const context = call.fields(errors);
  const password = {
    name: "password",
    label: language.text("password"),
    type: "password",
    autocomplete: "current-password",
  } as const;
  const remember = { name: "remember", label: language.text("remember"), isChecked: flow.remember !== "no" };
  return html`${textField(context, password)}${boxField(context, remember)}${button({ label: language.text("login-button") })}`;
}

async function submitLogin(call: PageCall, form: FormFields): Promise<PageResult> {
  const chosen = form.has("provider") && (await findProviders(call)).find(({ id }) => id === form.text("provider"));
  if (chosen) return startProvider(call, chosen);
  if (form.has("other")) {
    call.remember({ identified: undefined, loginId: undefined });
    return redirect(call.link("login"));
  }
  const loginId = form.text("loginId").trim();
  if (!form.names.includes("password")) return identify(call, loginId);
  call.remember({ loginId, remember: form.has("remember") ? "yes" : "no", notice: undefined, amr: undefined });
  const body = {
    applicationId: call.interaction?.applicationId,
    loginId,
    password: form.text("password"),
    noJWT: true,
    twoFactorTrustId: call.trustId,
  };
  const response = await call.callApi({ method: "POST", url: "/api/login", body });
  const outcome = await followLogin(call, response, { amr: ["pwd"], authenticationType: "PASSWORD" });
  return outcome.kind === "done" ? outcome.result : showLogin(call, outcome.errors);
}

async function identify(call: PageCall, loginId: string): Promise<PageResult> {
  const provider = await findProviderOf(call, loginId);
  call.remember({ loginId, notice: undefined, identified: loginId === "" ? undefined : "yes" });
  return provider === undefined ? redirect(call.link("login")) : startProvider(call, provider);
}
