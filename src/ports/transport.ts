/** HTTP requests and responses as plain data. Adapters convert them from and to a framework's own objects. */

/** A readable stream of bytes: a Node `Readable` or another async iterable. */
export type ByteStream = AsyncIterable<Uint8Array>;

/**
 * The request body: an unread stream, bytes, text, or the result of the host's body parser. `unreadable`: other code has consumed
 * the bytes; `reason` says how to fix it, and the service responds with 400 `[unreadableBody]`.
 */
export type RequestBody =
  | { readonly kind: "stream"; readonly stream: ByteStream }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "parsed"; readonly value: unknown }
  | { readonly kind: "unreadable"; readonly reason: string };

/** One HTTP request as plain data. */
export interface ApiRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path below the mount point: starts with `/`, still percent-encoded, without the query. */
  readonly path: string;
  /** The query without its `?`, still encoded; empty when there is none. */
  readonly query: string;
  /** Names in lower case; a repeated header is an array or a comma-joined text, depending on the transport. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values in turn, as received. Absent when unknown: the service then cannot detect all repeated headers. */
  readonly rawHeaders?: readonly string[];
  /** The mount point before `path` in the URL, without a trailing slash; empty at the root. */
  readonly basePath?: string | undefined;
  /** Whether the request came over TLS to this process. */
  readonly isEncrypted?: boolean | undefined;
  /** The id of the request in the log. The service sets it for its protocols: that of `X-Request-Id`, or a new one. */
  readonly requestId?: string | undefined;
  /** The address of the peer of the socket. */
  readonly remoteAddress?: string | undefined;
  /** Absent when the request has no body. Pass a stream when unknown: an empty one counts as no body. */
  readonly body?: RequestBody | undefined;
  /**
   * Calls back once the response is sent or the connection is closed. The service counts large unsent responses, and refuses
   * requests beyond its limit. Absent when the transport does not know.
   */
  readonly whenSent?: ((callback: () => void) => void) | undefined;
}

/** One HTTP response as plain data. */
export interface ApiResponse {
  /** The HTTP status code. */
  readonly status: number;
  /** Names in lower case; a repeated header, such as `set-cookie`, is an array. The transport adds `content-length`. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** UTF-8 text; empty without a body, and with `bytes` or `stream`. */
  readonly body: string;
  /** A binary body, such as a zip file. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  /**
   * A body that is produced while it is sent. Pull the next chunk once the client has taken the one before, call the iterator's
   * `return()` when the client disconnects, and close the connection when the stream fails.
   */
  readonly stream?: ByteStream | undefined;
}
