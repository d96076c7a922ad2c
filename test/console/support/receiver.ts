import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A receiver of webhooks on this machine, which fails until it is mended. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: string[];
  mend(): void;
}

/** Starts a receiver. */
export async function startReceiver(): Promise<Receiver> {
  let status = 500;
  const received: string[] = [];
  const server = createServer(async (req, res) => {
    received.push(Buffer.concat(await req.toArray()).toString());
    res.writeHead(status, { "content-type": "text/plain" }).end(status === 500 ? "The shop is closed." : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    mend: () => {
      status = 200;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
