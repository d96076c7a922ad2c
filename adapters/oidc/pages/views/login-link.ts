import { type Html, html } from "../html/html.js";
import type { PageCall } from "../server/page-call.js";

/** A link back to the login; none on a page outside of an interaction. */
export function loginLink(call: PageCall): Html | false {
  if (call.interaction === undefined) return false;
  return html`<nav><a href="${call.link("login")}">${call.language.text("back-to-login")}</a></nav>`;
}
