import type { ServiceContext } from "../../operations/service-context.js";
import { type OutboundFailure, type OutboundRequest, outboundMethods } from "../../ports/event-transport.js";
import { isHeaderValue, isHttpUrl, isRequestHeaderName } from "../../shared/http.js";
import { isObjectOrList } from "../../shared/objects.js";
import { lambdaHeader } from "../lambda-request.js";

/** What `fetch` answers a lambda (docs/reference/lambdas.md#runtime). */
export interface FetchResult {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How long a call may take in all. */
const timeoutMs = 2_000;
const maxBytes = 1_048_576;
const maxHeaders = 100;
const maxHeaderCharacters = 16_000;
const maxUrlCharacters = 8_000;

// An address that must not be called and one that does not answer look the same: a lambda must not find out what is in the host's network.
const unreachable = "fetch could not reach the host, or the host is not one that lambdas may call.";
const failures: Readonly<Record<OutboundFailure, string>> = {
  forbiddenAddress: unreachable,
  unreachable,
  timedOut: `fetch had no whole answer within ${timeoutMs / 1_000} seconds.`,
};

/**
 * Makes a call for a lambda; redirects are answers.
 * @throws Error for a request that is not allowed, and for a call without a whole answer.
 */
export async function fetchForLambda(
  service: ServiceContext,
  lambdaId: string,
  [url, init]: readonly unknown[],
): Promise<FetchResult> {
  const { method, headers, body } = toRequest(url, init);
  const own = { ...headers, [lambdaHeader(service)]: lambdaId };
  const limits = { connectTimeoutMs: timeoutMs, timeoutMs, maxAnswerBytes: maxBytes };
  const outcome = await service.http.send({ method, url: String(url), headers: own, body, ...limits });
  if (outcome.kind === "failed") throw new Error(failures[outcome.reason]);
  if (outcome.isCut) throw new Error(`The answer of fetch has more than ${maxBytes} bytes.`);
  return { status: outcome.status, headers: outcome.headers, body: outcome.body };
}

function toRequest(url: unknown, init: unknown): Pick<OutboundRequest, "method" | "headers" | "body"> {
  if (typeof url !== "string" || url.length > maxUrlCharacters || !isHttpUrl(url))
    throw new TypeError("fetch needs a full URL of HTTP or HTTPS without user name and password.");
  const { method = "GET", headers, body } = toMembers(init);
  const known = outboundMethods.find((name) => name === String(method).toUpperCase());
  if (known === undefined) throw new TypeError(`fetch knows the methods ${outboundMethods.join(", ")}.`);
  return { method: known, headers: toHeaders(headers), body: toBody(known, body) };
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return isObjectOrList(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

function toHeaders(given: unknown): Readonly<Record<string, string>> {
  const headers = Object.entries(toMembers(given)).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const characters = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (headers.length > maxHeaders || characters > maxHeaderCharacters) throw new TypeError("fetch was given too many headers.");
  for (const [name, value] of headers)
    if (!isRequestHeaderName(name) || !isHeaderValue(value))
      throw new TypeError(`fetch cannot send the header ${name.slice(0, 100)}.`);
  return Object.fromEntries(headers);
}

function toBody(method: OutboundRequest["method"], body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== "string") throw new TypeError("The body of fetch must be a string: use JSON.stringify for objects.");
  if (method === "GET" || method === "HEAD") throw new TypeError(`fetch sends no body with ${method}.`);
  if (Buffer.byteLength(body) > maxBytes) throw new TypeError(`The body of fetch has more than ${maxBytes} bytes.`);
  return body;
}
