import { type Agent, request } from "node:http";

/** A request as a test writes it. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text or bytes as they are; anything else as JSON of that content type. */
  readonly body?: unknown;
  readonly agent?: Agent;
}

/** An answer as it came over the wire. */
export interface Received {
  readonly status: number;
  /** Each value of each header, by its name in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  readonly bytes: Uint8Array;
}

/** Makes one request to a port of this machine; on a connection of its own unless an agent is given. */
export function exchange(port: number, sent: Sent): Promise<Received> {
  const { method = "GET", path, headers = {}, body, agent } = sent;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const bytes = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  const own = { ...(bytes !== undefined && { "content-type": "application/json" }), ...headers };
  return new Promise((resolve, reject) => {
    const client = request({ port, host: "127.0.0.1", method, path, agent: agent ?? false }, async (response) => {
      const received = Buffer.concat(await response.toArray());
      const distinct = response.headersDistinct as Record<string, string[]>;
      resolve({ status: response.statusCode ?? 0, headers: distinct, body: received.toString(), bytes: received });
    });
    for (const [name, value] of Object.entries(own)) client.setHeader(name, value);
    if (bytes !== undefined && own["transfer-encoding" as keyof typeof own] === undefined)
      client.setHeader("content-length", Buffer.byteLength(bytes));
    client.on("error", reject);
    client.end(bytes);
  });
}
