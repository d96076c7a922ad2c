import { connect, isIP, Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { OutboundGuard } from "latchkey";

/** What a client of the package `kafkajs` asks a connection for. */
export interface SocketRequest {
  readonly host: string;
  readonly port: number;
  readonly ssl?: ConnectionOptions | undefined;
  readonly onConnect: () => void;
}

/** Makes connections that go to allowed addresses only: brokers of a cluster name one another. */
export function guardedSockets(guard: OutboundGuard): (request: SocketRequest) => Socket {
  return ({ host: written, onConnect, port, ssl }) => {
    const host = written.replace(/^\[(.*)\]$/, "$1");
    // A literal address is never looked up.
    if (isIP(host) !== 0 && !guard.isAllowed(host)) return refused();
    const target = { host, port, lookup: guard.lookup };
    const servername = isIP(host) === 0 ? host : "";
    const socket = ssl ? connectTls({ servername, ...target, ...ssl }, onConnect) : connect(target, onConnect);
    return socket.setKeepAlive(true, 60_000);
  };
}

function refused(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(new Error("The address is not one that calls may go to.")));
  return socket;
}
