import type { ApiResponse } from "latchkey/ports";
import type { FormErrors } from "../html/fields.js";
import type { Html } from "../html/html.js";
import type { FormFields } from "../request/read-form.js";
import type { PageCall } from "./page-call.js";

/** The content of a page. */
export interface PageView {
  readonly kind: "view";
  readonly title: string;
  readonly content: Html;
  /** Default 200; 400 with errors. */
  readonly status?: number | undefined;
  readonly errors?: FormErrors | undefined;
  /** Whether the page loads the script. */
  readonly usesScript?: boolean | undefined;
  /** The URL of an automatic redirect. */
  readonly refreshUrl?: string | undefined;
  /** Its delay in seconds. Default 0. */
  readonly refreshSeconds?: number | undefined;
  /**
   * Whether a form may end at an application or a provider. Browsers apply `form-action` to every redirect after a form, and
   * these lead to origins that are unknown in advance. Default false.
   */
  readonly leadsOut?: boolean | undefined;
  /** Image origins, beside this one and that of the logo. */
  readonly images?: readonly string[] | undefined;
  /** Frame origins. */
  readonly frames?: readonly string[] | undefined;
}

/** The result of a page: a view, a redirect to another page, or a response of the provider. */
export type PageResult =
  | PageView
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "response"; readonly response: ApiResponse };

/** One page: one row of the table. */
export interface Page {
  /** Answers a GET. Must change nothing: link previews and mail scanners send GETs too. */
  readonly show: (call: PageCall, errors?: FormErrors) => Promise<PageResult> | PageResult;
  /** Answers a form. Success is a redirect; an error shows the page again, with the input. */
  readonly submit?: ((call: PageCall, form: FormFields) => Promise<PageResult>) | undefined;
  /** Whether other sites may send its form, as identity providers do; `submit` must then change nothing. */
  readonly takesCrossSiteForms?: boolean | undefined;
}

/** A redirect to another page. */
export function redirect(to: string): PageResult {
  return { kind: "redirect", to };
}
