import type { EndedInteraction } from "../../http/interactions.js";
import { type Html, html } from "../html/html.js";
import type { MessageKey } from "../messages/english.js";
import type { PageView } from "./page.js";
import type { PageCall } from "./page-call.js";

/** A page with the reason why the requested one is not available. */
export function showError({ language }: Pick<PageCall, "language">, key: MessageKey, status = 400): PageView {
  return showErrorText({ language }, language.text(key), status);
}

/** The same with a text of its own. */
export function showErrorText({ language }: Pick<PageCall, "language">, text: string, status: number): PageView {
  return { kind: "view", title: language.text("error-title"), content: html`<p role="alert">${text}</p>`, status };
}

/** A page for an ended interaction; in the browser that started it, with a link to the application. */
export function showEnded(call: PageCall, ended: EndedInteraction | undefined): PageView {
  const { language } = call;
  if (ended === undefined) return showError(call, "error-expired", 410);
  if (ended.reason === "cookieMissing") return showError(call, "error-cookies", 410);
  if (ended.reason === "expired") {
    const error = showError(call, "error-expired", 410);
    return { ...error, content: html`${error.content}${applicationLink(call, ended.startUrl)}` };
  }
  const content = html`<p role="status">${language.text("login-ended")}</p>${applicationLink(call, ended.startUrl)}`;
  return { kind: "view", title: language.text("login-ended-title"), content, status: 410 };
}

/** A link to the start page of the application's site. */
export function applicationLink({ language, place }: PageCall, startUrl: string | undefined): Html | false {
  const application = place.application?.name;
  const label = application === undefined ? language.text("continue") : language.text("continue-to", { application });
  return startUrl !== undefined && html`<nav><a href="${startUrl}">${label}</a></nav>`;
}
