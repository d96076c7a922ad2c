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

/** Asks who wants to log in without a password, and sends a message. It says alike for known and unknown users that it did. */
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

/** How many messages of one login can be followed: who waits for one asks for another. */
const maxLinks = 3;

// A message finishes the login that asked for it, and no other: that may be of another browser, person or application.
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

// By what was typed alone, so that the page is the same for known and unknown users.
function looksLikePhone(loginId: string): boolean {
  return /^\+?[\d\s()./-]{4,30}$/.test(loginId);
}

/** Leads the link of a message back to the interaction that it was asked for in. */
const interactionCookie = "latchkey_passwordless";

// Of an unknown user there is nothing to start: the message that is not sent costs as much work, and the page looks the same.
async function start(call: PageCall, loginId: string): Promise<string | undefined> {
  const response = await call.callApi({ method: "POST", url: "/api/passwordless/start", body: toStart(call, loginId) });
  return response.status === 200 ? textOf(readJson(response.body), "code") : undefined;
}

// The same length as a real code, so that the size of the cookie does not reveal whether an account exists.
function randomCode({ host, place }: PageCall): string {
  const { length, type } = place.tenant?.externalIdentifierConfiguration.passwordlessLoginGenerator ?? defaultGenerator;
  const text = Buffer.from(host.random(length)).toString("base64url");
  return type === "randomBytes" ? text : text.slice(0, length);
}

const defaultGenerator = { length: 32, type: "randomBytes" };

/** Finishes a login without a password: by a button where a link leads here, which scanners of mails follow, or by a code. */
export const passwordlessCodePage: Page = { show: showCode, submit: finish };

function showCode(call: PageCall, errors: FormErrors = noErrors): PageResult {
  const { flow, interaction, language, parts } = call;
  if (interaction === undefined) return returnToInteraction(call);
  const title = language.text("passwordless-title");
  // A link is not enough where this login asks for the code of its message.
  if (parts.id !== undefined && flow.passwordlessCode !== undefined) return redirect(call.link("passwordless-code"));
  if (parts.id === undefined && flow.passwordlessCode === undefined) {
    // A link that opened in another browser goes on here.
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

// The link of a message, in the browser in which the login began.
function returnToInteraction(call: PageCall): PageResult {
  const { cookies, id } = call.parts;
  const uid = cookies.read(interactionCookie);
  if (id === undefined) return showError(call, "error-link", 404);
  if (uid === undefined || !/^[\w-]{1,100}$/.test(uid)) return showOtherBrowser(call, id);
  return redirect(`${call.host.basePath}/oauth2/interaction/${uid}/passwordless-code/${encodeURIComponent(id)}`);
}

// The login goes on in the browser that began it alone: who sends somebody a link must not be logged in by a click.
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

/** The code of a link that was pasted, or the code itself. */
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
