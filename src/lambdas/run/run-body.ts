import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type OutboundFailure, type OutboundRequest, outboundMethods } from "../../ports/event-transport.js";
import type { LambdaFailure, LambdaHost, LambdaScope } from "../../ports/lambda-runner.js";
import { findUnsafeValue } from "../../shared/find-unsafe-value.js";
import { isHeaderValue, isHttpUrl, isRequestHeaderName } from "../../shared/http.js";
import { isObjectOrList } from "../../shared/objects.js";
import { type BodyOutcome, executeScript, type ScriptExecution } from "./execute-script.js";
import { apiOfRun } from "./lambda-api.js";
import { redactorOf } from "./redact.js";
import type { RunnableLambda } from "./runnable-lambda.js";
import { findTenantValues, type SecretSources, secretReader } from "./tenant-values.js";

interface BodyRun {
  readonly lambda: RunnableLambda;
  /** The tenant of the run's data; undefined for data outside of tenants. */
  readonly tenantId: string | undefined;
  /** By parameter name; absent arguments are undefined for the lambda. */
  readonly arguments: ScriptExecution["arguments"];
  /** Whether it is a test: then it has at most the caller's rights, and its changes are undone. */
  readonly isTrial?: boolean;
}

/**
 * Runs the body of a lambda; members that its type may not change keep their values. Rejects only where the tenant cannot be
 * read; records nothing. Removes the secrets that it read from console and messages.
 */
export async function runBody(call: OperationCall, run: BodyRun): Promise<BodyOutcome> {
  if (isLambdaRequest(call)) return nestedLambdaFailure;
  const { lambda, tenantId, arguments: given } = run;
  const { lambdas, availability } = call.service;
  const found = findTenantValues(call.service, tenantId);
  const { constants, openSecret } = found instanceof Promise ? await found : found;
  const { host, redact } = hostOfRun(call, run, openSecret);
  const { runner, limits } = lambdas;
  const mayShorten = availability.behaves("shortenedTokens");
  const outcome = await executeScript({ runner, lambda, tenantId, arguments: given, constants, limits, host, mayShorten });
  return redactOutcome(placeFailure(outcome, lambda), redact);
}

// Gives the position within the module for a failure in one.
function placeFailure(outcome: BodyOutcome, { locate }: RunnableLambda): BodyOutcome {
  if (outcome.kind === "ok" || outcome.line === undefined) return outcome;
  const { line, module } = locate(outcome.line);
  return module === undefined ? outcome : { ...outcome, line, message: `In the module ${module}: ${outcome.message}` };
}

function redactOutcome(outcome: BodyOutcome, redact: (text: string) => string): BodyOutcome {
  const console = outcome.console.map(({ level, text }) => ({ level, text: redact(text) }));
  return outcome.kind === "ok" ? { ...outcome, console } : { ...outcome, message: redact(outcome.message), console };
}

interface HostOfRun {
  readonly host: LambdaHost | undefined;
  /** Replaces the secrets that the run has received so far. */
  readonly redact: (text: string) => string;
}

type HostFunction = (args: readonly unknown[]) => unknown;

/** The host functions of a run, by the options and the plan. */
function hostOfRun(call: OperationCall, run: BodyRun, ofTenant: SecretSources["ofTenant"]): HostOfRun {
  const secrets = new Set<string>();
  const redact = redactorFor(secrets);
  const place: LambdaScope = { lambdaId: run.lambda.id, tenantId: run.tenantId };
  const getSecret = secretReader({ ofTenant, ofHost: call.service.lambdas.resolveSecret }, place, secrets);
  const functions = new Map([
    ...functionsFor(call, place, getSecret, redact),
    ...apiOfRun(call, run, () => markOf(call.service, place.lambdaId)),
  ]);
  const names = [...functions.keys()];
  if (names.length === 0) return { host: undefined, redact };
  return { host: { names, call: (name, args) => callFunction(functions.get(name), name, args) }, redact };
}

// Built again only when the run has read more secrets, not for each line.
function redactorFor(secrets: ReadonlySet<string>): HostOfRun["redact"] {
  let made = { size: 0, redact: (text: string): string => text };
  return (text) => {
    if (made.size < secrets.size) made = { size: secrets.size, redact: redactorOf(secrets) };
    return made.redact(text);
  };
}

function functionsFor(
  call: OperationCall,
  place: LambdaScope,
  getSecret: HostFunction | undefined,
  redact: HostOfRun["redact"],
): ReadonlyMap<string, HostFunction> {
  const { service } = call;
  const { allowFetch, functions } = service.lambdas;
  const known = new Map<string, HostFunction>();
  const addOfHost = (name: string, run: HostFunction): void => {
    known.set(
      name,
      reported(run, (told) => logFailure(service, { ...place, function: name, error: redact(told) })),
    );
  };
  if (allowFetch && service.availability.isLicensed("fetch"))
    known.set("fetch", (args) => fetchForLambda(service, place.lambdaId, args));
  if (getSecret !== undefined) addOfHost("secrets.get", getSecret);
  for (const [name, run] of Object.entries(functions)) {
    // Values from a script must not change the behavior of the host's own objects.
    const runSafely: HostFunction = (args) => {
      if (findUnsafeValue(args) !== undefined) throw new TypeError(`The arguments of host.${name} are not allowed.`);
      return run(place, ...args);
    };
    addOfHost(`host.${name}`, runSafely);
  }
  return known;
}

/** The same function; logs only its first failure, since a script may call it repeatedly. */
function reported(run: HostFunction, tell: (failure: string) => void): HostFunction {
  let isTold = false;
  return async (args) => {
    try {
      return await run(args);
    } catch (error) {
      if (!isTold) tell(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
      isTold = true;
      throw error;
    }
  };
}

// Without the error object, whose members may contain the arguments of the function.
function logFailure({ runtime }: ServiceContext, failure: LambdaScope & { function: string; error: string }): void {
  runtime.logger.error(failure, "a function of the host failed in a lambda");
}

async function callFunction(run: HostFunction | undefined, name: string, argumentsJson: string): Promise<string | undefined> {
  if (run === undefined) throw new Error(`There is no function ${name}.`);
  try {
    return JSON.stringify(await run(JSON.parse(argumentsJson)));
  } catch (error) {
    // Only the message crosses: no stack, no cause.
    throw new Error(messageOf(error));
  }
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === "string" ? thrown : "The function of the host failed.";
}

/** The result of `fetch` for a lambda (docs/reference/lambdas.md#runtime). */
interface FetchResult {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The deadline of a whole call. */
const timeoutMs = 2_000;
const maxBytes = 1_048_576;
const maxHeaders = 100;
const maxHeaderCharacters = 16_000;
const maxUrlCharacters = 8_000;

// A forbidden address looks like one that does not answer: a lambda must not discover the host's network.
const unreachable = "fetch could not reach the host, or the host is not one that lambdas may call.";
const failures: Readonly<Record<OutboundFailure, string>> = {
  forbiddenAddress: unreachable,
  unreachable,
  timedOut: `fetch had no whole answer within ${timeoutMs / 1_000} seconds.`,
};

/**
 * Makes a call for a lambda; redirects are answers.
 * @throws Error for a forbidden request, and for a call without a complete answer.
 */
async function fetchForLambda(service: ServiceContext, lambdaId: string, [url, init]: readonly unknown[]): Promise<FetchResult> {
  const { method, headers, body } = toRequest(url, init);
  const own = { ...headers, ...markOf(service, lambdaId) };
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

function lambdaHeader({ names }: Pick<ServiceContext, "names">): string {
  return `x-${names.service.toLowerCase()}-lambda`;
}

/** Each request has a mark of its own, and ends within this time. Receivers of `fetch` see the header, and might send it. */
const markLifetimeMs = 60_000;

// Marks the calls of lambdas: the id of the lambda, an expiry, and a signature of both, which only this service can make.
function markOf(service: ServiceContext, lambdaId: string): Readonly<Record<string, string>> {
  const text = `${lambdaId}.${service.runtime.clock() + markLifetimeMs}`;
  return { [lambdaHeader(service)]: `${text}.${service.sealer.sign(`lambda ${text}`)}` };
}

/**
 * Whether a lambda made the request of a call: it may run no other lambda, and so not itself (docs/reference/lambdas.md#runtime).
 */
export function isLambdaRequest({ request, service }: OperationCall): boolean {
  const mark = request?.headers[lambdaHeader(service)];
  if (typeof mark !== "string") return false;
  const end = mark.lastIndexOf(".");
  const text = mark.slice(0, end);
  const isAlive = Number(text.slice(text.lastIndexOf(".") + 1)) > service.runtime.clock();
  return isAlive && service.sealer.isSignature(`lambda ${text}`, mark.slice(end + 1));
}

/** The failure of a lambda run for the request of another lambda. */
export const nestedLambdaFailure: LambdaFailure = Object.freeze({
  kind: "refused",
  message: "A lambda that calls back the API that invoked it is refused.",
  console: Object.freeze([]),
});
