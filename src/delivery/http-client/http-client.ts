import type { Dispatcher } from "undici";
import type { HttpClient, OutboundFailure, OutboundOutcome, OutboundRequest } from "../../ports/event-transport.js";
import { ForbiddenAddress } from "./address-guard.js";
import { Agents, type HttpClientOptions } from "./agents.js";

/** How much of an answer is read where the call does not say, in bytes (docs/reference/webhooks.md#request-to-the-receiver). */
const usualAnswerBytes = 65_536;

/** Makes calls over HTTP: certificates are verified, redirects not followed, and no answer is waited for longer than the call says. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agents = new Agents(options);
  return {
    send: (request) => new Promise((resolve) => begin(agents, request, resolve)),
    close: () => agents.close(),
  };
}

function begin(agents: Agents, request: OutboundRequest, settle: (outcome: OutboundOutcome) => void): void {
  const { method, url, headers, body = null, connectTimeoutMs, tls } = request;
  const exchange = new Exchange(request, settle);
  try {
    const { origin, pathname, search } = new URL(url);
    agents.of(connectTimeoutMs, tls).dispatch({ origin, path: pathname + search, method, headers, body }, exchange);
  } catch (error) {
    exchange.onResponseError(undefined, error);
  }
}

/** One call. Its deadlines are absolute: none is a limit between two bytes, for a receiver that trickles must not hold the call. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: OutboundRequest;
  readonly #settle: (outcome: OutboundOutcome) => void;
  readonly #chunks: Uint8Array[] = [];
  readonly #whole: NodeJS.Timeout;
  #phase: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  #size = 0;
  #isOver = false;

  constructor(request: OutboundRequest, settle: (outcome: OutboundOutcome) => void) {
    this.#request = request;
    this.#settle = settle;
    this.#whole = this.#deadline(request.timeoutMs);
    this.#phase = this.#deadline(request.connectTimeoutMs);
  }

  /** There is a connection, and the request is about to be written: from now on the time to read counts. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    clearTimeout(this.#phase);
    if (this.#isOver) controller.abort(enough);
    else this.#phase = this.#deadline(this.#request.readTimeoutMs ?? this.#request.timeoutMs);
  }

  onResponseStart(_controller: unknown, status: number, headers: ReceivedHeaders): void {
    // What is under 200 only says that there is more to come.
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

  #deadline(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#end({ kind: "failed", reason: "timedOut" }), milliseconds).unref();
  }

  // Abort requests in flight, so that no more of their responses is buffered.
  #end(outcome: OutboundOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#whole);
    clearTimeout(this.#phase);
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
