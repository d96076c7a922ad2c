import { button, type FormErrors, noErrors, textField } from "../../html/fields.js";
import { html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import type { FlowState } from "../../server/flow-state.js";
import { fieldError, generalError, readJson, textOf, toFormErrors } from "../../server/form-errors.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { showError } from "../../server/show-error.js";
import { followLogin } from "../finish-login.js";
import { loginIdTypesOf } from "../login-id-types.js";
import { loginLink } from "../login-link.js";

/** Starts a passwordless login with a message. The page is the same for known and unknown users. */
export const passwordlessPage: Page = { show: showRequest, submit: sendMessage };

function showRequest(call: PageCall, errors: FormErrors = noErrors): PageResult {
  const { flow, interaction, language, place } = call;
  if (place.application?.passwordlessConfiguration?.enabled !== true) return showError(call, "error-disabled", 404);
  const value = call.draft("loginId") ?? flow.loginId ?? interaction?.params.login_hint;
  const field = { name: "loginId", label: language.text("login-id"), autocomplete: "username", value, isFocused: true };
  const form = call.form(
    html`${textField(call.fields(errors), field)}${button({ label: language.text("passwordless-button") })}`,
  );
  const content = html`<p>${language.text("passwordless-intro")}</p>${form}${loginLink(call)}`;
  return { kind: "view", title: language.text("passwordless-title"), content, errors };
}

async function sendMessage(call: PageCall, form: FormFields): Promise<PageResult> {
  const loginId = form.text("loginId").trim();
  const { emailLoginStrategy, phoneLoginStrategy } = call.place.application?.passwordlessConfiguration ?? {};
  const isPhone = loginIdTypesOf(call) !== undefined && looksLikePhone(loginId);
  const isTyped = (isPhone ? phoneLoginStrategy : emailLoginStrategy) === "FormField";
  const code = await start(call, loginId);
  const body = code === undefined ? toStart(call, loginId) : { code };
  const response = await call.callApi({ method: "POST", url: "/api/passwordless/send", body, isPublic: true });
  if (response.status !== 200) return showRequest(call, toFormErrors(call.language, response, { fields: ["loginId"] }));
  call.remember({ loginId, notice: undefined, ...toRemember(call, code ?? randomCode(call), isTyped) });
  if (call.interaction !== undefined) call.setCookie(interactionCookie, call.interaction.uid);
  return redirect(call.link("passwordless-code"));
}

/** The most usable messages of one login: impatient users request several. */
const maxLinks = 3;

// A message may only finish the login that requested it: others may belong to another browser, user or application.
function toRemember(
  { flow }: PageCall,
  code: string,
  isTyped: boolean,
): Pick<FlowState, "passwordlessCode" | "passwordlessLinks"> {
  if (isTyped) return { passwordlessCode: code, passwordlessLinks: undefined };
  const earlier = flow.passwordlessLinks?.split(" ") ?? [];
  return { passwordlessCode: undefined, passwordlessLinks: [...earlier, code].slice(-maxLinks).join(" ") };
}

function toStart(call: PageCall, loginId: string): object {
  return { loginId, loginIdTypes: loginIdTypesOf(call), applicationId: call.interaction?.applicationId };
}

// Based only on the input: the page must not reveal whether the user exists.
function looksLikePhone(loginId: string): boolean {
  return /^\+?[\d\s()./-]{4,30}$/.test(loginId);
}

/** Leads the link of a message back to its interaction. */
const interactionCookie = "latchkey_passwordless";

// For an unknown user there is no code: sending then costs as much work, and the page looks the same.
async function start(call: PageCall, loginId: string): Promise<string | undefined> {
  const response = await call.callApi({ method: "POST", url: "/api/passwordless/start", body: toStart(call, loginId) });
  return response.status === 200 ? textOf(readJson(response.body), "code") : undefined;
}

// The same length as a real code: the size of the cookie must not reveal whether the user exists.
function randomCode({ host, place }: PageCall): string {
  const { length, type } = place.tenant?.externalIdentifierConfiguration.passwordlessLoginGenerator ?? defaultGenerator;
  const text = Buffer.from(host.random(length)).toString("base64url");
  return type === "randomBytes" ? text : text.slice(0, length);
}

const defaultGenerator = { length: 32, type: "randomBytes" };

/** Finishes a passwordless login: with a code, or with a button after a link, because mail scanners follow links. */
export const passwordlessCodePage: Page = { show: showCode, submit: finish };

function showCode(call: PageCall, errors: FormErrors = noErrors): PageResult {
  const { flow, interaction, language, parts } = call;
  if (interaction === undefined) return returnToInteraction(call);
  const title = language.text("passwordless-title");
  // A link is not enough if this login asks for the code of its message.
  if (parts.id !== undefined && flow.passwordlessCode !== undefined) return redirect(call.link("passwordless-code"));
  if (parts.id === undefined && flow.passwordlessCode === undefined) {
    // The user can paste a link that opened in another browser.
    const field = { name: "link", label: language.text("passwordless-link"), autocomplete: "off", value: call.draft("link") };
    const form = call.form(html`${textField(call.fields(errors), field)}${button({ label: language.text("login-button") })}`);
    const content = html`<p role="status">${language.text("passwordless-sent")}</p>${form}${loginLink(call)}`;
    return { kind: "view", title, content, errors, leadsOut: true };
  }
  const codeField = { name: "oneTimeCode", label: language.text("code"), autocomplete: "one-time-code", isFocused: true };
  const code = parts.id === undefined && textField(call.fields(errors), codeField);
  const intro = language.text(parts.id === undefined ? "passwordless-code" : "passwordless-finish");
  const sent = parts.id === undefined && html`<p role="status">${language.text("passwordless-sent")}</p>`;
  const content = html`${sent}<p>${intro}</p>${call.form(html`${code}${button({ label: language.text("login-button") })}`)}${loginLink(call)}`;
  return { kind: "view", title, content, errors, leadsOut: true };
}

// The link of a message, in the browser of the login.
function returnToInteraction(call: PageCall): PageResult {
  const { cookies, id } = call.parts;
  const uid = cookies.read(interactionCookie);
  if (id === undefined) return showError(call, "error-link", 404);
  if (uid === undefined || !/^[\w-]{1,100}$/.test(uid)) return showOtherBrowser(call, id);
  return redirect(`${call.host.basePath}/oauth2/interaction/${uid}/passwordless-code/${encodeURIComponent(id)}`);
}

// Only the browser that started the login may finish it: a link from an attacker must not log the victim in.
function showOtherBrowser(call: PageCall, id: string): PageResult {
  const { host, language } = call;
  const value = `${host.publicUrl}/oauth2/passwordless/${encodeURIComponent(id)}`;
  const field = {
    name: "link",
    label: language.text("passwordless-link"),
    autocomplete: "off",
    value,
    isReadOnly: true,
  } as const;
  const content = html`<p role="status">${language.text("passwordless-elsewhere")}</p>${textField(call.fields(), field)}`;
  return { kind: "view", title: language.text("passwordless-elsewhere-title"), content };
}

/** The code of a pasted link, or the code itself. */
function readCode(link: string): string | undefined {
  return /(?:^|\/oauth2\/passwordless\/)([\w-]{1,200})(?:[?#].*)?$/.exec(link.trim())?.[1];
}

async function finish(call: PageCall, form: FormFields): Promise<PageResult> {
  const { flow, interaction, language, parts } = call;
  if (interaction === undefined) return showError(call, "error-expired", 410);
  const code = parts.id ?? flow.passwordlessCode ?? readCode(form.text("link"));
  if (code === undefined) return showCode(call, fieldError("link", language.text("error-link")));
  const isTyped = parts.id === undefined && flow.passwordlessCode !== undefined;
  if (!isTyped && flow.passwordlessLinks?.split(" ").includes(code) !== true)
    return showCode(call, generalError(language.text("error-link")));
  const oneTimeCode = isTyped ? form.text("oneTimeCode").trim() : undefined;
  const body = { code, oneTimeCode, noJWT: true, twoFactorTrustId: call.trustId };
  const response = await call.callApi({ method: "POST", url: "/api/passwordless/login", body });
  const outcome = await followLogin(call, response, {
    amr: ["otp"],
    authenticationType: "PASSWORDLESS",
    texts: { 404: isTyped ? "invalid-code" : "error-link" },
  });
  if (outcome.kind === "done") return outcome.result;
  return showCode(call, isTyped ? outcome.errors : generalError(language.text("error-link")));
}
