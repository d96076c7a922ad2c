import type { ApiResponse } from "latchkey/ports";
import type { FormErrors } from "../html/fields.js";
import type { Html } from "../html/html.js";
import type { FormFields } from "../request/read-form.js";
import type { PageCall } from "./page-call.js";

/** What a page shows. */
export interface PageView {
  readonly kind: "view";
  readonly title: string;
  readonly content: Html;
  /** Default 200; 400 where something is wrong. */
  readonly status?: number | undefined;
  readonly errors?: FormErrors | undefined;
  /** Whether the page brings the script. */
  readonly usesScript?: boolean | undefined;
  /** Where the browser goes on by itself. */
  readonly refreshUrl?: string | undefined;
  /** After so many seconds. Default 0. */
  readonly refreshSeconds?: number | undefined;
  /**
   * Whether a form may end at an application or a provider. Browsers apply `form-action` to every redirect that follows a form, and those lead on to
   * origins that nobody here knows. Default false.
   */
  readonly leadsOut?: boolean | undefined;
  /** Origins of images, beside this one and that of the logo. */
  readonly images?: readonly string[] | undefined;
  /** Origins of frames. */
  readonly frames?: readonly string[] | undefined;
}

/** How a page answers: with a view, a redirect to another page, or what the provider says. */
export type PageResult =
  | PageView
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "response"; readonly response: ApiResponse };

/** One page. All that there is to a page is one row of a table. */
export interface Page {
  /** Answers a GET; changes nothing, since previews of links and scanners of mails send them too. */
  readonly show: (call: PageCall, errors?: FormErrors) => Promise<PageResult> | PageResult;
  /** Answers a form of the page. Success is a redirect; a mistake shows the page again, with what was entered. */
  readonly submit?: ((call: PageCall, form: FormFields) => Promise<PageResult>) | undefined;
  /** Whether other sites may send its form, as identity providers do; `submit` must then change nothing. */
  readonly takesCrossSiteForms?: boolean | undefined;
}

/** A redirect to another page. */
export function redirect(to: string): PageResult {
  return { kind: "redirect", to };
}
