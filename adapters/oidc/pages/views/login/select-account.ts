import type { User } from "latchkey/types";
import type { BrowserAccount } from "../../../http/interactions.js";
import { button } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { FormFields } from "../../request/read-form.js";
import { type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { ifFound } from "../../server/place.js";

/** The query parameter for returning from a login to the accounts. */
const backQuery = "accounts";

function hasAccounts({ interaction }: PageCall): boolean {
  return interaction?.prompt === "select_account" && interaction.accounts.length > 0;
}

/** Whether to show the accounts: the application asked for a choice, and the user has not chosen to log in. */
export function isSelection(call: PageCall): boolean {
  return hasAccounts(call) && (call.flow.chosen === undefined || call.parts.query.has(backQuery));
}

/** Whether a form chooses an account. */
export function isChoice(form: FormFields): boolean {
  return form.has("account") || form.has("another");
}

/** The link from a login back to the accounts; false without accounts. */
export function accountsLink(call: PageCall): Html | false {
  return hasAccounts(call) && html`<a href="${call.link("login")}?${backQuery}=yes">${call.language.text("select-link")}</a>`;
}

/** Shows the accounts of the browser, and a login with another one. */
export async function showAccounts(call: PageCall): Promise<PageResult> {
  const { interaction, language, place } = call;
  const found = (interaction?.accounts ?? []).map(async (account) => accountButton(call, account, await findUser(call, account)));
  const another = button({ label: language.text("other-login"), name: "another", value: "yes", isSecond: true });
  const intro = language.text("select-intro", { application: place.application?.name ?? call.name });
  const content = html`<p>${intro}</p>${call.form(html`${await Promise.all(found)}${another}`)}`;
  return { kind: "view", title: language.text("select-title"), content, leadsOut: true };
}

function accountButton({ language }: PageCall, { isLoggedIn, userId }: BrowserAccount, user: User | undefined): Html {
  const name = user?.fullName ?? [user?.firstName, user?.lastName].filter((part) => part !== undefined).join(" ");
  const names = [...new Set([name, loginIdOf(user) ?? userId])].filter((one) => one !== "");
  const state = language.text(isLoggedIn ? "select-signed-in" : "select-signed-out");
  return button({ label: `${names.join(", ")} (${state})`, name: "account", value: userId });
}

/** Continues with the chosen account, or with its login if it has no session. */
export async function chooseAccount(call: PageCall, form: FormFields): Promise<PageResult> {
  const chosen = call.interaction?.accounts.find(({ userId }) => userId === form.text("account"));
  if (chosen?.isLoggedIn === true) return { kind: "response", response: await call.host.select(call.request, chosen.userId) };
  const loginId = chosen && loginIdOf(await findUser(call, chosen));
  call.remember({ chosen: "yes", identified: undefined, loginId });
  return redirect(call.link("login"));
}

async function findUser({ host, interaction }: PageCall, { userId }: BrowserAccount): Promise<User | undefined> {
  const found = await ifFound(() => host.api.users.retrieve({ userId }, { tenantId: interaction?.tenantId }));
  return found?.user;
}

function loginIdOf(user: User | undefined): string | undefined {
  return user?.email ?? user?.username ?? user?.phoneNumber;
}
