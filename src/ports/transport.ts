/**
 * HTTP requests and responses as plain data, which an adapter converts from and to a framework's own.
 */

/** A readable stream of bytes: a Node `Readable` or anything that can be iterated. */
export type ByteStream = AsyncIterable<Uint8Array>;

/**
 * What the transport holds of the body: unread bytes, bytes, text, or what the host's own body parser made of it. `unreadable`: there is one,
 * and something else has taken its bytes; `reason` says what to do. The service refuses such a request with 400 `[unreadableBody]`.
 */
export type RequestBody =
  | { readonly kind: "stream"; readonly stream: ByteStream }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "parsed"; readonly value: unknown }
  | { readonly kind: "unreadable"; readonly reason: string };

/** One HTTP request as plain data. */
export interface ApiRequest {
  /** Upper case. */
  readonly method: string;
  /** The path below the mount point: starts with `/`, still percent-encoded, without the query. */
  readonly path: string;
  /** The query without its `?`, still encoded; empty when there is none. */
  readonly query: string;
  /** Names in lower case; a repeated header is an array or a comma-joined text, as the transport delivers it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values in turn exactly as received, where the transport knows them: the only way to see that a header came twice. */
  readonly rawHeaders?: readonly string[];
  /** What stands before `path` in the URL that the client called: the mount point, without a slash at its end; empty at the root. */
  readonly basePath?: string | undefined;
  /** Whether the request came over TLS to this process. */
  readonly isEncrypted?: boolean | undefined;
  /** The address of the socket's other end. */
  readonly remoteAddress?: string | undefined;
  /** Absent when the request has no body: never where the transport cannot know. An empty stream counts as none. */
  readonly body?: RequestBody | undefined;
  /**
   * Calls back once the response to this request is sent, or its connection closed. With it, the service counts large responses that wait
   * for their clients, and refuses requests while too much waits. Absent where the transport does not know.
   */
  readonly whenSent?: ((callback: () => void) => void) | undefined;
}

/** One HTTP response as plain data. */
export interface ApiResponse {
  /** The HTTP status code. */
  readonly status: number;
  /** Names in lower case; a header that comes several times, such as `set-cookie`, is an array. The length is the transport's business. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** UTF-8 text; empty for answers without a body, and for those of bytes. */
  readonly body: string;
  /** The body of an answer that is no text, such as a zip file. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  /**
   * The body of an answer that is made while it is sent; `body` is empty then. Take the next part once the client has taken the one before, call
   * the iterator's `return()` when the client goes away, and close the connection when the stream fails.
   */
  readonly stream?: ByteStream | undefined;
}
