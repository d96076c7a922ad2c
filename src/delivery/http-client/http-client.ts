import { hash } from "node:crypto";
import { createSecureContext, getCACertificates, rootCertificates, type SecureContext } from "node:tls";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { HttpClient, OutboundFailure, OutboundOutcome, OutboundRequest, OutboundTls } from "../../ports/event-transport.js";
import type { CancelTimer, Runtime, Timers } from "../../ports/runtime.js";
import { ForbiddenAddress, guardLookup, isPublicAddress, literalAddress } from "./address-guard.js";

/** The default limit of an answer, in bytes (docs/reference/webhooks.md#request-to-the-receiver). */
const usualAnswerBytes = 65_536;

/** Creates an HTTP client that verifies certificates, follows no redirects, and ends calls at their deadlines. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agents = new Agents(options);
  return {
    send: (request) => new Promise((resolve) => begin(agents, request, new Exchange(request, options.runtime.timers, resolve))),
    close: () => agents.close(),
  };
}

function begin(agents: Agents, request: OutboundRequest, exchange: Exchange): void {
  const { method, url, headers, body = null, connectTimeoutMs, tls } = request;
  try {
    const { origin, pathname, search } = new URL(url);
    agents.of(connectTimeoutMs, tls).dispatch({ origin, path: pathname + search, method, headers, body }, exchange);
  } catch (error) {
    exchange.onResponseError(undefined, error);
  }
}

/** One call. Its deadlines are absolute, so that a trickling receiver cannot hold it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: OutboundRequest;
  readonly #timers: Timers;
  readonly #settle: (outcome: OutboundOutcome) => void;
  readonly #chunks: Uint8Array[] = [];
  readonly #cancelWhole: CancelTimer;
  #cancelPhase: CancelTimer;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  #size = 0;
  #isOver = false;

  constructor(request: OutboundRequest, timers: Timers, settle: (outcome: OutboundOutcome) => void) {
    this.#request = request;
    this.#timers = timers;
    this.#settle = settle;
    this.#cancelWhole = this.#deadline(request.timeoutMs);
    this.#cancelPhase = this.#deadline(request.connectTimeoutMs);
  }

  /** The connection is open: the read timeout starts. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#cancelPhase();
    if (this.#isOver) controller.abort(enough);
    else this.#cancelPhase = this.#deadline(this.#request.readTimeoutMs ?? this.#request.timeoutMs);
  }

  onResponseStart(_controller: unknown, status: number, headers: ReceivedHeaders): void {
    // A status below 200 is informational: the response follows.
    if (status >= 200) this.#head = { status, headers: toHeaders(headers) };
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    const { maxAnswerBytes = usualAnswerBytes } = this.#request;
    if (this.#size <= maxAnswerBytes) this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    if (this.#size > maxAnswerBytes) this.onResponseEnd();
  }

  onResponseEnd(): void {
    const { maxAnswerBytes = usualAnswerBytes } = this.#request;
    const body = Buffer.concat(this.#chunks).subarray(0, maxAnswerBytes).toString("utf8");
    const read = { body, isCut: this.#size > maxAnswerBytes };
    this.#end(this.#head ? { kind: "answered", ...this.#head, ...read } : { kind: "failed", reason: "unreachable" });
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#end({ kind: "failed", reason: reasonOf(error) });
  }

  #deadline(milliseconds: number): CancelTimer {
    return this.#timers.after(milliseconds, () => this.#end({ kind: "failed", reason: "timedOut" }));
  }

  // Aborts requests in flight, so that no more of their responses is buffered.
  #end(outcome: OutboundOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelWhole();
    this.#cancelPhase();
    this.#chunks.length = 0;
    this.#settle(outcome);
    this.#controller?.abort(enough);
  }
}

const enough = new Error("Nothing more is wanted of the call.");

type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

function toHeaders(received: ReceivedHeaders): Readonly<Record<string, string>> {
  const named = Object.entries(received).map(([name, value = ""]) => [
    name.toLowerCase(),
    typeof value === "string" ? value : value.join(", "),
  ]);
  return Object.fromEntries(named);
}

function reasonOf(error: unknown): OutboundFailure {
  if (error instanceof ForbiddenAddress) return "forbiddenAddress";
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^UND_ERR_\w*TIMEOUT$|^ETIMEDOUT$/.test(code) ? "timedOut" : "unreachable";
}

const maxAgents = 100;

/** The addresses that calls may go to, and the certificates that they trust. */
export interface HttpClientOptions {
  /** Whether calls may go to loopback, link-local, private and other special addresses. */
  readonly allowsPrivateNetwork: boolean;
  readonly runtime: Pick<Runtime, "lookup" | "timers">;
  /** Certificates in PEM that are trusted beside the default ones. */
  readonly ca?: readonly string[] | undefined;
}

/** Pools of keep-alive connections, separate per client certificate. */
export class Agents {
  readonly #options: HttpClientOptions;
  readonly #agents = new Map<string, Agent>();

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#agents.size;
  }

  /** The agent for a timeout and TLS settings. Above the limit, the oldest one closes after its calls. */
  of(connectTimeoutMs: number, tls: OutboundTls | undefined): Agent {
    const name = tls === undefined ? `${connectTimeoutMs}` : `${connectTimeoutMs} ${hash("sha256", JSON.stringify(tls))}`;
    const known = this.#agents.get(name);
    if (known !== undefined) return known;
    // The deadlines of the library are coarse, and some are not absolute.
    const agent = new Agent({ connect: toConnector(this.#options, connectTimeoutMs, tls), bodyTimeout: 0, headersTimeout: 0 });
    const [oldest] = this.#agents;
    if (oldest !== undefined && this.#agents.size >= maxAgents) {
      this.#agents.delete(oldest[0]);
      void oldest[1].close();
    }
    this.#agents.set(name, agent);
    return agent;
  }

  /** Closes all connections. Their calls fail. */
  async close(): Promise<void> {
    const open = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(open.map((agent) => agent.destroy()));
  }
}

// A literal address involves no lookup, so check it here.
function toConnector(options: HttpClientOptions, timeout: number, tls: OutboundTls | undefined): buildConnector.connector {
  const secureContext = toSecureContext(options, tls);
  // Verify certificates regardless of the environment of the process.
  const base = { rejectUnauthorized: true, timeout, ...(secureContext && { secureContext }) };
  const { lookup } = options.runtime;
  if (options.allowsPrivateNetwork) return buildConnector({ ...base, lookup });
  const connect = buildConnector({ ...base, lookup: guardLookup(lookup) });
  return (target, callback) => {
    const address = literalAddress(target.hostname);
    if (address !== undefined && !isPublicAddress(address)) return callback(new ForbiddenAddress(), null);
    return connect(target, callback);
  };
}

// Once, not for each connection: reading the default certificates takes milliseconds.
function toSecureContext({ ca = [] }: HttpClientOptions, tls: OutboundTls | undefined): SecureContext | undefined {
  const { certificate, privateKey, trusted } = tls ?? {};
  const believed = trusted === undefined ? ca : [...ca, trusted];
  if (believed.length === 0 && certificate === undefined) return undefined;
  return createSecureContext({
    ...(believed.length > 0 && { ca: [...usualCertificates(), ...believed] }),
    ...(certificate !== undefined && { cert: certificate, key: privateKey }),
  });
}

// Older versions of Node 22 do not list the authorities that the environment adds.
function usualCertificates(): readonly string[] {
  return typeof getCACertificates === "function" ? getCACertificates("default") : rootCertificates;
}
