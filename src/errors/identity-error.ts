import { ReferenceViolation, ResultTooLarge, StorageUnavailable } from "../ports/storage.js";
import {
  describeOptions,
  type ErrorCode,
  type FieldErrorKind,
  fieldErrorCodes,
  type GeneralErrorKind,
  generalErrorCodes,
} from "./codes.js";
import { toPlainCause } from "./plain-cause.js";

/** One error as in the API. */
export interface ErrorEntry {
  /** `[kind]` or `[kind]path`; stable. */
  readonly code: string;
  /** An English sentence; not part of the contract. */
  readonly message: string;
  /** Data of a lambda's error; the `actions` that prevent a login. */
  readonly data?: unknown;
}

/** Errors by the path of their field. */
export type FieldErrors = Readonly<Record<string, readonly ErrorEntry[]>>;

/** Further options of an error. */
export interface IdentityErrorOptions extends ErrorOptions {
  /** Headers of the response, with names in lower case, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Thrown by every operation that refuses a call, in process as over HTTP (docs/reference/errors.md#statuses). `status` is the
 * HTTP status; `code` the first code; `fieldErrors` and `generalErrors` are the Errors object; `headers` are further headers of
 * the response.
 */
export class IdentityError extends Error {
  /** The HTTP status code of the refusal. */
  readonly status: number;
  /** The first code: `[kind]` or `[kind]path`. Stable, unlike the message. */
  readonly code: string;
  /** Errors by the path of the field, such as `group.name`; `{}` without any. */
  readonly fieldErrors: FieldErrors;
  /** Errors of the whole request; `[]` without any. */
  readonly generalErrors: readonly ErrorEntry[];
  /** Headers of the response besides the usual ones, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    errors: { readonly fieldErrors?: FieldErrors; readonly generalErrors?: readonly ErrorEntry[] },
    options?: IdentityErrorOptions,
  ) {
    const fieldErrors = errors.fieldErrors ?? {};
    const generalErrors = errors.generalErrors ?? [];
    const entries = [...generalErrors, ...Object.values(fieldErrors).flat()];
    super(entries.map((entry) => entry.message).join(" "), {
      ...options,
      ...(options?.cause !== undefined && { cause: toPlainCause(options.cause) }),
    });
    this.name = "IdentityError";
    this.status = status;
    this.code = entries[0]?.code ?? "[internal]";
    this.fieldErrors = fieldErrors;
    this.generalErrors = generalErrors;
    this.headers = options?.headers ?? {};
  }
}

/** Creates a refusal of the whole request. `message` replaces the default message. */
export function generalError(kind: GeneralErrorKind, message?: string, options?: IdentityErrorOptions): IdentityError {
  const row: ErrorCode = generalErrorCodes[kind];
  return new IdentityError(row.status, { generalErrors: [{ code: `[${kind}]`, message: message ?? row.message("") }] }, options);
}

/** Creates a refusal of one field. `message` replaces the default message. */
export function fieldError(kind: FieldErrorKind, path: string, message?: string): IdentityError {
  return new FieldErrorList().add(kind, path, message).toError();
}

/** Creates a refusal of a value that is not one of these. */
export function invalidOption(path: string, values: readonly unknown[]): IdentityError {
  return fieldError("invalidOption", path, `${fieldErrorCodes.invalidOption.message(path)} ${describeOptions(values)}`);
}

/** The largest number of field errors in a response (docs/reference/wire.md#sizes). */
const maxFieldErrors = 100;

/**
 * Collects the errors of a request's fields, to report them at once (docs/reference/errors.md#errors-object): the first 100, and
 * then `[tooManyErrors]`.
 */
export class FieldErrorList {
  // A Map keeps the order of discovery, and makes a path called __proto__ harmless.
  readonly #entries = new Map<string, ErrorEntry[]>();
  #count = 0;
  #hasMore = false;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether further errors will not be listed, so that callers can stop early. */
  get isFull(): boolean {
    return this.#hasMore;
  }

  add(kind: FieldErrorKind, path: string, message?: string): this {
    return this.#addEntry(path, { code: `[${kind}]${path}`, message: message ?? fieldErrorCodes[kind].message(path) });
  }

  /** Adds the field errors of another refusal. */
  addAll({ fieldErrors }: IdentityError): this {
    for (const [path, entries] of Object.entries(fieldErrors)) for (const entry of entries) this.#addEntry(path, entry);
    return this;
  }

  #addEntry(path: string, entry: ErrorEntry): this {
    const entries = this.#entries.get(path);
    if (entries?.some(({ code }) => code === entry.code)) return this;
    this.#hasMore = this.#count === maxFieldErrors;
    if (this.#hasMore) return this;
    this.#count++;
    if (entries === undefined) this.#entries.set(path, [entry]);
    else entries.push(entry);
    return this;
  }

  toError(): IdentityError {
    const generalErrors = this.#hasMore ? generalError("tooManyErrors").generalErrors : [];
    return new IdentityError(400, { fieldErrors: Object.fromEntries(this.#entries), generalErrors });
  }

  /** @throws IdentityError when anything was added. */
  throwIfAny(): void {
    if (!this.isEmpty) throw this.toError();
  }
}

/** Converts anything thrown to a refusal: known errors keep their status, others become an internal error with their `cause`. */
export function toIdentityError(thrown: unknown): IdentityError {
  if (thrown instanceof IdentityError) return thrown;
  if (thrown instanceof StorageUnavailable) return generalError("storageUnavailable", undefined, { cause: thrown });
  if (thrown instanceof ResultTooLarge) return responseTooLarge(thrown);
  if (thrown instanceof ReferenceViolation) return generalError("notFound", undefined, { cause: thrown });
  return generalError("internal", undefined, { cause: thrown });
}

/** Creates the refusal of a too large response; `advice` suggests a smaller one. */
export function responseTooLarge(cause: ResultTooLarge, advice = ""): IdentityError {
  const message = `${cause.message} ${advice}`.trim();
  // A too large request body has the same code with status 413.
  return new IdentityError(400, { generalErrors: [{ code: "[tooLarge]", message }] }, { cause });
}
