import type { HttpClient, OutboundFailure, OutboundOutcome, OutboundRequest } from "latchkey";
import { Capture, type ResponseTo } from "./captured.js";

/** What a call is answered: a response, or why there is none. */
export type HttpOutcome = OutboundFailure | HttpResponse;

/** What somebody who is called answers. */
export interface HttpResponse {
  /** Default 200. */
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or a value that is sent as JSON. Default: nothing. */
  readonly body?: unknown;
}

/** The calls over HTTP that the service makes: none of them leaves the process. */
export interface TestHttp {
  /** In the order in which they were made, as a receiver would get them. */
  readonly sent: readonly OutboundRequest[];
  /**
   * Answers this from now on to calls of a URL, or of `METHOD URL`; `*` is every URL that has no answer of its own. Default: 200, and
   * nothing else. `timedOut` takes no time.
   */
  answer(url: string, answer: ResponseTo<OutboundRequest, HttpOutcome>): void;
  /** Forgets what was sent; answers stay. */
  clear(): void;
}

/** Answers calls by their URLs. */
export class FakeHttp implements TestHttp, HttpClient {
  readonly #answers = new Map<string, ResponseTo<OutboundRequest, HttpOutcome>>();
  readonly #capture = new Capture<OutboundRequest, OutboundOutcome>((request) => this.#answerTo(request));

  get sent(): readonly OutboundRequest[] {
    return this.#capture.sent;
  }

  answer(url: string, answer: ResponseTo<OutboundRequest, HttpOutcome>): void {
    this.#answers.set(url, answer);
  }

  clear(): void {
    this.#capture.clear();
  }

  send(request: OutboundRequest): Promise<OutboundOutcome> {
    return this.#capture.take(request);
  }

  async close(): Promise<void> {}

  async #answerTo(request: OutboundRequest): Promise<OutboundOutcome> {
    const { method, url } = request;
    const names = [`${method} ${url}`, url, "*"];
    const found = names.map((name) => this.#answers.get(name)).find((answer) => answer !== undefined) ?? {};
    return toOutcome(found instanceof Function ? await found(request) : found);
  }
}

function toOutcome(answer: HttpOutcome): OutboundOutcome {
  if (typeof answer === "string") return { kind: "failed", reason: answer };
  const { status = 200, headers = {}, body = "" } = answer;
  return { kind: "answered", status, headers, body: typeof body === "string" ? body : JSON.stringify(body), isCut: false };
}
