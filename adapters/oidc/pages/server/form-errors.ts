import type { ApiResponse } from "latchkey/ports";
import { isObject } from "../../../internal/objects.js";
import type { FormErrors } from "../html/fields.js";
import type { MessageKey } from "../messages/english.js";
import type { PageLanguage } from "../messages/locale.js";

/** An error of the whole form. */
export function generalError(text: string): FormErrors {
  return { fields: {}, general: [text] };
}

/** An error of one field. */
export function fieldError(name: string, text: string): FormErrors {
  return { fields: { [name]: text }, general: [] };
}

/** Texts for responses without a body, by status. */
const byStatus: Readonly<Record<number, MessageKey>> = {
  403: "error-disabled",
  404: "error-link",
  410: "account-expired",
  422: "error-disabled",
  423: "account-locked",
  503: "error-internal",
};

/** One error of the API. */
interface ApiMistake {
  readonly code: string;
  readonly message: string;
}

/**
 * Converts a refusal of the API to errors of a form with these fields: errors of other fields become general ones. `texts` has
 * texts for statuses with a special meaning.
 */
export function toFormErrors(
  language: PageLanguage,
  response: ApiResponse,
  { fields, texts = {} }: { readonly fields: readonly string[]; readonly texts?: Readonly<Record<number, MessageKey>> },
): FormErrors {
  const own = texts[response.status];
  if (own !== undefined) return generalError(language.text(own));
  if (response.status === 429 || (response.status === 423 && response.headers["retry-after"] !== undefined))
    return generalError(toWaiting(language, response));
  const { fieldErrors, generalErrors } = readErrors(response);
  const known = fields.flatMap((path) => (fieldErrors[path] === undefined ? [] : [[path, fieldErrors[path]] as const]));
  const others = Object.entries(fieldErrors).filter(([path]) => !fields.includes(path));
  const general = [...generalErrors, ...others.flatMap(([, mistakes]) => mistakes)].map((mistake) => toText(language, mistake));
  const isEmpty = known.length === 0 && general.length === 0;
  return {
    fields: Object.fromEntries(known.map(([path, mistakes]) => [path, mistakes.map((one) => toText(language, one)).join(" ")])),
    general: isEmpty ? [language.text(byStatus[response.status] ?? "error-internal")] : [...new Set(general)],
  };
}

function toWaiting(language: PageLanguage, { headers }: ApiResponse): string {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0
    ? language.text("too-many-attempts", { seconds: Math.ceil(seconds) })
    : language.text("too-many-attempts-soon");
}

// The theme's texts for one field, such as `[blank]user.email`, precede those for all. A lambda's error has only its own text.
function toText(language: PageLanguage, { code, message }: ApiMistake): string {
  const [kind = ""] = /^\[[^\]]*\]/.exec(code) ?? [];
  return language.find(code) ?? language.find(kind) ?? message;
}

function readErrors({ body }: ApiResponse): {
  readonly fieldErrors: Readonly<Record<string, readonly ApiMistake[]>>;
  readonly generalErrors: readonly ApiMistake[];
} {
  const value = readJson(body);
  const { fieldErrors, generalErrors } = value;
  const lists = isObject(fieldErrors) ? Object.entries(fieldErrors).map(([path, list]) => [path, toMistakes(list)] as const) : [];
  return { fieldErrors: Object.fromEntries(lists), generalErrors: toMistakes(generalErrors) };
}

function toMistakes(list: unknown): readonly ApiMistake[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items.filter(isObject).map(({ code, message }) => ({ code: String(code ?? ""), message: String(message ?? "") }));
}

/** The codes of the general errors. */
export function readErrorCodes(response: ApiResponse): readonly string[] {
  return readErrors(response).generalErrors.map(({ code }) => code);
}

/** The members of a JSON response; none for any other body. */
export function readJson(body: string): Readonly<Record<string, unknown>> {
  if (!body.startsWith("{")) return {};
  const value: unknown = JSON.parse(body);
  return isObject(value) ? value : {};
}

/** A text member of a response; undefined for any other value. */
export function textOf(answer: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = answer[name];
  return typeof value === "string" ? value : undefined;
}
