import type { IdentityService } from "latchkey";
import type { ReceivedResponse } from "./response.js";

/** A request with its credential. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends a request to the service. Rejects when there is no response, and when the signal is aborted. */
export type Transport = (request: SentRequest, signal: AbortSignal) => Promise<ReceivedResponse>;

/** A response exceeds the client's size limit. */
export class ResponseTooLarge extends Error {
  readonly status: number;

  constructor(status: number) {
    super("The answer is larger than this client takes.");
    this.name = "ResponseTooLarge";
    this.status = status;
  }
}

/** Sends over HTTP. Does not follow redirects, which would take the credential elsewhere. */
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

/** Sends into a service of this process. The service may still complete an aborted call. */
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

/** Settles with the promise, or rejects when the signal is aborted first. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
