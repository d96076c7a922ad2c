import type { Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { Server as NetServer, type Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

// A request may be under way on an open connection: the client sees a reset if the connection closes first.
const quietMs = 500;

/** Ends a server without losing requests. It follows the connections from its construction on. */
export class ServerDrain {
  readonly #server: Server | HttpsServer;
  readonly #transports = new Set<Socket>();
  // On TLS, what requests arrive on is not the transport.
  readonly #connections: Set<Socket>;
  readonly #running = new Set<ServerResponse>();
  #proceed: (() => void) | undefined;

  constructor(server: Server | HttpsServer) {
    this.#server = server;
    const isTls = server instanceof TlsServer;
    this.#connections = isTls ? new Set() : this.#transports;
    server.on("connection", (socket: Socket) => this.#follow(socket, this.#transports));
    if (isTls) server.on("secureConnection", (socket: Socket) => this.#follow(socket, this.#connections));
    server.prependListener("request", (_req, res: ServerResponse) => {
      if (this.#proceed !== undefined) res.shouldKeepAlive = false;
      this.#follow(res, this.#running);
    });
  }

  /**
   * Takes no new connection, answers the requests on existing ones with `Connection: close`, and ends all connections. Returns
   * the number of requests that it cut off after the limit.
   */
  async run(limitMs: number): Promise<number> {
    // `close` of HTTP servers ends connections between two requests at once.
    NetServer.prototype.close.call(this.#server);
    for (const res of this.#running) res.shouldKeepAlive = false;
    await this.#untilDrained(limitMs);
    const cut = this.#running.size;
    for (const socket of this.#transports) socket.destroy();
    return cut;
  }

  async #untilDrained(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isQuiet = false;
    this.#proceed = () => {
      // What was written is still sent. Connections that have sent no request, or a part of one, end too.
      if (isQuiet && this.#running.size === 0) for (const socket of this.#connections) socket.destroySoon();
      if (this.#connections.size === 0) resolve();
    };
    const quiet = setTimeout(() => {
      isQuiet = true;
      this.#server.closeIdleConnections();
      this.#proceed?.();
    }, quietMs);
    const limit = setTimeout(resolve, limitMs);
    this.#proceed();
    await promise;
    clearTimeout(quiet);
    clearTimeout(limit);
  }

  #follow<Item extends ServerResponse | Socket>(item: Item, items: Set<Item>): void {
    items.add(item);
    item.once("close", () => {
      items.delete(item);
      this.#proceed?.();
    });
  }
}
