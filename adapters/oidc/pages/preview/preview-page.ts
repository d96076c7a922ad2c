import { errorSummary } from "../html/fields.js";
import { html } from "../html/html.js";
import { writeLayout } from "../html/layout.js";
import type { PageResult } from "../server/page.js";
import { showError } from "../server/show-error.js";
import { type ColorScheme, writeSchemeStyles } from "../theme/stylesheet.js";
import { forgotPage } from "../views/account/forgot.js";
import { loginPage } from "../views/login/login.js";
import { invalidCode, showCode } from "../views/second-factor.js";
import { openPreview, type PreviewCall, type PreviewSettings } from "./preview-call.js";

/** The name of a page with a preview. */
export type PreviewName = "error" | "forgot" | "login" | "two-factor" | "two-factor-mistake";

const shown: Readonly<Record<PreviewName, (call: PreviewCall) => PageResult | Promise<PageResult>>> = {
  login: (call) => loginPage.show(call),
  "two-factor": (call) => showCode(call),
  "two-factor-mistake": (call) => showCode(call, invalidCode(call)),
  forgot: (call) => forgotPage.show(call),
  error: (call) => showError(call, "error-expired"),
};

/** The names of the pages with a preview. */
export const previewNames: readonly PreviewName[] = Object.keys(shown) as PreviewName[];

/** The page of a preview, and its settings. */
export interface PreviewRequest extends PreviewSettings {
  readonly page: PreviewName;
  readonly colorScheme: ColorScheme;
}

/** A page without its style sheet, and the rules of that sheet. */
export interface PagePreview {
  readonly html: string;
  readonly styles: string;
}

/** Renders a login page with a valid theme, stored or not, like the service does. */
export async function previewPage({ colorScheme, page, ...settings }: PreviewRequest): Promise<PagePreview> {
  const call = await openPreview(settings);
  const view = await shown[page](call);
  if (view.kind !== "view") throw new TypeError(`The page ${page} has no preview.`);
  const summary = errorSummary(call.fields(view.errors));
  const written = writeLayout({
    title: view.title,
    content: html`${summary}${view.content}`,
    language: call.language,
    name: call.name,
    logoUrl: settings.theme.logoUrl,
    styleUrl: "#",
    hasErrors: summary !== false,
  });
  return { html: written.toString(), styles: writeSchemeStyles(colorScheme, settings.theme) };
}
