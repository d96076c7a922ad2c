import type { IdentityService } from "latchkey";
import type { ReceivedResponse } from "./response.js";

/** What is sent, with the credential. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** How a request gets to the service. Rejects when there is no answer, and when the signal is aborted. */
export type Transport = (request: SentRequest, signal: AbortSignal) => Promise<ReceivedResponse>;

/** Thrown when an answer is larger than the client takes. */
export class ResponseTooLarge extends Error {
  readonly status: number;

  constructor(status: number) {
    super("The answer is larger than this client takes.");
    this.name = "ResponseTooLarge";
    this.status = status;
  }
}

/** Over HTTP. Redirects are not followed: they would take the credential to another place. */
export function fetchTransport(baseUrl: string, fetch: typeof globalThis.fetch, maxBytes: number): Transport {
  return async ({ body, headers, method, url }, signal) => {
    const init = { method, headers, signal, redirect: "manual", ...(body !== undefined && { body }) } as const;
    const response = await fetch(baseUrl + url, init);
    const bytes = await readBytes(response, maxBytes);
    const header = (name: string): string | null => response.headers.get(name);
    const isFile = header("content-type") === "application/zip";
    return { status: response.status, header, ...(isFile ? { text: "", bytes } : { text: new TextDecoder().decode(bytes) }) };
  };
}

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  // Some runtimes have no streams.
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      reader.cancel().catch(() => undefined);
      throw new ResponseTooLarge(response.status);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  for (const chunk of chunks.reverse()) {
    length -= chunk.byteLength;
    bytes.set(chunk, length);
  }
  return bytes;
}

/** Into a service of this process. A call that is aborted may still be done there. */
export function injectTransport(inject: IdentityService["inject"]): Transport {
  return async ({ body, headers, method, url }, signal) => {
    const answer = inject({ method, url, headers, ...(body !== undefined && { body }) });
    const response = await untilAborted(answer, signal);
    return {
      status: response.status,
      header: (name) => [response.headers[name] ?? []].flat()[0],
      text: response.body,
      bytes: response.bytes,
    };
  };
}

/** What a promise gives, unless the signal is aborted before. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
