import type { IdentityService } from "latchkey";
import type { ApiResponse } from "latchkey/ports";
import { Answer } from "./answer.js";

type Headers = Readonly<Record<string, string>>;

/** A caller of the HTTP API with the same headers each time. */
export class Caller {
  readonly #identity: Pick<IdentityService, "inject">;
  readonly #headers: Headers;

  constructor(identity: Pick<IdentityService, "inject">, headers: Headers) {
    this.#identity = identity;
    this.#headers = headers;
  }

  /** A copy with further headers. */
  with(headers: Headers): Caller {
    return new Caller(this.#identity, { ...this.#headers, ...headers });
  }

  /** A copy with the tenant header. */
  inTenant(tenantId: string): Caller {
    return this.with({ "X-Service-TenantId": tenantId });
  }

  async send(method: string, url: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const request = { method, url, headers: { ...this.#headers, ...headers }, ...(body !== undefined && { body }) };
    const response = await this.#identity.inject(request);
    return new Answer({ ...response, body: response.stream === undefined ? response.body : await readStream(response) });
  }

  get(url: string, headers?: Headers): Promise<Answer> {
    return this.send("GET", url, undefined, headers);
  }

  post(url: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send("POST", url, body, headers);
  }

  put(url: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send("PUT", url, body, headers);
  }

  /** PATCH with `application/json`, which appends to arrays. */
  patch(url: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send("PATCH", url, body, headers);
  }

  mergePatch(url: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send("PATCH", url, body, { "content-type": "application/merge-patch+json", ...headers });
  }

  jsonPatch(url: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send("PATCH", url, body, { "content-type": "application/json-patch+json", ...headers });
  }

  delete(url: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send("DELETE", url, body, headers);
  }
}

// The text of an export. Streams of events are endless, so end the stream.
async function readStream({ headers, stream }: ApiResponse): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of stream ?? []) {
    if (String(headers["content-type"]).startsWith("text/event-stream")) break;
    text += decoder.decode(part, { stream: true });
  }
  return text;
}
