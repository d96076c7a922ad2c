import type { ErrorEntry, FieldErrors } from "latchkey";

/** What a refusal says: by field, and of the whole request. */
export interface Errors {
  /** Errors by the dotted path of the field in the request. */
  readonly fieldErrors: FieldErrors;
  /** Errors that concern no single field. */
  readonly generalErrors: readonly ErrorEntry[];
}

/** The service did what was asked. */
export interface Success<Value> {
  /** True: narrows the result to a success. */
  readonly ok: true;
  /** 200, or another status of success that the operation has, such as 242 of a login that waits for a second factor. */
  readonly status: number;
  /** The value that the operation returns. */
  readonly value: Value;
  /** The version of the one record that the answer shows, for `ifMatch`; undefined for other answers. */
  readonly etag: string | undefined;
  /** How many requests it took. */
  readonly attempts: number;
}

/** The service refused the call, or the client did before it sent anything (`attempts` is 0), with the same codes. */
export interface ErrorResult {
  /** False: narrows the result to a failure. */
  readonly ok: false;
  /** Narrows a failure to one that the service, or the client before sending, refused. */
  readonly kind: "refused";
  /** The HTTP status of the refusal, 400 or above. */
  readonly status: number;
  /** The first code: `[kind]` or `[kind]path`, as `IdentityError` has it in process; `[unknown]` for what is not the service's own refusal. */
  readonly code: string;
  /** All errors of the refusal, by field and in general. */
  readonly errors: Errors;
  /** How long to wait before the next try, in milliseconds, where the answer says it. */
  readonly retryAfterMs: number | undefined;
  /** How many requests were sent. */
  readonly attempts: number;
}

/**
 * Why there is no answer to go by. `network`: the connection failed. `timeout`: the time of the call was over. `aborted`: a signal of the
 * caller's ended it. `badAnswer`: what came is no answer of the service: a redirect, no JSON, too much. `credential`: the function that
 * gives the credential failed.
 */
export type NoResponseKind = "network" | "timeout" | "aborted" | "badAnswer" | "credential";

/** There is no answer to go by. Unless the kind is `credential`, the service may have done what was asked. */
export interface NoResponse {
  /** False: narrows the result to a failure. */
  readonly ok: false;
  /** Why there is no answer. */
  readonly kind: NoResponseKind;
  /** Of the answer that is none of the service's. */
  readonly status: number | undefined;
  /** The kind in brackets. */
  readonly code: `[${NoResponseKind}]`;
  /** One general error with `code` and a sentence. */
  readonly errors: Errors;
  /** Always undefined: nobody said how long to wait. */
  readonly retryAfterMs: undefined;
  /** How many requests were sent; 0 when the credential failed. */
  readonly attempts: number;
  /** What was thrown. */
  readonly cause: unknown;
}

/** A call that did not succeed. */
export type Failure = ErrorResult | NoResponse;

/** What came of a call. */
export type Result<Value> = Success<Value> | Failure;

/** A failed call as an error: thrown by {@link unwrap} and by loops over searches. It holds nothing of the request. */
export class ClientError extends Error {
  /** The failed result. */
  readonly failure: Failure;
  /** `refused`, or why there was no answer. */
  readonly kind: Failure["kind"];
  /** The HTTP status; undefined without an answer. */
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

/** The value of a call that succeeded. @throws ClientError for any other. */
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

/** A call without an answer. `message` replaces the sentence of its kind. */
export function noResponse(
  kind: NoResponseKind,
  attempts: number,
  { cause, message = sentences[kind], status }: { readonly cause?: unknown; readonly message?: string; readonly status?: number },
): NoResponse {
  const code = `[${kind}]` as const;
  const errors = { fieldErrors: {}, generalErrors: [{ code, message }] };
  return { ok: false, kind, status, code, errors, retryAfterMs: undefined, attempts, cause };
}

/** What the service would refuse with 400 for one of its parameters, without asking it. */
export function invalidInput(kind: "missing" | "couldNotConvert" | "invalid" | "invalidJSON", path: string): ClientError {
  const code = `[${kind}]${path}`;
  const entry = { code, message: path === "" ? "The input is no JSON." : `The [${path}] value cannot be sent.` };
  const errors =
    path === "" ? { fieldErrors: {}, generalErrors: [entry] } : { fieldErrors: { [path]: [entry] }, generalErrors: [] };
  return new ClientError({ ok: false, kind: "refused", status: 400, code, errors, retryAfterMs: undefined, attempts: 0 });
}
