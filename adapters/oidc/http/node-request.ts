import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ApiRequest, ApiResponse } from "latchkey/ports";

/** A request in the form of the provider's library. */
export interface ProviderRequest {
  readonly request: ApiRequest;
  /** The body as text; undefined for none. */
  readonly body: string | undefined;
  /** Path below the mount point, for routing, and query. */
  readonly url: string;
  /** The path of the mount point. */
  readonly mount: string;
  /** The public URL of the service, regardless of the request's host. */
  readonly publicUrl: URL;
  readonly address: string | undefined;
}

/** Answers a request with a listener for Node's server, without a socket. */
export function runListener(listener: RequestListener, given: ProviderRequest): Promise<ApiResponse> {
  const request = toIncoming(given);
  // The library answers its errors itself, but its promise may still reject, and nothing else awaits it.
  return new Promise((resolve, reject) => {
    const running: unknown = listener(request, toServerResponse(request, resolve));
    Promise.resolve(running).catch(reject);
  });
}

/** Returns a request like those of Node's server. */
export function toIncoming({ address, body, mount, publicUrl, request, url }: ProviderRequest): IncomingMessage {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const forwarded = Object.entries(request.headers).filter(
    ([name]) => !/^(?:x-forwarded-|forwarded$|transfer-encoding$)/.test(name),
  );
  const headers: Record<string, unknown> = { ...Object.fromEntries(forwarded), host: publicUrl.host };
  delete headers[":authority"];
  if (bytes === undefined) delete headers["content-length"];
  else headers["content-length"] = String(bytes.length);
  const message = Object.assign(Readable.from(bytes === undefined ? [] : [bytes], { objectMode: false }), {
    method: request.method,
    url,
    originalUrl: mount + url,
    headers,
    httpVersion: "1.1",
    socket: { encrypted: publicUrl.protocol === "https:", remoteAddress: address },
  });
  return message as Readable as IncomingMessage;
}

/** Returns a response that calls `done` at its end. */
export function toServerResponse(request: IncomingMessage, done: (response: ApiResponse) => void): ServerResponse {
  const response = new ServerResponse(request);
  const end = (chunk?: unknown): ServerResponse => {
    const body = typeof chunk === "string" ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : "";
    done({ status: response.statusCode, headers: headersOf(response), body });
    response.emit("finish");
    return response;
  };
  return Object.assign(response, { end });
}

function headersOf(response: ServerResponse): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(response.getHeaders()))
    if (value !== undefined && name !== "content-length") headers[name] = Array.isArray(value) ? value : String(value);
  return headers;
}
