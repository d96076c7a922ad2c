import type { IdentityService } from "latchkey";
import { isHeaderValue } from "./request.js";
import type { BackoffSettings } from "./retry.js";
import { fetchTransport, injectTransport, type Transport } from "./transports.js";

/** A text, or a function that returns one for each request, such as for renewed credentials. */
export type Credential = string | (() => string | Promise<string>);

/** The retry policy; docs/client.md lists the retried requests. */
export interface RetryOptions {
  /** The most requests of one call, including the first. Default 4. */
  readonly attempts?: number | undefined;
  /** The first wait, in milliseconds. Each further wait doubles; up to half of each is random. Default 100. */
  readonly baseMs?: number | undefined;
  /** The longest backoff, in milliseconds. Default 5,000. */
  readonly maxMs?: number | undefined;
  /**
   * For how long after the first request a 401 may mean that a new API key is not known everywhere yet, in milliseconds; 0 for
   * never. It ends with the first response other than 401. Default 2,000: this service needs 1,000, the reference up to 60,000.
   */
  readonly newKeyMs?: number | undefined;
}

/** Clock, sleep and random numbers, for tests. */
export interface ClientRuntime {
  /** The current instant, in epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Resolves after a time, or at once when the signal is aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** A random number from 0 up to 1. */
  readonly random?: (() => number) | undefined;
}

/** The service and the credential of a client. Pass either `baseUrl` or `inject`, and at most one credential. */
export interface ClientOptions {
  /** The absolute URL of the service, such as `https://example.com/identity`. */
  readonly baseUrl?: string | undefined;
  /** `identity.inject` of a service in this process; needs no socket. */
  readonly inject?: IdentityService["inject"] | undefined;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent unchanged. */
  readonly apiKey?: Credential | undefined;
  /** An access token, sent as `Bearer`. */
  readonly token?: Credential | undefined;
  /** Sent as `Basic`: the name `apikey` with an API key, or the id and secret of a client at the token endpoint. */
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  /** The tenant of the calls. Global endpoints refuse a tenant with 401; such a call passes `tenantId: null`. */
  readonly tenantId?: string | undefined;
  /** Default `X-Service-TenantId`, which follows the option `names` of the service. */
  readonly tenantHeader?: string | undefined;
  /** False: no retries. */
  readonly retry?: RetryOptions | false | undefined;
  /** The timeout of a call, including all retries, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The most bytes of a response. Default 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Aborts all calls. */
  readonly signal?: AbortSignal | undefined;
  /** Clock, sleep and random numbers for tests. Default: those of the platform. */
  readonly runtime?: ClientRuntime | undefined;
}

/** Validated options with their defaults. */
export interface ClientSettings {
  readonly transport: Transport;
  /**
   * Returns the header `Authorization` of the next request; undefined for none. Rejects with a TypeError for an invalid header
   * value.
   */
  readonly authorize: () => Promise<string | undefined>;
  /** Whether the credential is an API key, which may be too new to be known everywhere. */
  readonly hasKey: boolean;
  readonly tenantId: string | undefined;
  readonly tenantHeader: string;
  readonly backoff: BackoffSettings;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const maxTimeoutMs = 2 ** 31 - 1;

/** The `typeof` of each option's value, as texts to keep the client small. */
const optionTypes: Readonly<Record<keyof ClientOptions, string>> = {
  apiKey: "string function",
  basic: "object",
  baseUrl: "string",
  fetch: "function",
  inject: "function",
  maxAnswerBytes: "number",
  retry: "object boolean",
  runtime: "object",
  signal: "object",
  tenantHeader: "string",
  tenantId: "string",
  timeoutMs: "number",
  token: "string function",
};
const retryTypes: Readonly<Record<keyof RetryOptions, string>> = {
  attempts: "number",
  baseMs: "number",
  maxMs: "number",
  newKeyMs: "number",
};

// The client has its own check because it must not bundle code of the service.
function assertOptions(place: string, given: object, types: Readonly<Record<string, string>>): void {
  for (const name of new Set([...Object.keys(given), ...Object.keys(types)])) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    const type = types[name];
    const known = Object.keys(types).join(", ");
    if (type === undefined) throw new TypeError(`There is no option ${place}${name}. Known are ${known}.`);
    const isOwn = Object.hasOwn(given, name);
    if (!isOwn || value === null || !type.split(" ").includes(typeof value))
      throw new TypeError(`${place}${name} ${isOwn ? `must be a ${type.replace(" ", " or ")}` : "is inherited"}.`);
  }
}

/** Validates options. @throws TypeError, without credentials in its message. */
export function toSettings(options: ClientOptions): ClientSettings {
  assertOptions("", options, optionTypes);
  if (typeof options.retry === "object") assertOptions("retry.", options.retry, retryTypes);
  const { apiKey, basic, runtime = {}, signal, tenantHeader = "X-Service-TenantId", tenantId } = options;
  if (!/^[\w-]+$/.test(tenantHeader)) throw new TypeError("tenantHeader must be the name of a header.");
  return {
    transport: toTransport(options),
    authorize: toAuthorize(options),
    hasKey: apiKey !== undefined || basic?.username === "apikey",
    tenantId,
    tenantHeader,
    backoff: toBackoff(options),
    timeoutMs: checkTimeout(options.timeoutMs ?? 30_000),
    signal,
    clock: runtime.clock ?? Date.now,
    sleep: runtime.sleep ?? sleep,
  };
}

/** Validates the timeout against the range of timers. @throws TypeError for any other value. */
export function checkTimeout(ms: number): number {
  return whole("timeoutMs", ms, [1, maxTimeoutMs]);
}

function whole(name: string, value: number, [minimum, maximum = value]: readonly [minimum: number, maximum?: number]): number {
  if (Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value;
  throw new TypeError(`${name} must be a whole number of at least ${minimum}.`);
}

function toBackoff({ retry = {}, runtime }: ClientOptions): BackoffSettings {
  const { attempts = 4, baseMs = 100, maxMs = 5_000, newKeyMs = 2_000 } = retry === false ? { attempts: 1, newKeyMs: 0 } : retry;
  return {
    attempts: whole("retry.attempts", attempts, [1]),
    baseMs: whole("retry.baseMs", baseMs, [1]),
    maxMs: whole("retry.maxMs", maxMs, [1, maxTimeoutMs]),
    newKeyMs: whole("retry.newKeyMs", newKeyMs, [0]),
    random: runtime?.random ?? Math.random,
  };
}

function toTransport({ baseUrl, fetch, inject, maxAnswerBytes = 64 * 1_024 * 1_024 }: ClientOptions): Transport {
  if ((baseUrl === undefined) === (inject === undefined)) throw new TypeError("There must be either baseUrl or inject.");
  if (inject !== undefined) return injectTransport(inject);
  const own = fetch ?? ((url, init) => globalThis.fetch(url, init));
  return fetchTransport(toBase(baseUrl ?? ""), own, whole("maxAnswerBytes", maxAnswerBytes, [1]));
}

// The message must not repeat the URL, which may hold a password.
function toBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
  if (!isPlain) throw new TypeError("baseUrl must be an absolute http(s) URL without user info, query and fragment.");
  return url.href.replace(/\/+$/, "");
}

function toAuthorize({ apiKey, basic, token }: ClientOptions): ClientSettings["authorize"] {
  if ([apiKey, basic, token].filter((one) => one !== undefined).length > 1)
    throw new TypeError("There must be at most one of apiKey, token and basic.");
  const given = apiKey ?? token;
  if (basic !== undefined) return always(`Basic ${toBase64(`${basic.username}:${basic.password}`)}`);
  if (given === undefined) return async () => undefined;
  const prefix = apiKey === undefined ? "Bearer " : "";
  if (typeof given === "string") return always(toAuthorization(prefix, given));
  return async () => toAuthorization(prefix, await given());
}

function always(header: string): () => Promise<string> {
  return () => Promise.resolve(header);
}

function toAuthorization(prefix: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && isHeaderValue(value)) return prefix + value;
  throw new TypeError("A credential must be a text that a header can carry.");
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
