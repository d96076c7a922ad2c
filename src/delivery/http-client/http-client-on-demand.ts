import type { HttpClient, OutboundOutcome, OutboundRequest } from "../../ports/event-transport.js";
import { type Lazy, lazily } from "../../shared/async.js";
import type { HttpClientOptions } from "./http-client.js";

const loadClient = lazily(() => import("./http-client.js"));

/** An HTTP client that is loaded with the first call. */
export class HttpClientOnDemand implements HttpClient {
  readonly #client: Lazy<HttpClient>;
  readonly #onForbidden: (host: string) => void;

  /** `onForbidden` is called with the host of each call to a forbidden address. */
  constructor(options: HttpClientOptions, onForbidden: (host: string) => void) {
    this.#onForbidden = onForbidden;
    this.#client = lazily(async () => (await loadClient()).createHttpClient(options));
  }

  /** See {@link HttpClient.send}. */
  async send(request: OutboundRequest): Promise<OutboundOutcome> {
    const outcome = await (await this.#client()).send(request);
    if (outcome.kind === "failed" && outcome.reason === "forbiddenAddress") this.#onForbidden(new URL(request.url).host);
    return outcome;
  }

  async close(): Promise<void> {
    await (await this.#client.begun())?.close();
  }
}
