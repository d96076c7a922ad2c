import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ApiResponse, ByteStream } from "latchkey/ports";
import { mergeHeaders } from "../internal/merge-headers.js";

/**
 * Writes a response of the service to a Node response, unless the host has already answered, as on its own timeout. Keeps the
 * cookies and the cache directives that the host has set.
 */
export function writeApiResponse(res: ServerResponse, response: ApiResponse): void {
  const { status, stream } = response;
  if (res.headersSent) {
    void stream?.[Symbol.asyncIterator]().return?.();
    return;
  }
  const headers = mergeHeaders(response.headers, (name) => res.getHeader(name));
  if (stream !== undefined) {
    toReadable(stream, res.writeHead(status, headers)).pipe(res);
    return;
  }
  const body = response.bytes ?? response.body;
  // A 304 has no body, so no length either.
  const length = status === 304 ? undefined : { "content-length": Buffer.byteLength(body) };
  res.writeHead(status, { ...headers, ...length }).end(body);
}

/** Answers without a body, or aborts a response that has begun. */
export function answerEmpty(res: ServerResponse, status: number): void {
  if (res.headersSent) res.destroy();
  else res.writeHead(status, { "content-length": "0" }).end();
}

/** A streamed body for Node. It ends when the response's connection closes; a failing stream closes that connection. */
export function toReadable(stream: ByteStream, res: ServerResponse): Readable {
  const readable = Readable.from(stream, { objectMode: false });
  readable.once("error", () => res.destroy());
  if (res.destroyed) readable.destroy();
  else res.once("close", () => readable.destroy());
  return readable;
}
