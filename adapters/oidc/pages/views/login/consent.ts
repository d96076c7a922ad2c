import { button } from "../../html/fields.js";
import { html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import type { PageResult } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";

/** Shows the requested scopes of an application. */
export function showConsent(call: PageCall): PageResult {
  const { interaction, language, name: application } = call;
  const scopes = (interaction?.missingScopes ?? []).map((scope) => html`<li>${language.find(`scope-${scope}`) ?? scope}</li>`);
  const buttons = html`${button({ label: language.text("consent-allow"), name: "decision", value: "allow" })}${button({ label: language.text("consent-deny"), name: "decision", value: "deny", isSecond: true })}`;
  const content = html`<p>${language.text("consent-intro", { application })}</p><ul>${scopes}</ul>${call.form(buttons)}`;
  return { kind: "view", title: language.text("consent-title"), content, leadsOut: true };
}

/** Completes a consent with the user's decision. */
export async function allowConsent({ host, request }: PageCall, form: FormFields): Promise<PageResult> {
  const isAllowed = form.text("decision") === "allow";
  const denied = { error: "access_denied", error_description: "The user did not allow access." };
  return { kind: "response", response: isAllowed ? await host.consent(request) : await host.abort(request, denied) };
}
