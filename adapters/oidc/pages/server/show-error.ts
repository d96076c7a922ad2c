import { html } from "../html/html.js";
import type { MessageKey } from "../messages/english.js";
import type { PageView } from "./page.js";
import type { PageCall } from "./page-call.js";

/** A page that says why there is no other one. */
export function showError(
  { language }: Pick<PageCall, "language">,
  key: MessageKey,
  status = 400,
  values?: Record<string, string>,
): PageView {
  const text = language.text(key, values);
  return { kind: "view", title: language.text("error-title"), content: html`<p role="alert">${text}</p>`, status };
}
