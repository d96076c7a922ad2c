import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A way to a server that can be cut, closed and made to carry nothing. It ends with the test. */
export interface CuttableServer {
  /** The server's URL by this way. */
  readonly url: string;
  /** Ends every connection; new ones are accepted. */
  readonly cut: () => void;
  /** Ends every connection, and each new one at once, until it is opened again. */
  readonly close: () => void;
  readonly open: () => void;
  /** Carries nothing any more on the connections there are. */
  readonly freeze: () => void;
}

/** Opens a way to the server that a URL names. */
export async function startCuttableServer(to: string): Promise<CuttableServer> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((near) => {
    if (!isOpen) return void near.destroy();
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(other);
      from.on("error", () => undefined).on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(to);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut,
    close: () => {
      isOpen = false;
      cut();
    },
    open: () => {
      isOpen = true;
    },
    freeze: () => {
      for (const socket of sockets) socket.unpipe();
    },
  };
}
