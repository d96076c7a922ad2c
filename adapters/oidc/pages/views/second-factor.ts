import { isObject } from "../../../internal/objects.js";
import type { FormErrors } from "../html/fields.js";
import { boxField, button, noErrors, textField } from "../html/fields.js";
import { type Html, html } from "../html/html.js";
import { fieldError, generalError, textOf, toFormErrors } from "../server/form-errors.js";
import { type Page, type PageResult, redirect } from "../server/page.js";
import type { PageCall } from "../server/page-call.js";
import { loginLink } from "./login-link.js";

/** A second-factor method of a user. */
export interface Method {
  readonly id: string;
  readonly method: "authenticator" | "email" | "passkey" | "sms";
  readonly to: string;
}

/**
 * Continues with the second factor: with the code of the only method, else with the choice. A code is sent as soon as its method
 * is known.
 */
export async function startSecondFactor(call: PageCall, answer: Readonly<Record<string, unknown>>): Promise<PageResult> {
  const passkey: readonly Method[] = answer.passkeyAllowed === true ? [{ id: "passkey", method: "passkey", to: "" }] : [];
  const methods = [...passkey, ...readMethods(answer.methods)];
  const [first, another] = methods;
  call.remember({ twoFactorId: textOf(answer, "twoFactorId"), methods: JSON.stringify(methods), methodId: undefined });
  if (first === undefined || another !== undefined) return redirect(call.link("two-factor-methods"));
  return choose(call, first);
}

/** Reads the methods of an API response and leaves out unknown ones. */
export function readMethods(value: unknown): readonly Method[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.filter(isObject).flatMap((item) => {
    const { id, method } = item;
    if (typeof id !== "string" || !isKind(method)) return [];
    return [{ id, method, to: textOf(item, "email") ?? textOf(item, "mobilePhone") ?? textOf(item, "to") ?? "" }];
  });
}

function isKind(method: unknown): method is Method["method"] {
  return typeof method === "string" && Object.hasOwn(methodReferences, method);
}

function methodsOf({ flow }: PageCall): readonly Method[] {
  try {
    return readMethods(JSON.parse(flow.methods ?? "[]"));
  } catch {
    return [];
  }
}

async function choose(call: PageCall, method: Method): Promise<PageResult> {
  call.remember({ methodId: method.id });
  if (method.method === "passkey") return redirect(call.link("two-factor-passkey"));
  const errors = method.method === "authenticator" ? undefined : await sendCode(call, method);
  return errors === undefined ? redirect(call.link("two-factor")) : showChoice(call, errors);
}

async function sendCode(call: PageCall, { id: methodId }: Method): Promise<FormErrors | undefined> {
  const url = `/api/two-factor/send/${encodeURIComponent(call.flow.twoFactorId ?? "")}`;
  const response = await call.callApi({ method: "POST", url, body: { methodId } });
  return response.status === 200
    ? undefined
    : toFormErrors(call.language, response, { fields: [], texts: { 404: "error-expired" } });
}

function showChoice(call: PageCall, errors: FormErrors = noErrors): PageResult {
  const { language } = call;
  if (call.flow.twoFactorId === undefined) return redirect(call.link("login"));
  const title = language.text("two-factor-title");
  const methods = methodsOf(call);
  if (methods.length === 0)
    return { kind: "view", title, content: html`<p role="alert">${language.text("two-factor-none")}</p>${loginLink(call)}` };
  const buttons = methods.map(({ id, method, to }) =>
    button({ name: "methodId", value: id, label: language.text(`two-factor-${method}`, { to }), isSecond: true }),
  );
  const content = html`<p>${language.text("two-factor-choose")}</p>${call.form(html`${buttons}`, "two-factor-methods")}${loginLink(call)}`;
  return { kind: "view", title, content, errors };
}

/** Asks for the method of the second factor. */
export const twoFactorMethodsPage: Page = {
  show: showChoice,
  async submit(call, form) {
    const method = methodsOf(call).find(({ id }) => id === form.text("methodId"));
    return method === undefined ? redirect(call.link("two-factor-methods")) : choose(call, method);
  },
};

/** The `amr` value of each method (RFC 8176). */
export const methodReferences: Readonly<Record<Method["method"], string>> = {
  authenticator: "otp",
  email: "otp",
  passkey: "swk",
  sms: "sms",
};

/** The chosen method. */
export function selectedMethod(call: PageCall): Method | undefined {
  return methodsOf(call).find(({ id }) => id === call.flow.methodId);
}

/** Asks for a code. */
export function showCode(call: PageCall, errors: FormErrors = noErrors): PageResult {
  const { flow, language } = call;
  if (flow.twoFactorId === undefined) return redirect(call.link("login"));
  const method = selectedMethod(call);
  if (method === undefined && methodsOf(call).length > 0) return redirect(call.link("two-factor-methods"));
  const context = call.fields(errors);
  const isSent = method?.method === "email" || method?.method === "sms";
  const intro = isSent ? language.text("two-factor-sent", { to: method.to }) : language.text("two-factor-enter");
  const code = textField(context, {
    name: "code",
    label: language.text("code"),
    autocomplete: "one-time-code",
    hint: language.text("two-factor-recovery"),
    isFocused: true,
  });
  const resend =
    isSent && button({ label: language.text("resend-code"), name: "resend", value: "yes", isSecond: true, skipsCheck: true });
  const form = call.form(html`${code}${trustBox(call, errors)}${button({ label: language.text("continue") })}${resend}`);
  const content = html`${notice(call)}<p>${intro}</p>${form}${factorLinks(call)}`;
  return { kind: "view", title: language.text("two-factor-title"), content, errors, leadsOut: true };
}

function notice({ flow, language }: PageCall): Html | false {
  return flow.notice === "code-resent" && html`<p class="notice" role="status">${language.text("code-resent")}</p>`;
}

/** Asks whether to trust this device in later logins; false where the application forbids it. */
export function trustBox(call: PageCall, errors: FormErrors): Html | false {
  if (call.place.application?.multiFactorConfiguration?.trustPolicy === "None") return false;
  const isChecked = call.draft("trust") !== undefined;
  return boxField(call.fields(errors), { name: "trust", label: call.language.text("trust-device"), isChecked });
}

/** The links below a second factor: to the other methods, and back. */
export function factorLinks(call: PageCall): Html {
  const { language } = call;
  const other =
    methodsOf(call).length > 1 && html`<a href="${call.link("two-factor-methods")}">${language.text("two-factor-other")}</a>`;
  return html`<nav>${other}<a href="${call.link("login")}">${language.text("back-to-login")}</a></nav>`;
}

/** Sends another code with the chosen method. */
export async function resendCode(call: PageCall): Promise<PageResult> {
  const method = selectedMethod(call);
  const errors = method === undefined ? generalError(call.language.text("error-expired")) : await sendCode(call, method);
  if (errors !== undefined) return showCode(call, errors);
  call.remember({ notice: "code-resent" });
  return redirect(call.link("two-factor"));
}

/** The error of a wrong code. */
export function invalidCode({ language }: PageCall): FormErrors {
  return fieldError("code", language.text("invalid-code"));
}
