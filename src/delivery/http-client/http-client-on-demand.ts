import type { HttpClient, OutboundOutcome, OutboundRequest } from "../../ports/event-transport.js";
import { type Lazy, lazily } from "../../shared/async.js";
import type { HttpClientOptions } from "./http-client.js";

const loadClient = lazily(() => import("./http-client.js"));

/** The client for calls over HTTP, loaded with the first of them. */
export class HttpClientOnDemand implements HttpClient {
  readonly #client: Lazy<HttpClient>;

  constructor(options: HttpClientOptions) {
    this.#client = lazily(async () => (await loadClient()).createHttpClient(options));
  }

  /** See {@link HttpClient.send}. */
  async send(request: OutboundRequest): Promise<OutboundOutcome> {
    return (await this.#client()).send(request);
  }

  /** Closes keep-alive connections. */
  async close(): Promise<void> {
    await (await this.#client.begun())?.close();
  }
}
