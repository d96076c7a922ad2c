import { type Html, html } from "../../html/html.js";
import type { PageCall } from "../../server/page-call.js";

/** The way back to the login, where there is one: a page that a message led to has none. */
export function backLink(call: PageCall): Html | false {
  if (call.interaction === undefined) return false;
  return html`<nav><a href="${call.link("login")}">${call.language.text("back-to-login")}</a></nav>`;
}
