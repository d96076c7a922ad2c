import { type Html, html } from "../../html/html.js";
import type { MessageKey } from "../../messages/english.js";
import type { PageCall } from "../../server/page-call.js";
import { hasPasskeys } from "../passkey-form.js";
import { type LoginProvider, providerButtons } from "../providers.js";
import { accountsLink } from "./select-account.js";

const notices: ReadonlySet<string> = new Set<MessageKey>([
  "account-expired",
  "account-locked",
  "account-prevented",
  "change-done",
  "error-expired",
  "not-registered",
  "provider-denied",
  "provider-failed",
  "provider-incomplete",
  "provider-refused",
  "provider-unknown",
  "too-many-attempts-soon",
  "verify-done",
]);

/** The notice of another page, such as after a password change. */
export function loginMessage({ flow, language }: PageCall): Html | false {
  const { notice, noticeReason: reason = "", provider = "" } = flow;
  if (notice === undefined || !notices.has(notice)) return false;
  return html`<p class="notice" role="status">${language.text(notice as MessageKey, { provider, reason })}</p>`;
}

/** The login methods without a password. */
export function otherLogins(call: PageCall, providers: readonly LoginProvider[]): Html | false {
  const { language, place } = call;
  const passwordless = place.application?.passwordlessConfiguration?.enabled === true;
  const links = [
    ...(hasPasskeys(call) ? [["passkey", "passkey-button"] as const] : []),
    ...(passwordless ? [["passwordless", "passwordless-button"] as const] : []),
  ].map(([page, text]) => html`<p><a class="button second" href="${call.link(page)}">${language.text(text)}</a></p>`);
  const buttons = providerButtons(call, providers);
  return (links.length > 0 || buttons !== false) && html`<p class="or">${language.text("or")}</p>${links}${buttons}`;
}

/** The links below a login. */
export function loginLinks(call: PageCall): Html {
  const { language, place } = call;
  const mayRegister = place.application?.registrationConfiguration.enabled === true;
  const register = mayRegister && html`<a href="${call.link("register")}">${language.text("register-link")}</a>`;
  return html`<nav><a href="${call.link("forgot")}">${language.text("forgot-link")}</a>${register}${accountsLink(call)}</nav>`;
}
