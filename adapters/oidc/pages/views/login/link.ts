import { html } from "../../html/html.js";
import { type Page, redirect } from "../../server/page.js";

/** Shows a pending link to an account at an identity provider: the user logs in or creates an account to complete it. */
export const linkPage: Page = {
  show(call) {
    const { flow, language, place } = call;
    if (flow.pendingLinkId === undefined) return redirect(call.link("login"));
    const mayRegister = place.application?.registrationConfiguration.enabled === true;
    const register =
      mayRegister && html`<a class="button second" href="${call.link("register")}">${language.text("link-register")}</a>`;
    const intro = language.text("link-intro", { provider: flow.provider ?? language.text("other-provider") });
    const content = html`<p>${intro}</p><p><a class="button" href="${call.link("login")}">${language.text("login-button")}</a></p>${register}`;
    return { kind: "view", title: language.text("link-title"), content };
  },
};
