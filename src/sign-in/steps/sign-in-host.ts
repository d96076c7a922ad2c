import type { LookupAddress } from "node:dns";
import { isPublicAddress, literalAddress } from "../../delivery/http-client/address-guard.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type OutboundOutcome, type OutboundRequest, outboundMethods } from "../../ports/event-transport.js";
import type { Runtime } from "../../ports/runtime.js";
import { SignInError, type SignInHost } from "../../ports/sign-in.js";

const timeoutMs = 10_000;
const maxAnswerBytes = 1_048_576;

const hosts = new WeakMap<ServiceContext["openKeys"], SignInHost>();

/**
 * The functions that a service offers to clients of identity providers and directories. Always the same object for a service, so
 * clients may cache by it.
 */
export function toSignInHost(service: ServiceContext): SignInHost {
  const known = hosts.get(service.openKeys) ?? createSignInHost(service);
  hosts.set(service.openKeys, known);
  return known;
}

function createSignInHost(service: ServiceContext): SignInHost {
  const { accounts, allowsPrivateNetwork, openKeys, runtime } = service;
  return {
    fetch: (input, init) => guardedFetch(service, new Request(input, init)),
    assertAddress: (hostname) => findAddress(runtime, hostname, allowsPrivateNetwork),
    findKey: (keyId) => openKeys.byId(keyId),
    publicUrl: accounts.publicUrl,
    clock: runtime.clock,
    random: runtime.random,
    logger: runtime.logger,
  };
}

async function guardedFetch({ http }: ServiceContext, request: Request): Promise<Response> {
  request.signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(request.signal.reason);
  request.signal.addEventListener("abort", abort);
  try {
    const outcome = await Promise.race([http.send(await toOutbound(request)), aborted]);
    return toResponse(outcome, new URL(request.url).host);
  } finally {
    request.signal.removeEventListener("abort", abort);
  }
}

async function toOutbound(request: Request): Promise<OutboundRequest> {
  const { headers, url } = request;
  const method = outboundMethods.find((known) => known === request.method);
  if (method === undefined) throw new SignInError("unavailable", `The method ${request.method} cannot be sent.`);
  const body = request.body === null ? undefined : await request.text();
  const limits = { connectTimeoutMs: timeoutMs, timeoutMs, maxAnswerBytes };
  return { method, url, headers: Object.fromEntries(headers), body, ...limits };
}

const bodyless: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(outcome: OutboundOutcome, host: string): Response {
  if (outcome.kind === "failed") throw new SignInError("unavailable", `${host} gave no answer: ${outcome.reason}.`);
  if (outcome.isCut) throw new SignInError("unavailable", `The answer of ${host} has more than ${maxAnswerBytes} bytes.`);
  const { body, headers, status } = outcome;
  return new Response(bodyless.has(status) ? null : body, { status, headers: { ...headers } });
}

async function findAddress(runtime: Runtime, hostname: string, allowsPrivateNetwork: boolean): Promise<string> {
  const literal = literalAddress(hostname);
  const addresses = literal === undefined ? await lookUp(runtime, hostname) : [literal];
  const [first] = addresses;
  if (first === undefined) throw new SignInError("unavailable", `${hostname} cannot be looked up.`);
  if (!allowsPrivateNetwork && !addresses.every(isPublicAddress))
    throw new SignInError("unavailable", `The address of ${hostname} is not one that calls may go to.`);
  return first;
}

async function lookUp({ lookup }: Runtime, hostname: string): Promise<readonly string[]> {
  try {
    return (await findAll(lookup, hostname)).map(({ address }) => address);
  } catch (cause) {
    throw new SignInError("unavailable", `${hostname} cannot be looked up.`, { cause });
  }
}

function findAll(lookup: Runtime["lookup"], hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => (error === null ? resolve(found as LookupAddress[]) : reject(error)));
  });
}
