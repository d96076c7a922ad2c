import { Agent, buildConnector } from "undici";
import type { HttpClient, OutboundFailure, OutboundOutcome, OutboundRequest } from "../ports/event-transport.js";
import { isPublicAddress, literalAddress } from "./address-guard.js";
import { ForbiddenAddress, guardedLookup } from "./guarded-lookup.js";

/** How much of an answer is read where the call does not say, in bytes (decisions.md, Success). */
const usualAnswerBytes = 65_536;
const maxAgents = 100;
/** Whatever the environment of the process says. */
const tls = { rejectUnauthorized: true } as const;

/** Where calls may go. */
export interface HttpClientOptions {
  /** Whether calls may go to loopback, link-local, private and other special addresses. */
  readonly allowsPrivateNetwork: boolean;
}

/** Makes calls over HTTP: certificates are verified, redirects not followed, and no answer is waited for longer than the call says. */
export function createHttpClient({ allowsPrivateNetwork }: HttpClientOptions): HttpClient {
  const agents = new Map<number, Agent>();
  const agentFor = (connectTimeoutMs: number): Agent => {
    const known = agents.get(connectTimeoutMs);
    if (known !== undefined) return known;
    const connect = allowsPrivateNetwork
      ? buildConnector({ ...tls, timeout: connectTimeoutMs })
      : guardedConnector(connectTimeoutMs);
    const agent = new Agent({ connect });
    if (agents.size >= maxAgents) closeAll(agents);
    agents.set(connectTimeoutMs, agent);
    return agent;
  };
  return {
    send: (request) => exchange(agentFor(request.connectTimeoutMs), request),
    close: () => closeAll(agents),
  };
}

async function closeAll(agents: Map<number, Agent>): Promise<void> {
  const open = [...agents.values()];
  agents.clear();
  await Promise.all(open.map((agent) => agent.close()));
}

// A literal address is never looked up, so it is judged here; a name is judged by each of its addresses.
function guardedConnector(timeout: number): buildConnector.connector {
  const connect = buildConnector({ ...tls, timeout, lookup: guardedLookup });
  return (options, callback) => {
    const address = literalAddress(options.hostname);
    if (address !== undefined && !isPublicAddress(address)) return callback(new ForbiddenAddress(), null);
    return connect(options, callback);
  };
}

async function exchange(agent: Agent, request: OutboundRequest): Promise<OutboundOutcome> {
  const { method, url, headers, body = null, timeoutMs, maxAnswerBytes = usualAnswerBytes } = request;
  // A deadline, not a limit between two bytes: a receiver that trickles must not hold the call.
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { origin, pathname, search } = new URL(url);
    const answer = await agent.request({ origin, path: pathname + search, method, headers, body, signal });
    const read = await readSome(answer.body, maxAnswerBytes);
    return { kind: "answered", status: answer.statusCode, headers: toHeaders(answer.headers), ...read };
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error, signal) };
  }
}

function toHeaders(received: Readonly<Record<string, string | readonly string[] | undefined>>): Readonly<Record<string, string>> {
  const named = Object.entries(received).map(([name, value = ""]) => [name.toLowerCase(), [value].flat().join(", ")]);
  return Object.fromEntries(named);
}

async function readSome(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly body: string; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8"), isCut: size > maxBytes };
}

function reasonOf(error: unknown, signal: AbortSignal): OutboundFailure {
  if (error instanceof ForbiddenAddress) return "forbiddenAddress";
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isLate = typeof code === "string" && /^UND_ERR_\w*TIMEOUT$|^ETIMEDOUT$/.test(code);
  return signal.aborted || isLate ? "timedOut" : "unreachable";
}
