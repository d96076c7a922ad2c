import type { HttpClient, OutboundOutcome, OutboundRequest } from "../../ports/event-transport.js";
import type { HttpClientOptions } from "./agents.js";

/** The client for calls over HTTP, loaded with the first of them. */
export class HttpClientOnDemand implements HttpClient {
  readonly #options: HttpClientOptions;
  #client: Promise<HttpClient> | undefined;

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** See {@link HttpClient.send}. */
  async send(request: OutboundRequest): Promise<OutboundOutcome> {
    this.#client ??= import("./http-client.js").then(({ createHttpClient }) => createHttpClient(this.#options));
    return (await this.#client).send(request);
  }

  /** Closes keep-alive connections. */
  async close(): Promise<void> {
    await (await this.#client)?.close();
  }
}
