import type { ErrorEntry, FieldErrors } from "latchkey";

/** The errors of a refusal: by field, and general ones. */
export interface Errors {
  /** Errors by the dotted path of the field in the request. */
  readonly fieldErrors: FieldErrors;
  /** Errors that concern no single field. */
  readonly generalErrors: readonly ErrorEntry[];
}

/** The service completed the call. */
export interface Success<Value> {
  /** True: narrows the result to a success. */
  readonly ok: true;
  /** 200, or another success status of the operation, such as 242 for a login that needs a second factor. */
  readonly status: number;
  /** The return value of the operation. */
  readonly value: Value;
  /** The version of the returned record, for `ifMatch`; undefined for responses without a single record. */
  readonly etag: string | undefined;
  /** How many requests it took. */
  readonly attempts: number;
}

/** A refusal by the service, or by the client before it sent anything (`attempts` is 0), with the same codes. */
export interface ErrorResult {
  /** False: narrows the result to a failure. */
  readonly ok: false;
  /** Narrows a failure to a refusal. */
  readonly kind: "refused";
  /** The HTTP status of the refusal, 400 or above. */
  readonly status: number;
  /**
   * The first code: `[kind]` or `[kind]path`, as in `IdentityError`; `[unknown]` for a response from something other than the
   * service.
   */
  readonly code: string;
  /** All errors of the refusal, by field and in general. */
  readonly errors: Errors;
  /** How long to wait before the next try, in milliseconds; undefined if the response has no `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  /** How many requests were sent. */
  readonly attempts: number;
}

/**
 * Why there is no usable response. `network`: the connection failed. `timeout`: the call exceeded its timeout. `aborted`: a
 * signal of the caller aborted it. `badAnswer`: the response is a redirect, invalid JSON or too large. `credential`: the
 * credential function failed.
 */
export type NoResponseKind = "network" | "timeout" | "aborted" | "badAnswer" | "credential";

/** A call without a usable response. Unless the kind is `credential`, the service may have completed it. */
export interface NoResponse {
  /** False: narrows the result to a failure. */
  readonly ok: false;
  /** Why there is no usable response. */
  readonly kind: NoResponseKind;
  /** The status of an unusable response. */
  readonly status: number | undefined;
  /** The kind in brackets. */
  readonly code: `[${NoResponseKind}]`;
  /** One general error with `code` and a sentence. */
  readonly errors: Errors;
  /** Always undefined: there is no `Retry-After`. */
  readonly retryAfterMs: undefined;
  /** How many requests were sent; 0 when the credential failed. */
  readonly attempts: number;
  /** The error that was thrown. */
  readonly cause: unknown;
}

/** A call that did not succeed. */
export type Failure = ErrorResult | NoResponse;

/** The result of a call. */
export type Result<Value> = Success<Value> | Failure;

/** A failed call as an error, thrown by {@link unwrap} and by loops over searches. It contains nothing of the request. */
export class ClientError extends Error {
  /** The failed result. */
  readonly failure: Failure;
  /** `refused`, or why there is no usable response. */
  readonly kind: Failure["kind"];
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The first code: `[kind]` or `[kind]path`. */
  readonly code: string;
  /** All errors, by field and in general. */
  readonly errors: Errors;

  constructor(failure: Failure) {
    const { kind, status, code, errors } = failure;
    const entries = [...errors.generalErrors, ...Object.values(errors.fieldErrors).flat()];
    const said = entries.map((entry) => entry.message).join(" ");
    super(
      `${status === undefined ? "" : `${status} `}${code} ${said}`.trim(),
      "cause" in failure ? { cause: failure.cause } : {},
    );
    this.name = "ClientError";
    this.failure = failure;
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** Returns the value of a successful call. @throws ClientError for a failure. */
export function unwrap<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new ClientError(result);
}

const sentences: Readonly<Record<NoResponseKind, string>> = {
  network: "The connection failed.",
  timeout: "The time of the call was over.",
  aborted: "The call was aborted.",
  badAnswer: "The answer is none of the service's.",
  credential: "There is no credential that can be sent.",
};

/** A call without a usable response. `message` replaces the default message of its kind. */
export function noResponse(
  kind: NoResponseKind,
  attempts: number,
  { cause, message = sentences[kind], status }: { readonly cause?: unknown; readonly message?: string; readonly status?: number },
): NoResponse {
  const code = `[${kind}]` as const;
  const errors = { fieldErrors: {}, generalErrors: [{ code, message }] };
  return { ok: false, kind, status, code, errors, retryAfterMs: undefined, attempts, cause };
}

/** An error for input that the service would refuse with 400; nothing is sent. */
export function invalidInput(kind: "missing" | "couldNotConvert" | "invalid" | "invalidJSON", path: string): ClientError {
  const code = `[${kind}]${path}`;
  const entry = { code, message: path === "" ? "The input is no JSON." : `The [${path}] value cannot be sent.` };
  const errors =
    path === "" ? { fieldErrors: {}, generalErrors: [entry] } : { fieldErrors: { [path]: [entry] }, generalErrors: [] };
  return new ClientError({ ok: false, kind: "refused", status: 400, code, errors, retryAfterMs: undefined, attempts: 0 });
}
