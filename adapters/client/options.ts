import type { IdentityService } from "latchkey";
import { isHeaderValue } from "./request.js";
import type { BackoffSettings } from "./retry.js";
import { fetchTransport, injectTransport, type Transport } from "./transports.js";

/** A text, or what gives it for each request: where it is renewed or kept elsewhere. */
export type Credential = string | (() => string | Promise<string>);

/** When requests are sent again; docs/client.md says which. */
export interface RetryOptions {
  /** The most requests of one call, the first one included. Default 4. */
  readonly attempts?: number | undefined;
  /** The first wait, in milliseconds; each further one is twice as long, and up to half of each is left to chance. Default 100. */
  readonly baseMs?: number | undefined;
  /** The longest wait that the client chooses itself, in milliseconds. Default 5,000. */
  readonly maxMs?: number | undefined;
  /**
   * For how long, from the first request on, 401 may mean that a new API key is not known everywhere, in milliseconds; 0 for never. It ends
   * with the first answer that is not 401. Default 2,000: this service needs 1,000, the reference says up to 60,000.
   */
  readonly newKeyMs?: number | undefined;
}

/** What time and chance are, for tests. */
export interface ClientRuntime {
  /** Now, in epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Resolves after a time, or at once when the signal is aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** From 0 up to 1. */
  readonly random?: (() => number) | undefined;
}

/** How a client reaches a service, and who calls. There is either `baseUrl` or `inject`, and at most one credential. */
export interface ClientOptions {
  /** Where the service is mounted: an absolute URL, such as `https://example.com/identity`. */
  readonly baseUrl?: string | undefined;
  /** `identity.inject` of a service in this process, which needs no socket. */
  readonly inject?: IdentityService["inject"] | undefined;
  /** Default: the runtime's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent as it is. */
  readonly apiKey?: Credential | undefined;
  /** An access token, sent as `Bearer`. */
  readonly token?: Credential | undefined;
  /** Sent as `Basic`: the name `apikey` with an API key, or the id and secret of a client at the token endpoint. */
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  /** The tenant that calls are bound to. Endpoints that belong to no tenant refuse it with 401; a call leaves it out with `tenantId: null`. */
  readonly tenantId?: string | undefined;
  /** Default `X-Service-TenantId`, which follows the option `names` of the service. */
  readonly tenantHeader?: string | undefined;
  /** False: nothing is sent again. */
  readonly retry?: RetryOptions | false | undefined;
  /** How long a call may take with all that is tried again, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The most bytes of an answer. Default 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Ends all calls. */
  readonly signal?: AbortSignal | undefined;
  /** Clock, sleep and random numbers for tests. Default: those of the platform. */
  readonly runtime?: ClientRuntime | undefined;
}

/** Options that were checked, with their defaults. */
export interface ClientSettings {
  readonly transport: Transport;
  /** The header `Authorization` of the next request; undefined for none. Rejects with a TypeError for what no header can carry. */
  readonly authorize: () => Promise<string | undefined>;
  /** Whether it is an API key, which may be too new to be known. */
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

/** What `typeof` says of the value of each option; the client is small, so these are texts. */
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

// The client brings nothing of the service, which has such a check of its own.
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

/** Checks options. @throws TypeError; what it says holds no credential. */
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

/** A time that a timer can keep. @throws TypeError for any other. */
export function checkTimeout(ms: number): number {
  return whole("timeoutMs", ms, 1, maxTimeoutMs);
}

function whole(name: string, value: number, minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value;
  throw new TypeError(`${name} must be a whole number of at least ${minimum}.`);
}

function toBackoff({ retry = {}, runtime }: ClientOptions): BackoffSettings {
  const { attempts = 4, baseMs = 100, maxMs = 5_000, newKeyMs = 2_000 } = retry === false ? { attempts: 1, newKeyMs: 0 } : retry;
  return {
    attempts: whole("retry.attempts", attempts, 1),
    baseMs: whole("retry.baseMs", baseMs, 1),
    maxMs: whole("retry.maxMs", maxMs, 1, maxTimeoutMs),
    newKeyMs: whole("retry.newKeyMs", newKeyMs, 0),
    random: runtime?.random ?? Math.random,
  };
}

function toTransport({ baseUrl, fetch, inject, maxAnswerBytes = 64 * 1_024 * 1_024 }: ClientOptions): Transport {
  if ((baseUrl === undefined) === (inject === undefined)) throw new TypeError("There must be either baseUrl or inject.");
  if (inject !== undefined) return injectTransport(inject);
  const own = fetch ?? ((url, init) => globalThis.fetch(url, init));
  return fetchTransport(toBase(baseUrl ?? ""), own, whole("maxAnswerBytes", maxAnswerBytes, 1));
}

// What is refused may hold a password, so that it is not repeated.
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
