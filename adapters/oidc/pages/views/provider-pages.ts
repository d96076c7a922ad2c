import type { ProviderForm, ProviderPage } from "../../http/interactions.js";
import { button, textField } from "../html/fields.js";
import { type Html, html } from "../html/html.js";
import { fieldError } from "../server/form-errors.js";
import type { PageView } from "../server/page.js";
import type { PageCall } from "../server/page-call.js";
import { applicationLink, showError, showErrorText } from "../server/show-error.js";
import { toPolicySource } from "../server/write-page.js";

type Shown = {
  readonly [Kind in ProviderPage["kind"]]: (call: PageCall, page: Extract<ProviderPage, { kind: Kind }>) => PageView;
};

const shown: Shown = {
  deviceCode: showDeviceCode,
  deviceConfirm: showDeviceConfirm,
  deviceDone: ({ language }) => notice(language.text("device-done-title"), language.text("device-done")),
  cookiesMissing: ({ language }) => showError({ language }, "device-cookies", 400),
  logout: showLogout,
  chooseLogout: showLogouts,
  stillLoggedIn: showStillLoggedIn,
  loggedOut: showLoggedOut,
  error: showProviderError,
};

/** The pages outside of interactions, for the provider. */
export function showProviderPage(call: PageCall, page: ProviderPage): PageView {
  const show: (call: PageCall, page: never) => PageView = shown[page.kind];
  return show(call, page as never);
}

function notice(title: string, text: string): PageView {
  return { kind: "view", title, content: html`<p role="status">${text}</p>` };
}

// The provider itself checks these forms with its own token.
function providerForm({ action, fields }: ProviderForm, content: Html): Html {
  const hidden = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<form method="post" action="${action}">${hidden}${content}</form>`;
}

function showDeviceCode(
  call: PageCall,
  { error, form, userCode: value }: Extract<ProviderPage, { kind: "deviceCode" }>,
): PageView {
  const { language } = call;
  const errors =
    error === undefined ? undefined : fieldError("user_code", language.text(deviceErrors[error] ?? "device-invalid"));
  const context = call.fields(errors);
  const field = textField(context, {
    name: "user_code",
    label: language.text("code"),
    autocomplete: "off",
    value,
    isFocused: true,
  });
  const content = html`<p>${language.text("device-intro")}</p>${providerForm(form, html`${field}${button({ label: language.text("continue") })}`)}`;
  return { kind: "view", title: language.text("device-title"), content, errors, status: 200 };
}

const deviceErrors = {
  unknown: "device-invalid",
  expired: "device-invalid",
  used: "device-invalid",
  aborted: "device-denied",
  missing: "[blank]",
} as const;

function showDeviceConfirm(call: PageCall, { form, userCode }: Extract<ProviderPage, { kind: "deviceConfirm" }>): PageView {
  const { language, name: application } = call;
  const buttons = html`${button({ label: language.text("device-confirm-button") })}${button({ label: language.text("cancel"), name: "abort", value: "yes", isSecond: true })}`;
  const content = html`<p>${language.text("device-confirm", { application, code: userCode })}</p>${providerForm(form, buttons)}`;
  return { kind: "view", title: language.text("device-title"), content };
}

function showLogout(call: PageCall, { form }: Extract<ProviderPage, { kind: "logout" }>): PageView {
  const { language, name: application } = call;
  const buttons = html`${button({ label: language.text("logout-button"), name: "logout", value: "yes" })}${button({ label: language.text("logout-stay"), isSecond: true })}`;
  const content = html`<p>${language.text("logout-intro", { application })}</p>${providerForm(form, buttons)}`;
  return { kind: "view", title: language.text("logout-title"), content, leadsOut: true };
}

function showLogouts({ language }: PageCall, { choices }: Extract<ProviderPage, { kind: "chooseLogout" }>): PageView {
  const links = choices.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`);
  const content = html`<p>${language.text("logout-choose")}</p><ul>${links}</ul>`;
  return { kind: "view", title: language.text("logout-title"), content };
}

function showStillLoggedIn(call: PageCall, { startUrl }: Extract<ProviderPage, { kind: "stillLoggedIn" }>): PageView {
  const { language } = call;
  const content = html`<p role="status">${language.text("logout-stayed")}</p>${applicationLink(call, startUrl)}`;
  return { kind: "view", title: language.text("logout-stayed-title"), content };
}

function showLoggedOut({ language }: PageCall, { frames, next }: Extract<ProviderPage, { kind: "loggedOut" }>): PageView {
  const loaded = frames.filter((url) => toPolicySource(url) !== undefined);
  const target = next !== undefined && toPolicySource(next) !== undefined ? next : undefined;
  const link = target !== undefined && html`<p><a href="${target}">${language.text("back-to-application")}</a></p>`;
  const content = html`<p role="status">${language.text("logged-out")}</p>${link}${loaded.map((url) => html`<iframe src="${url}" title="" aria-hidden="true"></iframe>`)}`;
  const sources = loaded.flatMap((url) => toPolicySource(url) ?? []);
  // Front-channel logout frames need time to load before the redirect.
  return {
    kind: "view",
    title: language.text("logged-out-title"),
    content,
    frames: sources,
    refreshUrl: target,
    refreshSeconds: loaded.length === 0 ? 0 : 2,
  };
}

function showProviderError(call: PageCall, { description, error, status }: Extract<ProviderPage, { kind: "error" }>): PageView {
  return showErrorText(call, call.language.text("error-request", { reason: description ?? error }), status);
}
