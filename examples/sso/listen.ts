/** HTTP servers on free ports of this machine. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that listens. Its URL is known before there is anything to answer with. */
export interface Listening {
  readonly url: string;
  /** Sets what answers. */
  answer(listener: RequestListener): void;
  close(): void;
}

/** Listens on a free port. */
export async function listen(): Promise<Listening> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (given) => {
      listener = given;
    },
    close: () => void server.close().closeAllConnections(),
  };
}
