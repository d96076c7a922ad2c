import type { ErrorEntry } from "latchkey";
import { type Errors, noResponse, type Result } from "./result.js";

/** A response as received. */
export interface ReceivedResponse {
  /** 0 for a redirect that the runtime hides. */
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  readonly text: string;
  /** The body of a binary response, such as a zip file. */
  readonly bytes?: Uint8Array | undefined;
}

/** The call that a response belongs to. */
export interface ResponseContext {
  readonly answersText: boolean;
  readonly attempts: number;
  /** The current instant, in epoch milliseconds. */
  readonly now: number;
}

/** Returns the result of a call from its response. */
export function toResult(answer: ReceivedResponse, context: ResponseContext): Result<unknown> {
  const { attempts, answersText } = context;
  const { status, text } = answer;
  if (status >= 400) return toRefusal(answer, context);
  if (status < 200 || status >= 300)
    return noResponse("badAnswer", attempts, { status, message: "The answer is a redirect, which is not followed." });
  const value = answer.bytes ?? (answersText ? text : parseJson(text));
  if (value === noJson) return noResponse("badAnswer", attempts, { status, message: "The answer is no JSON." });
  return { ok: true, status, value, etag: answer.header("etag") ?? undefined, attempts };
}

const noJson: unique symbol = Symbol("no JSON");

function parseJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return noJson;
  }
}

/** The codes of statuses with an empty body. */
const codesOfStatuses: Readonly<Record<number, string>> = {
  401: "[unauthorized]",
  404: "[notFound]",
  405: "[methodNotAllowed]",
  410: "[expired]",
  421: "[wrongCode]",
  423: "[locked]",
  500: "[internal]",
};

function toRefusal({ header, status, text }: ReceivedResponse, { attempts, now }: ResponseContext): Result<never> {
  const errors = toErrors(parseJson(text), status);
  const [first] = [...errors.generalErrors, ...Object.values(errors.fieldErrors).flat()];
  const retryAfterMs = toMilliseconds(header("retry-after"), now);
  return { ok: false, kind: "refused", status, code: first?.code ?? "[unknown]", errors, retryAfterMs, attempts };
}

function toErrors(body: unknown, status: number): Errors {
  const { error, error_description, error_reason, fieldErrors, generalErrors } = toObject(body);
  const errors = {
    fieldErrors: Object.fromEntries(Object.entries(toObject(fieldErrors)).map(([path, list]) => [path, toEntries(list)])),
    generalErrors: toEntries(generalErrors),
  };
  const entries = [...errors.generalErrors, ...Object.values(errors.fieldErrors).flat()];
  if (entries.length > 0) return errors;
  // OAuth errors have their own format.
  const code = typeof error === "string" ? `[${String(error_reason ?? error)}]` : (codesOfStatuses[status] ?? "[unknown]");
  const message = typeof error_description === "string" ? error_description : `The answer has the status ${status}.`;
  return { fieldErrors: {}, generalErrors: [{ code, message }] };
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function toEntries(list: unknown): readonly ErrorEntry[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry?.code === "string") : [];
}

function toMilliseconds(retryAfter: string | null | undefined, now: number): number | undefined {
  const text = retryAfter?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const instant = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
